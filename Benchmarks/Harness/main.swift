import Clocks
import Recording
import Statistics
import TaskMeter

// The instrument, measured with itself: what it adds to what it measures, and what the designs cost that it took the place
// of. Not part of a run of all suites: `make bench-harness` runs it, and checks the figures that TaskMeter promises.

let source = Axis("source", "run", "kernel")
let threads = Axis("threads", 1, 2)
let keys = Axis("keys", 1, 3_000)
let length = Axis("ns", 1_000, 100_000)
let way = Axis("way", HandOverWay.allCases.map(\.rawValue))
let jobs = Axis("jobs", 1, 1_000)
let reader = Axis("by", CounterReader.papiItself.rawValue, CounterReader.papi.rawValue, CounterReader.perf.rawValue)

Suite("Harness", runsByDefault: false) {
    Benchmark("empty", "Does nothing.") {}

    Benchmark("clock-pair", "Reads the clock twice.", axes: [source, threads]) { parameters in
        let clock = parameters[source] == "run" ? parameters.clock : MonotonicClock()
        let company = Company(parameters[threads] - 1) {
            blackHole(clock.now())
            blackHole(clock.now())
        }
        return Iteration {
            blackHole(clock.now())
            blackHole(clock.now())
        }.afterTrial { company.leave() }
    }

    Benchmark("begin-end", "Records the begin and the end of a task.", axes: [threads]) { parameters in
        let recorder = try recorder(parameters)
        let company = Company(parameters[threads] - 1) {
            let task = recorder.submit()
            recorder.begin(task)
            recorder.end(task)
        }
        return Iteration(setUp: { recorder.submit() }) { task in
            recorder.begin(task)
            recorder.end(task)
        }.afterTrial { company.leave() }
    }

    Benchmark(
        "hand-over", "Hands jobs to another thread, and waits until all have run.", axes: [way, jobs],
        sampling: .batches(duration: .milliseconds(150))
    ) { parameters in
        guard let way = HandOverWay(rawValue: parameters[way]) else { throw HandOverRefused() }
        return try handingOver(way, jobs: parameters[jobs])
    }

    Benchmark("submit", "Gives out the ID of a task and records its submission.") { parameters in
        let recorder = try recorder(parameters)
        return Iteration { blackHole(recorder.submit()) }
    }

    Benchmark("mark", "Records a phase of a task.") { parameters in
        let recorder = try recorder(parameters)
        let (task, phase) = (recorder.submit(), Phase("marked"))
        recorder.begin(task)
        return Iteration { recorder.mark(task, phase) }
    }

    Benchmark("sample", "Takes a sample with the clock alone: two reads, and a store into the mapped log.") {
        parameters in
        let clock = parameters.clock
        let log = try SampleLog(
            path: parameters.scratchFolder + "/own.samples", benchmark: "Harness/sample", trial: 0, clock: clock)
        return Iteration {
            let begin = clock.now()
            log.append(.empty, begin: begin, elapsed: clock.now() - begin, iterations: 1)
        }
    }

    Benchmark("histogram", "Records a value of some microseconds in a histogram of three digits.") { _ in
        let histogram = HistogramBox()
        return Iteration { histogram.record(identity(12_345)) }
    }

    Benchmark("system-costs", "Reads what the kernel counts for a thread, before a batch and after it.") { _ in
        let costs = ReadSystemCosts()
        return Iteration { costs.iterate() }
    }

    if canCount() {
        Benchmark("counters", "Reads three running counters of the kernel at once.", axes: [reader]) { parameters in
            let counters = try ReadCounters(CounterReader(rawValue: parameters[reader])!)
            return Iteration { try counters.iterate() }
        }
    }

    // Known times: what the instrument reads of them is compared with far longer chains, timed in the same process.
    Benchmark("spin", "Spins for a time that is known.", axes: [length]) { parameters in
        let clock = parameters.clock
        let before = Chain.stepTime(clock)
        let steps = Int((Double(parameters[length]) / before).rounded())
        let chain = Chain()
        return Iteration { chain.spin(steps) }.afterTrial {
            // The machine may have become faster or slower meanwhile: the true time lies between.
            let times = [before, Chain.stepTime(clock)].map { $0 * Double(steps) }
            print("true \(parameters[length]) \(times.min()!) \(times.max()!)")
        }
    }

    Benchmark("qsort", "Sorts 1,000 integers by the C library's qsort, after copying them; 256 arrays in turns.") { _ in
        sortingByC()
    }

    // The designs that TaskMeter took the place of.
    Benchmark("naive-dictionary", "Records a begin and an end as Dates in a dictionary behind a lock.") { _ in
        let recorder = DictionaryRecorder()
        return Iteration(setUp: { recorder.nextID() }) { id in
            recorder.begin(id)
            recorder.end(id)
        }
    }

    Benchmark("naive-write", "Writes a line of 28 bytes to a file with write(2).") { parameters in
        let file = try LineFile(parameters.scratchFolder + "/lines")
        return Iteration { file.write() }
    }

    Benchmark(
        "naive-defaults", "Sets a key of UserDefaults and synchronises, beside so many other keys.", axes: [keys],
        sampling: .everyIteration(samples: 100, duration: .seconds(0.3))
    ) { parameters in try settingDefaults(parameters[keys]) }
}.main()

/// A recorder whose log is a file, as in every trial.
func recorder(_ parameters: Parameters) throws -> TaskRecorder {
    try TaskRecorder(
        path: parameters.scratchFolder + "/own.log", benchmark: "Harness/own", trial: 0, expectedTasks: 0,
        clock: parameters.clock)
}
