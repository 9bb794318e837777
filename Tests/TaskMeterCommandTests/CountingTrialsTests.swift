import ChildProcesses
import Foundation
import Results
import TestSupport
import Testing

/// Real runs of the suite Compute whose trials count in place of timing.
@Suite("A run that counts")
struct CountingTrialsTests {
    /// The values of a metric by iteration or task, one a trial.
    private func values(_ rows: [SampleCSV.Row], _ benchmark: String, _ metric: String) -> [Double] {
        rows.filter { $0.benchmark.description == benchmark && $0.sample.metric == metric }
            .compactMap { row in row.sample.value.map { $0 / Double(row.sample.iterations) } }
    }

    @Test("counts allocations, and tells of no time")
    func allocations() throws {
        let folder = TemporaryFolder()
        let output = try Product.run(
            "run", "--suite", "Compute", "--filter", "lookup|sort-in-place", "--quick", "--trials", "0",
            "--allocations", "--output", folder.path, "--no-report")
        #expect(output.status == .exited(0), "\(output.errors)")
        let rows = try SampleCSV.read(folder.latest.samplesFile)
        #expect(values(rows, "Compute/lookup", "allocations") == [0, 0])
        // The set-up makes an array that the body sorts in place; what sorting allocates was found by the emulator, too.
        let sorting = values(rows, "Compute/sort-in-place", "allocations")
        #expect(sorting.count == 2 && Set(sorting).count == 1)
        let foreign = Set(rows.map(\.sample.metric)).filter { $0.contains("time") || $0.contains("switches") }
        #expect(foreign.isEmpty)
        #expect(
            try TrialCSV.read(folder.latest.trialsFile).allSatisfy {
                $0.mode == .allocations && $0.status == .completed
            })
    }

    private static let hasEmulator = ChildProcess.executable(named: "qemu-" + machine) != nil
    private static var machine: String {
        var name = utsname()
        uname(&name)
        return withUnsafeBytes(of: &name.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    @Test(
        "counts instructions that repeat to the last one, of iterations and of the bodies of tasks on any thread",
        .enabled(if: hasEmulator, "there is no qemu-user"))
    func exact() throws {
        let folder = TemporaryFolder()
        let output = try Product.run(
            "run", "--suite", "Compute", "--filter", #"lookup|hash\[strategy=(pool-8|serial-queue)"#, "--quick",
            "--trials", "0", "--exact", "--output", folder.path, "--no-report")
        #expect(output.status == .exited(0), "\(output.errors)")
        let run = try folder.latest.readRun()
        #expect(run.emulator?.hasPrefix("qemu-") == true)
        let rows = try SampleCSV.read(folder.latest.samplesFile)
        let lookup = values(rows, "Compute/lookup", "emulated_instructions")
        #expect(lookup.count == 2 && Set(lookup).count == 1)
        // The same body under two strategies executes the same instructions; what the strategies add is told apart.
        let (pool, queue) = ("Compute/hash[strategy=pool-8]", "Compute/hash[strategy=serial-queue]")
        let bodies = values(rows, pool, "emulated_instructions") + values(rows, queue, "emulated_instructions")
        #expect(bodies.count == 4 && Set(bodies).count == 1)
        let whole = values(rows, pool, "process_emulated_instructions")
        #expect(whole.count == 2 && whole.allSatisfy { $0 > bodies[0] })
        let costs = try #require(run.summaries.first { $0.benchmark.description == pool }?.costs)
        #expect(costs.first { $0.metric == "emulated_instructions" }?.estimate?.median == bodies[0])
        #expect(costs.first { $0.metric == "emulated_instructions" }?.spread == 0)
    }

    @Test(
        "is refused before its first trial where what counts is missing, with the way out",
        .enabled(if: hasEmulator, "there is no qemu-user"),
        arguments: [
            ("--exact", "libTaskMeterInstructions.so"), ("--allocations", "libTaskMeterAllocations.so"),
        ])
    func missing(option: String, library: String) throws {
        // Programs without the libraries that are built beside them.
        let folder = TemporaryFolder()
        for name in ["taskmeter", "Compute"] {
            try FileManager.default.copyItem(atPath: Product.buildFolder + "/" + name, toPath: folder.path + "/" + name)
        }
        let output = try ChildProcess.run(
            folder.path + "/taskmeter",
            [
                "run", "--suite", folder.path + "/Compute", "--filter", "lookup", "--trials", "0", option, "--output",
                folder.path + "/runs",
            ])
        #expect(output.status == .exited(3))
        #expect(output.errors.contains(library) && output.errors.contains("swift build"), "\(output.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/runs"))
    }
}
