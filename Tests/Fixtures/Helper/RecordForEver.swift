import Glibc
import Recording
import Results

/// Records from several threads as fast as they can, until the process is killed.
///
/// - Parameter underWay: called once, by the thread that has recorded the ten-thousandth task.
func recordForEver(_ recorder: TaskRecorder, threads: Int, underWay: @escaping @Sendable () -> Void) -> Never {
    final class Context: Sendable {
        let recorder: TaskRecorder
        let underWay: @Sendable () -> Void
        init(_ recorder: TaskRecorder, _ underWay: @escaping @Sendable () -> Void) {
            self.recorder = recorder
            self.underWay = underWay
        }
    }
    for _ in 0..<threads {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { pointer in
                let context = Unmanaged<Context>.fromOpaque(pointer!).takeRetainedValue()
                while true {
                    let task = context.recorder.submit()
                    context.recorder.begin(task)
                    context.recorder.end(task, task.number % 5 == 0 ? .failed(reason: "fifth") : .ok)
                    if task.number == 10_000 { context.underWay() }
                }
            }, Unmanaged.passRetained(Context(recorder, underWay)).toOpaque())
    }
    while true { pause() }
}
