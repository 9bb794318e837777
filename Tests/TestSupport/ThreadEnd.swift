import Glibc

/// Tells when threads end that asked to be watched.
package final class ThreadEnd: Sendable {
    private final class Box {
        let told: @Sendable () -> Void
        init(_ told: @escaping @Sendable () -> Void) { self.told = told }
    }

    private let key: pthread_key_t
    private let told: @Sendable () -> Void

    /// - Parameter told: called by each watched thread when it ends.
    package init(_ told: @escaping @Sendable () -> Void) {
        self.told = told
        var key = pthread_key_t()
        pthread_key_create(&key) { Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().told() }
        self.key = key
    }

    deinit { pthread_key_delete(key) }

    /// Watches the calling thread.
    package func watch() { pthread_setspecific(key, Unmanaged.passRetained(Box(told)).toOpaque()) }
}
