import CLinux
import Glibc

/// Starts a detached thread with the system's default stack; returns 0, or the errno of the refusal.
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
    final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    let start = Unmanaged.passRetained(Start(name, body))
    var thread = pthread_t()
    let refusal = pthread_create(
        &thread, &attributes,
        { pointer in
            let start = Unmanaged<Start>.fromOpaque(pointer!).takeRetainedValue()
            _ = clinux_name_thread(start.name)
            start.body()
            return nil
        }, start.toOpaque())
    if refusal != 0 { start.release() }
    return refusal
}
