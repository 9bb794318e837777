import CCounters
import CPAPI
import Glibc
import Results

/// PAPI, made ready once in a process, by the first who asks for it.
///
/// Facts of PAPI 7.0 that are not in its manual: it must be told of threads right after it was made ready, or two threads
/// that use it at once destroy the heap; it has no text for an error before that; and it gives up where
/// `kernel.perf_event_paranoid` is 3, even for those whom the kernel would let count.
package struct PAPILibrary: Sendable {
    /// For example “7.0.0”.
    package let version: String
    /// Why it cannot count events of a thread; nil where it can.
    package let refusal: String?

    /// What was found when it was made ready. The first call takes some milliseconds.
    package static let shared = PAPILibrary()

    /// Whether the first call was made.
    package static var isReady: Bool { PAPI_is_initialized() != PAPI_NOT_INITED }

    private init() {
        version = [24, 16, 8].map { String(Int(cpapi_full_version) >> $0 & 0xff) }.joined(separator: ".")
        guard Self.hasRoomForFiles else {
            refusal = "the process has too few file descriptors left to make PAPI ready"
            return
        }
        let answer = PAPI_library_init(cpapi_version)
        guard answer == cpapi_version else {
            refusal =
                answer > 0
                ? "the installed PAPI is of another version than \(version), for which this program was built"
                : "PAPI could not be made ready (\(Self.text(answer)))"
            return
        }
        let threads = PAPI_thread_init(ccounters_kernel_thread)
        guard threads == PAPI_OK else {
            refusal = "PAPI would not be told of threads (\(Self.text(threads)))"
            return
        }
        let index = PAPI_get_component_index("perf_event")
        guard index >= 0, let component = PAPI_get_component_info(index)?.pointee else {
            refusal = "this PAPI was built without the kernel's counters"
            return
        }
        guard component.disabled != 0 else {
            refusal = nil
            return
        }
        let reason = withUnsafeBytes(of: component.disabled_reason) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        refusal = "PAPI has turned its counters off (\(reason.isEmpty ? Self.text(component.disabled) : reason))"
    }

    /// Whether a few more files can be opened. PAPI looks about the machine when it is made ready, and ends the process
    /// when it cannot open what it wants to see.
    private static var hasRoomForFiles: Bool {
        var descriptors: [Int32] = []
        defer { for descriptor in descriptors { close(descriptor) } }
        for _ in 0..<16 {
            let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
            // Where there is no such file, as in a bare container, that tells nothing of room.
            guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
            descriptors.append(descriptor)
        }
        return true
    }

    /// What an error of PAPI is called: its own text, if it has one.
    static func text(_ code: Int32) -> String {
        // It returns NULL for numbers that it does not know, and for all before it was made ready.
        PAPI_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

/// The counters of PAPI that run for the calling thread: one set at a time, which it must end before the thread ends.
///
/// PAPI keeps what belongs to a thread until it is told that the thread leaves, and a set that still runs then would
/// outlive it. So a thread's running set is kept alive here, and ended when the thread ends.
enum PAPIThread {
    private final class Box {
        var running: PAPICounters?
    }

    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        let failure = pthread_key_create(&key) { pointer in
            let box = Unmanaged<Box>.fromOpaque(pointer!).takeRetainedValue()
            box.running?.end(atThreadEnd: true)
            PAPI_unregister_thread()
        }
        return failure == 0 ? key : nil
    }()

    private static var current: Box? {
        guard let key else { return nil }
        if let pointer = pthread_getspecific(key) { return Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue() }
        let box = Box()
        pthread_setspecific(key, Unmanaged.passRetained(box).toOpaque())
        return box
    }

    /// Whether the calling thread can be watched, and runs no other set.
    static func admits() -> CounterRefusal.Cause? {
        guard let current else { return .system(EAGAIN) }
        return current.running == nil ? nil : .alreadyRunning
    }

    static func keep(_ counters: PAPICounters) { current?.running = counters }
    static func release(_ counters: PAPICounters) {
        if let current, current.running === counters { current.running = nil }
    }
}
