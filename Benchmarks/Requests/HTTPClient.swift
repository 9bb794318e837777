import CCurl

/// Fetches one URL over and over with one easy handle of libcurl, and checks what came.
///
/// Belongs to the thread that made it (see `WorkerLocal`): a handle may not be used by two at once. With `keepsAlive`
/// the handle's connection serves request after request; without, each request opens and closes its own.
package final class HTTPClient {
    private let handle: UnsafeMutableRawPointer
    private let headers: UnsafeMutablePointer<curl_slist>?
    /// Bytes of the current body. It has a fixed place in memory because libcurl keeps its address.
    private let received = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    private let bodyBytes: Int

    /// libcurl's own start, once for the process: before the first handle, and never by two threads at once.
    private static let start: CURLcode = curl_global_init(Int(CURL_GLOBAL_ALL))

    package init(url: String, bodyBytes: Int, keepsAlive: Bool) throws(HTTPError) {
        self.bodyBytes = bodyBytes
        guard Self.start == CURLE_OK, let handle = curl_easy_init() else { throw .noHandle }
        self.handle = handle
        headers = keepsAlive ? nil : curl_slist_append(nil, "Connection: close")

        var codes = [
            ccurl_set_text(handle, CURLOPT_URL, url),
            // The environment's proxy must not come between a benchmark and its server.
            ccurl_set_text(handle, CURLOPT_PROXY, ""),
            ccurl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            // Time-outs by signals would hit whatever thread the process has.
            ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
            ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT, 10),
            ccurl_set_number(handle, CURLOPT_TIMEOUT, 30),
            ccurl_set_writer(handle, countBody, received),
        ]
        if !keepsAlive {
            // Both sides are told: the server closes as it would for any client that does not come back.
            codes.append(ccurl_set_number(handle, CURLOPT_FRESH_CONNECT, 1))
            codes.append(ccurl_set_number(handle, CURLOPT_FORBID_REUSE, 1))
            codes.append(ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers))
        }
        if let failure = codes.first(where: { $0 != CURLE_OK }) { throw .transfer(failure) }
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        received.deallocate()
    }

    /// Fetches the URL; returns how many bytes its body has.
    package func get() throws(HTTPError) -> Int {
        received.pointee = 0
        let code = curl_easy_perform(handle)
        guard code == CURLE_OK else { throw .transfer(code) }
        let status = ccurl_number(handle, CURLINFO_RESPONSE_CODE)
        guard status == 200 else { throw .status(status) }
        guard received.pointee == bodyBytes else { throw .length }
        return received.pointee
    }
}

/// Counts a piece of a body and lets it go: libcurl's buffer is not copied.
// hot path: no allocation, no lock, no call that can block
private func countBody(
    _ piece: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ received: UnsafeMutableRawPointer?
) -> Int {
    received?.assumingMemoryBound(to: Int.self).pointee += size * count
    return size * count
}

/// Why a request failed. Its sentences hold nothing that differs from one request to the next, so that equal failures
/// are counted together.
package enum HTTPError: Error, CustomStringConvertible {
    case noHandle
    case transfer(CURLcode)
    case status(Int)
    case length

    package var description: String {
        switch self {
        case .noHandle: "libcurl gave no handle"
        case .transfer(let code): "libcurl: \(String(cString: curl_easy_strerror(code)))"
        case .status(let status): "HTTP status \(status) instead of 200"
        case .length: "the body has another length than the file"
        }
    }
}
