import FoundationEssentials
import Glibc
import Probes
import Results
import Testing

/// What an emulated machine whose processor counts said of known work: `make test-hardware` names it.
private let consoleOfCounters = getenv("TASKMETER_REAL_COUNTERS").map { String(cString: $0) }

/// Readings of a processor that counts exactly (QEMU's cortex-a57, an instruction a nanosecond), made by the product's own C shim
/// and put through the product's own scaling. Tests/Hardware/Counters/init.c did the work.
@Suite(
    "Counters of an emulated processor",
    .enabled(if: consoleOfCounters != nil, "TASKMETER_REAL_COUNTERS names no console: make test-hardware makes it"))
struct RealCounterTests {
    private var parts: [String: [CountedPart]] = [:]
    private var facts: [String: [Int]] = [:]
    private var refusals: [String: Int] = [:]
    private var papi: [[String]] = []
    private var ends = 0

    /// What reading a counter twice adds: the first call's way out of the kernel and the second one's way in, 45 instructions,
    /// and a few to call what lies between.
    private static let reading = 64

    init() throws {
        let text = try String(contentsOfFile: consoleOfCounters ?? "", encoding: .utf8)
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(separator: " ").map(String.init)
            switch (words.first ?? "", words.count) {
            case ("reading", 5):
                let numbers = words[2...].compactMap { UInt64($0) }
                try #require(numbers.count == 3, "\(line)")
                let part = CountedPart(
                    count: numbers[0], time: CountedTime(enabled: numbers[1], running: numbers[2]))
                parts[words[1], default: []].append(part)
            case ("fact", 3): facts[words[1], default: []].append(try #require(Int(words[2])))
            case ("refused", 3): refusals[words[1]] = Int(words[2])
            case ("papi", _): papi.append(Array(words.dropFirst()))
            case ("end", 1): ends += 1
            default: break
            }
        }
        // A machine with one processor, and one with two.
        try #require(ends == 2, "a machine did not come to its end: \(text.suffix(500))")
    }

    /// What the product tells of the readings of a name.
    private func readings(_ name: String) throws -> [Reading] {
        try #require(parts[name], "nothing was read of \(name)").map { scaledReading(of: [$0]) }
    }

    private func counts(_ name: String) throws -> [Int] {
        try readings(name).map { reading in
            guard case .measured(let value) = reading else { throw Unmeasured(name: name, reading: reading) }
            return Int(value)
        }
    }

    private struct Unmeasured: Error {
        var name: String
        var reading: Reading
    }

    private func papi(_ when: String, _ name: String) -> [String] {
        papi.filter { $0.count > 2 && $0[0] == when && $0[1] == name }.map { $0[2...].joined(separator: " ") }
    }

    @Test("a loop of a million instructions counts the same each time, as arithmetic says, but for the reading itself")
    func exact() throws {
        #expect(facts["try-instructions"] == [0])
        let nothing = try #require(counts("nothing").max())
        #expect(nothing < Self.reading)
        for (name, steps, times) in [("spin-1", 1, 3), ("spin-500000", 500_000, 20), ("spin-1000000", 1_000_000, 3)] {
            let counts = try counts(name)
            #expect(counts.count == times && Set(counts).count == 1, "\(name): \(counts)")
            // Two instructions a step.
            #expect(counts.allSatisfy { $0 - 2 * steps >= 0 && $0 - 2 * steps < Self.reading }, "\(name): \(counts)")
        }
        let (one, many) = (try counts("spin-1")[0], try counts("spin-1000000")[0])
        #expect(many - one == 2 * 999_999)
        // As fast as it counts: an instruction a cycle.
        #expect(try counts("cycles") == counts("instructions"))
        // Of xorshift's numbers half are odd: six instructions of the generator's and one more or none.
        #expect(Set(try counts("guess-100000")).count == 1)
        // The kernel's own reading is added where it is asked for.
        let both = try #require(counts("spin-500000-with-kernel").first)
        #expect(both > 1_000_000 + nothing && both < 1_010_000)
        print(
            "figure: a loop of 1,000,000 instructions, 20 times: \(Set(try counts("spin-500000")).sorted()), "
                + "the reading itself \(nothing)")
    }

