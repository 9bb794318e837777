import ChildProcesses
import Glibc
import Probes
import Results
import TestSupport
import Testing

/// The programs that lie beside the tests' own.
enum AllocationFixture {
    static func path(_ name: String) -> String { String(HelperProcess.path.dropLast("Helper".count)) + name }

    static let inSwift = path("KnownAllocations")
    static let inC = path("KnownAllocationsInC")
    static let library = path(AllocationLibrary.fileName)

    /// A build under a sanitizer has nothing to count: there the program is refused, which is tested by itself.
    static let isSanitized = AllocationLibrary.refusal(ofProgram: inSwift) != nil

    /// Runs one of them with the library preloaded; its lines.
    static func lines(
        _ program: String, _ arguments: String..., preload: String = library
    ) async throws -> [String] {
        let output = try await onOwnThread {
            try ChildProcess.run(program, arguments, environment: ["LD_PRELOAD": preload])
        }
        #expect(output.status == .exited(0), "\(output.text) \(output.errors)")
        #expect(output.errors.isEmpty)
        return output.text.split(separator: "\n").map(String.init)
    }

    /// The numbers behind the name that begins a line.
    static func numbers(_ line: String?, _ name: String) -> [Int] {
        guard let words = line?.split(separator: " "), words.first.map(String.init) == name else { return [] }
        return words.dropFirst().compactMap { Int($0) }
    }
}

/// What a body of `KnownAllocationsInC` does, counted by reading it.
struct KnownBody: CustomTestStringConvertible, Sendable {
    var name: String
    var mallocs = 0
    var callocs = 0
    var reallocations = 0
    var aligned = 0
    var frees = 0
    var failures = 0
    var requestedBytes = 0
    var testDescription: String { name }
    var counts: [Int] { [mallocs, callocs, reallocations, aligned, frees, failures, requestedBytes] }

    static let all = [
        KnownBody(name: "empty"),
        KnownBody(name: "mallocs-100", mallocs: 100, frees: 100, requestedBytes: 2400),
        KnownBody(name: "left-7", mallocs: 7, requestedBytes: 7000),
        KnownBody(name: "calloc-3", callocs: 3, frees: 3, requestedBytes: 210),
        KnownBody(name: "malloc-0", mallocs: 1, frees: 1),
        KnownBody(name: "free-null"),
        KnownBody(name: "realloc-null", mallocs: 1, frees: 1, requestedBytes: 40),
        // 16 bytes, and then from 32 to 1,048,576: a doubling each, of which the sum is 2^21 - 32.
        KnownBody(name: "realloc-grows", mallocs: 1, reallocations: 16, frees: 1, requestedBytes: 16 + (1 << 21) - 32),
        KnownBody(name: "realloc-shrinks", mallocs: 1, reallocations: 1, frees: 1, requestedBytes: 4040),
        KnownBody(name: "realloc-same", mallocs: 1, reallocations: 1, frees: 1, requestedBytes: 80),
        KnownBody(name: "strdup", mallocs: 1, frees: 1, requestedBytes: 18),
        KnownBody(name: "realloc-to-0", mallocs: 1, frees: 1, requestedBytes: 40),
        KnownBody(name: "reallocarray", mallocs: 1, reallocations: 1, frees: 1, requestedBytes: 100 + 10_000),
        KnownBody(name: "aligned-7", aligned: 7, frees: 7, requestedBytes: 100 + 8192 + 10 + 10 + 10 + 32 + 32),
        KnownBody(name: "refused", mallocs: 1, frees: 1, failures: 5, requestedBytes: 10),
        KnownBody(name: "empty"),
    ]
}

@Suite(.enabled(if: !AllocationFixture.isSanitized, "a sanitizer takes the place of malloc itself"))
struct AllocationProbeTests {
    private typealias Fixture = AllocationFixture

