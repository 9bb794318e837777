import ChildProcesses
import FoundationEssentials
import Glibc
import Results
import TestSupport
import Testing

private let simulator = ChildProcess.executable(named: "valgrind")
private let emulator = ChildProcess.executable(named: "qemu-x86_64")

/// Trials under a simulator of caches and branch prediction, as a person asks for them.
@Suite("taskmeter run --caches", .enabled(if: simulator != nil, "there is no valgrind here"))
struct CachesTests {
    private static let metrics = [
        "simulated_instructions", "simulated_l1_data_misses", "simulated_l1_instruction_misses",
        "simulated_last_level_misses", "simulated_branch_misses",
    ]

    /// What a run of nothing but such trials says, by benchmark and metric.
    private func run(_ suite: String, _ options: String...) throws -> [String: [String: Reading]] {
        let folder = TemporaryFolder()
        let output = try ChildProcess.run(
            Product.taskmeter,
            ["run", "--suite", Product.buildFolder + "/" + suite, "--caches", "--trials", "0"] + options
                + ["--output", folder.path, "--no-report"], seconds: 300)
        try #require(output.status == .exited(0), "\(output.errors)")
        var readings: [String: [String: Reading]] = [:]
        for row in try SampleCSV.read(folder.latest.samplesFile) {
            #expect(row.sample.iterations <= 1, "what is told is of one iteration")
            readings[row.benchmark.description, default: [:]][row.sample.metric] = row.sample.reading
        }
        return readings
    }

    @Test(
        "counts as many instructions of a lookup as the emulator does, and misses that its size allows for",
        .enabled(if: emulator != nil, "there is no emulator here to compare with"))
    func agreesWithEmulator() throws {
        let readings = try run("Compute", "--filter", "^Compute/lookup$", "--exact")["Compute/lookup"] ?? [:]
        #expect(Set(Self.metrics).isSubset(of: readings.keys))
        let simulated = try #require(readings["simulated_instructions"]?.value)
        let emulated = try #require(readings["emulated_instructions"]?.value)
        #expect(abs(simulated / emulated - 1) < 0.001, "\(simulated) simulated, \(emulated) emulated")
        // A table of a thousand pairs of words and its keys take 40 KB and more, the cache has 32 KiB in lines of 64 bytes: some
        // lookups miss it, none misses more often than it touches lines, and all fits into the last level.
        let misses = try #require(readings["simulated_l1_data_misses"]?.value)
        #expect(misses > 10 && misses < 4_000, "\(misses)")
        #expect(try #require(readings["simulated_last_level_misses"]?.value) < 5)
    }

    @Test("says of what cannot be simulated why, and fails no trial for it")
    func unsupported() throws {
        let empty = try run("KnownTimes", "--filter", "empty")
        for benchmark in ["empty-async", "empty-on-main"] {
            let readings = empty["KnownTimes/" + benchmark] ?? [:]
            #expect(Set(readings.keys) == Set(Self.metrics))
            #expect(readings.values.allSatisfy { $0.status == .unsupported })
        }
        // An iteration that does nothing does as little as one of nothing: what is left lies around a batch, not in it.
        for benchmark in ["empty", "empty-prepared", "empty-window"] {
            let readings = empty["KnownTimes/" + benchmark] ?? [:]
            for metric in Self.metrics {
                let value = try #require(readings[metric]?.value, "\(benchmark): \(metric)")
                #expect(value >= 0 && value < 1, "\(benchmark): \(value) \(metric)")
            }
        }
        let tasks = try run("Compute", "--filter", "hash.strategy=serial-queue")
        #expect(tasks.count == 1)
        for (_, readings) in tasks {
            #expect(Set(readings.keys) == Set(Self.metrics))
            #expect(readings.values.allSatisfy { $0.reason?.contains("one thread at a time") == true })
        }
    }

    @Test("a simulator that does not run is told before the first trial")
    func broken() throws {
        let folder = TemporaryFolder()
        let tool = folder.path + "/valgrind"
        try "#!/bin/sh\necho 'valgrind: no such tool' >&2\nexit 1\n".write(
            toFile: tool, atomically: true, encoding: .utf8)
        chmod(tool, 0o755)
        let path = getenv("PATH").map { String(cString: $0) } ?? ""
        let output = try ChildProcess.run(
            Product.taskmeter,
            [
                "run", "--suite", Product.buildFolder + "/KnownTimes", "--caches", "--trials", "0", "--output",
                folder.path + "/runs",
            ], environment: ["PATH": folder.path + ":" + path], seconds: 60)
        #expect(output.status == .exited(3))
        #expect(output.errors.contains("--caches: a known program did not run under valgrind"), "\(output.errors)")
        #expect(output.errors.contains("no such tool"))
        #expect(access(folder.path + "/runs", F_OK) != 0, "nothing was begun")
    }
}
