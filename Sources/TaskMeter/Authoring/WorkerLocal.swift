import Glibc

/// A value for each worker: made when a thread first asks, kept for its next tasks, released when the thread ends.
///
/// For what is costly to make and belongs to one thread: a connection, a parser, a scratch buffer. Under a thread for
/// each task every task makes its own, and that cost is then part of what it spends: so it would be in a real program.
/// Thread-safe. Unchecked Sendable: each thread reaches only the box of its own.
public final class WorkerLocal<Value>: @unchecked Sendable {
    private final class Box {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private var key = pthread_key_t()
    private let make: @Sendable () throws -> Value

    /// - Parameter make: called on the thread that needs the value.
    public init(_ make: @escaping @Sendable () throws -> Value) {
        self.make = make
        let failure = pthread_key_create(&key) { Unmanaged<AnyObject>.fromOpaque($0!).release() }
        // A precondition would end a release build without its sentence.
        guard failure == 0 else {
            fatalError("the process has no thread-local keys left: make fewer WorkerLocal values")
        }
    }

    deinit { pthread_key_delete(key) }

    /// The calling thread's value.
    ///
    /// - Throws: what making it threw; the next call tries again.
    public func callAsFunction() throws -> Value {
        if let pointer = pthread_getspecific(key) {
            return Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue().value
        }
        let box = Box(try make())
        pthread_setspecific(key, Unmanaged.passRetained(box).toOpaque())
        return box.value
    }
}
