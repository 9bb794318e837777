import CLinux
import Glibc

/// What starts a thread of a name, and returns 0 or the errno of a refusal: the system, or a test that refuses.
package typealias ThreadStarter = @Sendable (_ name: String, _ body: @escaping @Sendable () -> Void) -> Int32

/// The system's own way to start a thread.
package let systemThread: ThreadStarter = { startThread(named: $0, $1) }

/// Starts a detached thread with the system's default stack; returns 0, or the errno of the refusal.
package func startThread(named name: String, _ body: @escaping @Sendable () -> Void) -> Int32 {
    final class Start: Sendable {
        /// Made ready here: a thread that comes late allocates nothing while others already measure.
        let name: ContiguousArray<CChar>
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name.utf8CString
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
            _ = start.name.withUnsafeBufferPointer { clinux_name_thread($0.baseAddress!) }
            start.body()
            return nil
        }, start.toOpaque())
    if refusal != 0 { start.release() }
    return refusal
}
