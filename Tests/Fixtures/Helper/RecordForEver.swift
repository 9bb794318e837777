import Glibc
import Recording
import Results

/// Records from several threads as fast as they can, until the process is killed.
///
/// - Parameter underWay: called once, by the thread that has recorded the ten-thousandth task.
func recordForEver(_ recorder: TaskRecorder, threads: Int, underWay: @escaping @Sendable () -> Void) -> Never {
    for _ in 0..<threads {
        onThread {
            while true {
                let task = recorder.submit()
                recorder.begin(task)
                recorder.end(task, task.number % 5 == 0 ? .failed(reason: "fifth") : .ok)
                if task.number == 10_000 { underWay() }
            }
        }
    }
    while true { pause() }
}

/// Records from eight threads as fast as they can, and keeps a witness of what was stored: for each task a moment before its
/// begin and one after its end (see `KilledAtWorkTests`).
func recordWithWitness(_ recorder: TaskRecorder, _ path: String, underWay: @escaping @Sendable () -> Void) -> Never {
    struct Witness: @unchecked Sendable {
        static let mostTasks = 1 << 20
        let moments: UnsafeMutablePointer<Int64>

        init(_ path: String) {
            let file = open(path, O_RDWR | O_CREAT, 0o600)
            precondition(file >= 0 && ftruncate(file, off_t(Self.mostTasks * 16)) == 0)
            let memory = mmap(nil, Self.mostTasks * 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)!
            moments = memory.assumingMemoryBound(to: Int64.self)
        }
    }
    let witness = Witness(path)
    for _ in 0..<8 {
        onThread {
            while true {
                let task = recorder.submit()
                // The witness is full, and the test slow to kill: the threads rest.
                guard task.number < Witness.mostTasks else {
                    while true { pause() }
                }
                witness.moments[task.number * 2] = recorder.clock.now().sinceOrigin
                recorder.begin(task)
                recorder.add(bytes: Int64(task.number) * 7, to: task)
                recorder.end(task, task.number % 5 == 0 ? .failed(reason: "fifth") : .ok)
                witness.moments[task.number * 2 + 1] = recorder.clock.now().sinceOrigin
                if task.number == 1_000 { underWay() }
            }
        }
    }
    while true { pause() }
}

private func onThread(_ body: @escaping @Sendable () -> Void) {
    final class Context: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { pointer in
            Unmanaged<Context>.fromOpaque(pointer!).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Context(body)).toOpaque())
}
