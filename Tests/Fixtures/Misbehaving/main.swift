import Dispatch
import Glibc
import TaskMeter

// A suite of benchmarks that do what benchmarks must not, for trying that they disturb nobody else.

struct Refused: Error, CustomStringConvertible { let description = "the door is shut, \"really\", says <b>it</b>" }

struct Wordy: Error, CustomStringConvertible {
    var description: String {
        usleep(20_000)
        return "said slowly"
    }
}

let oneStrategy = [StrategyChoice.pool(workers: 2)]

let marvel = Metric("marvels_seen", .count, "marvels seen", .higherIsBetter)
let kind = Axis("kind", "tells", "tells-nothing", "tells-nan", "tells-strangers", "throws", "hangs", "refuses")

Suite("Misbehaving", runsByDefault: false) {
    Benchmark("observes", "Observes, well or not.", axes: [kind], observing: [marvel]) { parameters in
        let kind = parameters[kind]
        if kind == "refuses" { throw Refused() }
        return Observing { observer in
            switch kind {
            case "tells":
                observer.tell(marvel, 7)
                let task = observer.tasks.submit()
                observer.tasks.begin(task)
                observer.tasks.end(task)
            case "tells-nan": observer.tell(marvel, .nan)
            case "tells-strangers": observer.tell(Metric("strangers", .count, ""), 1)
            case "throws": throw Refused()
            case "hangs": while true { pause() }
            default: break
            }
        }
    }
    .answering(Experiment("Who sees marvels?", comparing: kind, by: marvel))
    Benchmark(
        "arrives", "Does nothing, at a rate.", strategies: oneStrategy, tasks: 200, quickTasks: 200,
        load: .open(perSecond: 2_000)
    ) { _ in }
    Benchmark("behaves", "Does nothing.", strategies: [.pool(workers: 2), .serialQueue], tasks: 100) { _ in }
    Benchmark(
        "aborts", "Calls abort() in its 50th task.", strategies: oneStrategy, tasks: 100, quickTasks: 100,
        warmupTasks: 1
    ) {
        task in
        if task.id.number == 50 {
            print("about to abort")
            fflush(nil)
            abort()
        }
    }
    Benchmark(
        "hangs", "Its 50th task never returns.", strategies: oneStrategy, tasks: 100, quickTasks: 100, warmupTasks: 1
    ) {
        task in
        while task.id.number == 50 { pause() }
    }
    Benchmark("hangs-early", "Its preparation never returns.", strategies: oneStrategy, axes: [], tasks: 100) { _ in
        while true { pause() }
    }
    Benchmark("exits", "Leaves with code 3.", strategies: oneStrategy, tasks: 100, quickTasks: 100, warmupTasks: 1) {
        task in
        if task.id.number == 50 { exit(3) }
    }
    Benchmark(
        "garbage", "Prints what looks like the protocol, and bytes that are no text.", strategies: oneStrategy,
        tasks: 100
    ) {
        _ in
        print("{\"finished\":{\"tasksMeant\":1,\"allEnded\":true}}")
        let bytes: [UInt8] = [0, 255, 254, 10, 27, 91, 50, 74]
        _ = write(1, bytes, bytes.count)
        _ = write(2, bytes, bytes.count)
    }
    Benchmark(
        "forges", "Writes garbage into the protocol itself.", strategies: oneStrategy, tasks: 100, quickTasks: 100,
        warmupTasks: 1
    ) {
        task in
        if task.id.number == 50 { _ = write(3, "what?\n", 6) }
    }
    Benchmark("refuses", "Preparing it fails.", strategies: oneStrategy, axes: [], tasks: 100) { _ in throw Refused() }
    Benchmark(
        "fails", "Every second task fails, every tenth is cancelled.", strategies: oneStrategy, tasks: 100,
        quickTasks: 100
    ) { task in
        if task.id.number % 10 == 0 { throw CancellationError() }
        if task.id.number % 2 == 0 { throw Refused() }
    }
    Benchmark(
        "ends-twice", "Ends on another thread, and every fourth task once more.", strategies: oneStrategy, axes: [],
        tasks: 100, quickTasks: 100, warmupTasks: 1
    ) { _ in
        Work(endingLater: { task, end in
            DispatchQueue.global().async {
                end()
                if task.id.number % 4 == 0 { end(.failed(reason: "this end comes too late")) }
            }
        })
    }
    Benchmark(
        "no-strategy", "Its strategy cannot be made.",
        strategies: [StrategyChoice("refused", note: "Never there.") { throw Refused() }], tasks: 100
    ) { _ in }
    Benchmark(
        "wordy", "Throws an error that is slow to put into words.", strategies: oneStrategy, tasks: 10, quickTasks: 10,
        warmupTasks: 1
    ) { _ in throw Wordy() }
    Benchmark(
        "late", "Its last task ends just after the time limit.", strategies: oneStrategy, axes: [], tasks: 100,
        quickTasks: 100, warmupTasks: 0
    ) { _ in
        let start = MonotonicClock()
        return Work { task in
            // A time limit of 2 s counts from the start of the process, a little before this clock.
            guard task.id.number == 99 else { return }
            while start.now().sinceOrigin < 2_000_000_000 { usleep(500) }
        }
    }
    Benchmark(
        "never-ends-in-flight", "Its tasks are never told to have ended, and hold their places.",
        strategies: oneStrategy,
        axes: [], tasks: 100, quickTasks: 100, warmupTasks: 0, load: .inFlight(4)
    ) { _ in Work(endingLater: { _, _ in }) }
    Benchmark(
        "never-ends", "Every tenth task is never told to have ended.", strategies: oneStrategy, axes: [], tasks: 100,
        quickTasks: 100, warmupTasks: 1
    ) { _ in
        Work(endingLater: { task, end in if task.id.number % 10 != 1 { end() } })
    }
    Benchmark(
        "slow", "Sleeps for a tenth of a second.", strategies: oneStrategy, tasks: 100, quickTasks: 100, warmupTasks: 1
    ) { _ in
        usleep(100_000)
    }
    for benchmark in sampledMisbehaviour() { benchmark }
}.main()
