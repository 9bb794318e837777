import ChildProcesses
import Probes
import TestSupport
import Testing

private let bodies = String(HelperProcess.path.dropLast("/Helper".count)) + "/ExactBodies"
private let simulator = try? Simulator.find()

@Suite("A simulator of caches")
struct SimulatorTests {
    @Test(
        "counts a known loop exactly, and the same each time",
        .enabled(if: simulator != nil, "there is no valgrind here"))
    func loop() throws {
        func run() throws -> [SimulatedCounts] {
            let folder = TemporaryFolder()
            let file = folder.path + "/100%counts"
            let copy = try Simulator.copy(of: bodies, in: folder.path)
            let command = try #require(simulator).command(for: copy, ["simulated", "1000", "21000"], countsTo: file)
            let output = try ChildProcess.run(command.program, command.arguments, seconds: 120)
            try #require(output.status == .exited(0), "\(output.errors)\(output.text)")
            return Simulator.counts(in: file)
        }
        let counts = try run()
        try #require(counts.map(\.name) == ["loop", "loop", "chain", "chain"])
        let loop = counts[1] - counts[0]
        #expect(loop.reading(.instructions) == .measured(5 * 20_000))
        #expect(loop.reading(.conditionalBranches) == .measured(20_000))
        #expect(loop.reading(.dataReads) == .measured(0))
        // A chain of 21,000 objects of 32 bytes each does not fit into 32 KiB: each is fetched from beyond, twice.
        let misses = counts[3].reading(.firstLevelReadMisses).value ?? 0
        #expect(misses > 10_000)
        #expect(try run() == counts)
    }

    @Test("reads callgrind's files, whose last zeros are left out")
    func file() throws {
        let text = """
            # callgrind format
            version: 1
            desc: Trigger: Client Request: body
            positions: line
            events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim
            summary: 5014 2 6 1 0 0 1 0 0 1000 10
            """
        let counts = try #require(SimulatedCounts(file: text))
        #expect(counts.name == "body")
        #expect(counts.reading(.instructions) == .measured(5_014))
        #expect(counts.reading(.mispredictedConditionalBranches) == .measured(10))
        #expect(counts.reading(.indirectBranches) == .measured(0))
        let ending = "desc: Trigger: Program termination\nevents: Ir\nsummary: 5\n"
        #expect(SimulatedCounts(file: ending) == nil, "no mark asked for it")
        let few = try #require(SimulatedCounts(file: "desc: Trigger: Client Request: b\nevents: Ir\nsummary: 5\n"))
        #expect(few.reading(.dataReads).status == .unsupported)
    }

    @Test(
        "an iteration did what its batch did more than an empty one, in the median of repeats, and never less than nothing"
    )
    func arithmetic() throws {
        func counts(_ events: [SimulatedCounts.Event: Int]) -> SimulatedCounts {
            let none = SimulatedCounts(none: "batch")
            return none + SimulatedCounts(name: "batch", counts: none.counts.merging(events) { $1 })
        }
        let repeats = [(1_050, 30, 7), (1_050, 30, 2), (99_050, 90, 3)].map { instructions, reads, writes in
            SimulatedMetrics.Repeat(
                iterations: 10,
                work: counts([
                    .instructions: instructions, .firstLevelReadMisses: reads, .firstLevelWriteMisses: writes,
                    .mispredictedConditionalBranches: 1,
                ]), empty: counts([.instructions: 50, .firstLevelReadMisses: 1, .mispredictedIndirectBranches: 4]))
        }
        let readings = Dictionary(
            uniqueKeysWithValues: SimulatedMetrics.readings(of: repeats).map { ($0.0.name, $0.1) })
        #expect(readings["simulated_instructions"] == .measured(100))
        // 36, 31 and 92 by 10.
        #expect(readings["simulated_l1_data_misses"] == .measured(3.6))
        #expect(readings["simulated_branch_misses"] == .measured(0), "1 less 4 is none")
        #expect(readings["simulated_last_level_misses"] == .measured(0))

        let old = SimulatedCounts(name: "batch", counts: [.instructions: 70])
        let few = SimulatedMetrics.readings(of: [.init(iterations: 7, work: old, empty: old)])
        #expect(few[0].1 == .measured(0) && few[1].1.status == .unsupported)
        #expect(SimulatedMetrics.readings(of: []).allSatisfy { $0.1.status == .notCounted })
    }

    @Test("a program that is not simulated says so, and what is missing is named")
    func absent() throws {
        let native = try #require(throws: ExactRefusal.self) { try SimulatorMarker() }
        #expect(native.reason.contains("valgrind"))
        let noProgram = try #require(throws: ExactRefusal.self) {
            try Simulator.copy(of: "/etc/passwd", in: "/nonexistent")
        }
        #expect(noProgram.reason.contains("/etc/passwd could not be copied"))
        let missing = try #require(throws: ExactRefusal.self) { try Simulator.find { _ in nil } }
        #expect(missing.reason.contains("install the package valgrind"))
    }
}
