import CCurl
import Glibc

/// Cookies that the handles of a stack share.
///
/// Unchecked Sendable: libcurl reaches what is shared only between its calls of `lock` and `unlock`.
final class CurlCookies: @unchecked Sendable {
    let share: UnsafeMutableRawPointer
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Nil when libcurl gives none.
    init?() {
        guard CurlHandle.start == CURLE_OK, let share = curl_share_init() else { return nil }
        self.share = share
        pthread_mutex_init(mutex, nil)
        let code = ccurl_share_cookies(
            share, { _, _, _, mutex in pthread_mutex_lock(mutex!.assumingMemoryBound(to: pthread_mutex_t.self)) },
            { _, _, mutex in pthread_mutex_unlock(mutex!.assumingMemoryBound(to: pthread_mutex_t.self)) }, mutex)
        guard code == CURLSHE_OK else { return nil }
    }

    deinit {
        curl_share_cleanup(share)
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }
}
