import Glibc
import LocalServer
import TaskMeter

// What TaskMeter itself takes for large runs. Its limits are checked: a task that exceeds one fails, and says by how much.
// Not part of a run of all suites: `make bench-scale` runs it.

let alone = [StrategyChoice.residentThread]
let million = Axis("records", 1_000_000)
let twoMillion = Axis("records", 2_000_000)
let tenMillion = Axis("records", 10_000_000)
let hundredMillion = Axis("records", 100_000_000)

Suite("Scale", runsByDefault: false) {
    Benchmark(
        "empty", "Does nothing: what the other benchmarks here measure runs of.", tasks: 18_000, quickTasks: 18_000
    ) { _ in }

    Benchmark(
        "csv", "Writes the records of a log to tasks.csv, at 150 MB/s and more.", strategies: alone, axes: [tenMillion],
        tasks: 1, quickTasks: 1, warmupTasks: 0
    ) { parameters in
        let folder = parameters.scratchFolder
        try recordTasks(parameters[tenMillion], in: folder + "/tasks.log", threads: 1)
        return Work { task in
            task.moved(
                bytes: try writeTasks(of: folder + "/tasks.log", to: folder + "/tasks.csv", bytesPerSecond: 150e6))
            try checkOwnResidentMemory(below: 100_000_000)
        }
    }

    Benchmark(
        "record", "Records so many tasks on two threads into one log of 64 bytes each.", strategies: alone,
        axes: [hundredMillion], tasks: 1, quickTasks: 1, warmupTasks: 0
    ) { parameters in
        let folder = parameters.scratchFolder
        return Work { _ in
            try recordTasks(parameters[hundredMillion], in: folder + "/tasks.log", threads: 2)
            try checkOwnResidentMemory(below: 128_000_000)
        }
    }

    Benchmark(
        "run", "Runs benchmarks that record so many tasks, without a report, by a taskmeter of its own.",
        strategies: alone, axes: [twoMillion], tasks: 1, quickTasks: 1, warmupTasks: 0
    ) { parameters in
        let folder = parameters.scratchFolder
        return Work { _ in
            try runEmptyTasks(parameters[twoMillion], into: folder)
            try checkResidentMemory(ofChildren: "taskmeter run", below: 300_000_000)
        }
    }

    Benchmark(
        "report", "Makes the report of a run with so many tasks.", strategies: alone, axes: [million], tasks: 1,
        quickTasks: 1, warmupTasks: 0
    ) { parameters in
        let folder = parameters.scratchFolder
        try runEmptyTasks(parameters[million], into: folder)
        return Work { _ in
            try makeReport(of: folder + "/latest", withinSeconds: 60)
            try checkResidentMemory(ofChildren: "taskmeter report", below: 300_000_000)
        }
    }

    Benchmark(
        "requests", "Loads a server with so many requests and records each, by a taskmeter of its own.",
        strategies: alone, axes: [million], tasks: 1, quickTasks: 1, warmupTasks: 0
    ) { parameters in
        let folder = parameters.scratchFolder
        guard mkdir(folder + "/server", 0o755) == 0 else { throw ScaleError(description: "no folder for a server") }
        let server = try LocalServer(NginxSite(bodies: [1_024]), folder: folder + "/server")
        let url = try server.url(.body(1_024))
        return Work(
            task: { _ in
                try loadServer(
                    url, requests: parameters[million], perSecond: 20_000, into: folder + "/runs", below: 150e6)
                try checkResidentMemory(ofChildren: "taskmeter load", below: 300_000_000)
            }, tearDown: { server.stop() })
    }
}.main()
