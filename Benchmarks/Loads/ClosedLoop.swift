import HTTPStacks
import TaskMeter

/// A closed loop of requests on one thread, with a record of each or without: nothing else differs.
struct ClosedLoop {
    var url: String
    var inFlight: Int
    var recorder: TaskRecorder?

    private static let length = Nanoseconds.seconds(2)

    /// Runs it; returns requests a second.
    func run(_ stack: String, clock: MonotonicClock) throws -> Double {
        var policy = ConnectionPolicy()
        policy.connections = inFlight
        let choices = [HTTPStackChoice.curlMulti(tellsSending: false), .socketEpoll]
        guard let make = choices.first(where: { $0.name == stack })?.makeLoop else {
            throw GeneratorFailed("no loop \(stack)")
        }
        let loop = try make(policy, clock)
        let request = HTTPRequest(url)
        var tasks = [TaskID?](repeating: nil, count: inFlight)
        var free = Array(0..<inFlight)
        var (answered, failed) = (0, 0)
        let ended: RequestLoop.Ended = { place, outcome in
            if let task = tasks[place] {
                recorder?.add(bytes: Int64(outcome.hop.received), to: task)
                recorder?.end(task, outcome.taskStatus, at: outcome.end)
                tasks[place] = nil
            }
            if outcome.failure == nil { answered += 1 } else { failed += 1 }
            free.append(place)
        }
        let begin = clock.now()
        while clock.now() - begin < Self.length {
            while let place = free.popLast() {
                if let recorder {
                    let task = recorder.submit()
                    recorder.begin(task)
                    tasks[place] = task
                }
                loop.start(request, number: place)
            }
            loop.turn(until: begin + Self.length, ended)
        }
        let end = clock.now()
        // What is under way when the time is over was not answered within it, and is given up.
        for task in tasks.compactMap({ $0 }) { recorder?.end(task, .cancelled) }
        guard failed == 0 else { throw GeneratorFailed("\(failed) of \(failed + answered) requests failed") }
        return Double(answered) / (Double((end - begin).count) / 1e9)
    }
}