    @Test("events that the processor does not have are ENOENT, and seven fit into a group that counts")
    func groups() throws {
        for name in ["branches", "branch-misses", "cache-references", "cache-misses", "bus-cycles"] {
            #expect(refusals[name] == Int(ENOENT), "\(name)")
        }
        for size in 2...7 {
            let counts = try counts("group-of-\(size)")
            // Members are of one moment: all instructions alike.
            #expect(Set(counts).count == 1 && counts.allSatisfy { $0 - 1_000_000 < Self.reading && $0 >= 1_000_000 })
        }
        // It opens, is enabled and never has its turn: a tool that does not ask for times reads 0.
        let eight = try readings("group-of-8")
        #expect(!eight.isEmpty && eight.allSatisfy { $0.status == .notCounted }, "\(eight)")
        #expect(try #require(parts["group-of-8"]).allSatisfy { $0.count == 0 && ($0.time?.enabled ?? 0) > 1_000_000 })
        #expect(refusals["group-of-9"] == Int(EINVAL))
        print("figure: a group of eight: \(eight[0])")
    }

    @Test("ten counters that take turns are estimates of the hundred million instructions, to 2 %")
    func turns() throws {
        let readings = try readings("turns")
        #expect(readings.count == 10)
        for reading in readings {
            guard case .estimated(let value, let share) = reading else {
                Issue.record("\(reading)")
                continue
            }
            #expect(abs(value / 100_000_000 - 1) < 0.02 && share > 0.3 && share < 0.9, "\(reading)")
        }
        let values = readings.compactMap(\.value)
        let shares = readings.compactMap { $0.share.map { Int($0 * 100) } }
        print(
            "figure: ten counters in turns, 100,000,000 instructions: \(values.min() ?? 0) to \(values.max() ?? 0), "
                + "counted for \(shares.min() ?? 0) to \(shares.max() ?? 0) % of the time")
    }

    @Test("an inherited counter has threads that start after it, and processes if asked; another has its own thread")
    func inheritance() throws {
        /// Of 6,000,000 in three threads, and of 2,000,000 in one: starting and joining them is counted too.
        func expect(_ name: String, _ instructions: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let count = try #require(counts(name).first)
            let isRight = count >= instructions && count < instructions + 10_000
            #expect(isRight, "\(name): \(count)", sourceLocation: sourceLocation)
            print("figure: \(name): \(count), of which \(instructions) are known")
        }
        try expect("inherit-later-threads", 6_000_000)
        try expect("inherit-earlier-thread", 0)
        try expect("inherit-child", 2_000_000)
        try expect("inherit-threads-later-threads", 6_000_000)
        try expect("inherit-threads-earlier-thread", 0)
        try expect("inherit-threads-child", 0)
        try expect("alone-later-threads", 0)
        try expect("alone-child", 0)
        try expect("own-of-1", 1_000_000)
        try expect("own-of-2", 3_000_000)
    }

    @Test("the kernel's events are exact: 64 touched pages, 10 sleeps, 6 moves; without the kernel, switches read zero")
    func software() throws {
        #expect(try counts("faults-64") == [64, 64, 64])
        #expect(try counts("switches-10") == [10, 10, 10])
        #expect(try counts("switches-user-only") == [0])
        #expect(facts["moved"] == [6, 6, 6])
        #expect(try counts("migrations-6") == [6, 6, 6])
    }

    @Test("PAPI counts the same instructions where it may, and none at level 3 of paranoia, where perf still counts")
    func throughPAPI() throws {
        #expect(facts["paranoid"] == [3] && facts["paranoid-lowered"] == [2])
        #expect(papi("paranoid", "PAPI_TOT_INS") == ["refused -25"])
        #expect(facts["papi-allowed-exit"] == [0])
        let counts = papi("allowed", "PAPI_TOT_INS").compactMap { Int($0) }
        // PAPI's own code around the kernel's read is counted too: some hundred instructions.
        #expect(counts.count == 10 && Set(counts).count == 1, "\(counts)")
        #expect(counts.allSatisfy { $0 > 1_000_000 && $0 < 1_000_500 }, "\(counts)")
        // A preset that opens, starts and stays at 0: listed is not counted.
        #expect(papi("allowed", "PAPI_L1_DCA") == ["0"])
        print("figure: PAPI_TOT_INS of 1,000,000 instructions, 10 times: \(Set(counts).sorted())")
    }
}