    @Test("each kind of call is counted as what it does, and an empty body as nothing")
    func bodies() async throws {
        let lines = try await Fixture.lines(Fixture.inC, "bodies")
        #expect(lines.count == KnownBody.all.count + 1)
        for (line, body) in zip(lines, KnownBody.all) {
            let numbers = Fixture.numbers(line, body.name)
            #expect(numbers.prefix(7).map { $0 } == body.counts, "\(body.name)")
            // What is not left behind is given back whole.
            if body.name != "left-7" { #expect(numbers.count == 9 && numbers[7] == numbers[8], "\(body.name)") }
        }
        let usable = Fixture.numbers(lines.last, "usable")
        #expect(usable.count == 2 && usable[0] == usable[1] && usable[0] >= 100)
    }

    @Test("threads at once are counted apart, and the process counts them after they have ended")
    func threads() async throws {
        let lines = try await Fixture.lines(Fixture.inC, "threads", "100000")
        #expect(lines.count == 5)
        for line in lines.prefix(4) {
            #expect(Array(Fixture.numbers(line, "thread").prefix(6)) == [100_000, 0, 100_000, 0, 100_000, 0])
        }
        // The threads' own, and what starting them took: their results, their descriptions, the buffer of printf.
        let process = Fixture.numbers(lines.last, "process")
        try #require(process.count == 9)
        #expect(process[2] == 400_000)
        #expect((400_004...400_020).contains(process[0]) && (400_004...400_020).contains(process[4]))
    }

    @Test("what a thread allocates in its last destructors is counted, a thousand times over")
    func threadEnds() async throws {
        let lines = try await Fixture.lines(Fixture.inC, "thread-ends", "1000")
        let numbers = Fixture.numbers(lines.first, "ended")
        #expect(Array(numbers.prefix(7)) == [2000, 0, 0, 0, 2000, 0, 150_000])
        #expect(numbers.suffix(2) == [0, 0])
    }

    @Test("a pool's work is counted for the process, whichever threads do it")
    func pool() async throws {
        let lines = try await Fixture.lines(Fixture.inC, "pool", "20000")
        #expect(Fixture.numbers(lines.first, "pool").prefix(7) == [20_000, 20_000, 0, 0, 40_000, 0, 8_000_000])
    }

    @Test("the peak is that of the bytes that were live at once, over all threads, since it was set back")
    func peak() async throws {
        let lines = try await Fixture.lines(Fixture.inC, "peak")
        for (line, name) in zip(lines, ["peak-1", "peak-3", "peak-threads"]) {
            let numbers = Fixture.numbers(line, name)
            #expect(numbers.count == 3 && numbers[0] == numbers[1] && numbers[0] >= 1_000_000, "\(line)")
            #expect(numbers.last == 0)
        }
        #expect(lines.count == 3)
    }

    @Test("a child that is forked while another thread allocates counts its own, and never hangs")
    func fork() async throws {
        #expect(try await Fixture.lines(Fixture.inC, "fork", "100") == ["children 100"])
    }

    @Test("where memory is refused, what was had is counted apart from what was not")
    func limit() async throws {
        let lines = try await Fixture.lines(Fixture.inC, "limit")
        let counts = Fixture.numbers(lines.first, "limit")
        let had = Fixture.numbers(lines.last, "had")
        try #require(had.count == 2)
        #expect(had[0] > 0 && had[1] > 0)
        #expect(Array(counts.prefix(7)) == [had[0], 0, 0, 0, 0, had[1], had[0] << 24])
    }

    @Test("nothing is counted while counting is off")
    func switchedOff() async throws {
        let lines = try await Fixture.lines(Fixture.inC, "switch")
        #expect(Fixture.numbers(lines.first, "switch").prefix(7) == [2, 0, 0, 0, 2, 0, 20])
    }

    @Test("in Swift a class instance is one allocation, an array is one, and an empty body none")
    func swiftBodies() async throws {
        #expect(
            try await Fixture.lines(Fixture.inSwift, "bodies") == [
                "empty: 0 had, 0 given back",
                "10 instances: 10 had, 10 given back",
                "5 arrays: 5 had, 5 given back",
                "a long array: 1 had, 1 given back",
                "a reserved array: 1 had, 1 given back",
                "raw memory: 1 had, 1 given back",
                "aligned memory: 1 had, 1 given back",
                "a short string: 0 had, 0 given back",
                "empty: 0 had, 0 given back",
            ])
    }

    @Test("work on threads, on Dispatch's pool and in tasks is counted on the thread that does it")
    func swiftThreads() async throws {
        #expect(try await Fixture.lines(Fixture.inSwift, "threads") == ["four threads: 4000"])
        #expect(try await Fixture.lines(Fixture.inSwift, "pool") == ["dispatch: 3200", "tasks: 3200"])
    }

    @Test("a process's readings tell what was had, given back, live at most, and left behind")
    func process() async throws {
        let lines = try await Fixture.lines(Fixture.inSwift, "process")
        // An array of n elements of size s is one block of 32 + n · s bytes at least; three of 1,000 bytes are left.
        let expected: [(String, ClosedRange<Double>)] = [
            ("process_allocations", 4...4), ("process_frees", 1...1), ("process_reallocations", 0...0),
            ("process_allocated_bytes", 1_003_000...1_003_500), ("peak_live_bytes", 1_000_000...1_010_000),
            ("leaked_blocks", 3...3), ("leaked_bytes", 3_000...3_500),
        ]
        #expect(lines.count == expected.count)
        for (line, (name, range)) in zip(lines, expected) {
            #expect(
                line.hasPrefix(name + ": ") && Double(line.dropFirst(name.count + 2)).map(range.contains) == true,
                "\(line)")
        }
    }

    @Test("two readings with nothing between them differ by nothing, and take less than a microsecond")
    func floor() async throws {
        let numbers = try await Fixture.lines(Fixture.inSwift, "floor").first.map {
            $0.split(separator: " ").compactMap { Int($0) }
        }
        #expect(numbers?.count == 4 && numbers?.prefix(2) == [0, 0])
        #expect(numbers?.suffix(2).allSatisfy { $0 < 1000 } == true, "\(numbers ?? [])")
    }

    @Test("without the library there is no probe, and the reason says so")
    func notPreloaded() async throws {
        let output = try await onOwnThread { try ChildProcess.run(Fixture.inSwift, ["bodies"]) }
        #expect(output.status == .exited(3))
        #expect(output.text == "not counted: libTaskMeterAllocations.so was not preloaded into this process\n")
        // The tests themselves are such a process.
        let error = #expect(throws: AllocationsNotCounted.self) { try AllocationProbe() }
        #expect(error?.reading.status == .notCounted)
        #expect(error?.readings(.process).count == 7 && error?.readings(.thread).count == 4)
        #expect(error?.readings(.process).allSatisfy { $0.reading == error?.reading } == true)
    }
}
