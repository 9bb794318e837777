import CCounters
import Glibc
import Probes
import Results
import Synchronization
import TestSupport
import Testing

/// The sources that must behave alike: a script, PAPI, and the kernel.
enum ContractSource: String, CaseIterable, CustomTestStringConvertible {
    case script, papi, perf

    var source: any CounterSource {
        switch self {
        // What the work of these tests makes happen.
        case .script:
            FakeSource(steps: [
                "page-faults": 100, "minor-faults": 100, "context-switches": 20, "cpu-migrations": 6,
                "task-clock": 1_000_000,
            ])
        case .papi: PAPISource()
        case .perf: PerfSource()
        }
    }

    var testDescription: String { rawValue }

    /// Why a real source cannot be tested here; nil where it can.
    static let refusal: String? = {
        let events = try? CounterEvent.list(["page-faults"])
        return CounterPlan(events ?? []).unavailable.first.map { "\($0.reading)" }
    }()
}

private func usage() -> rusage {
    var usage = rusage()
    // RUSAGE_THREAD of sys/resource.h, which Glibc shows to GNU sources only.
    getrusage(__rusage_who_t(1), &usage)
    return usage
}

private func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
}

@Suite("Counters", .enabled(if: ContractSource.refusal == nil, "\(ContractSource.refusal ?? "")"))
struct CounterContractTests {
    /// Counts a piece of work several times on a thread of its own; what each time read.
    private func counts(
        _ source: any CounterSource, _ names: [String], rounds: Int = 5, _ work: @escaping @Sendable () -> Void
    ) async throws -> [[Double]] {
        try await onOwnThread {
            let set = try source.start(try CounterEvent.list(names))
            defer { set.end() }
            work()
            return try (0..<rounds).map { _ in
                let bracket = CounterBracket(set)
                bracket.open()
                work()
                bracket.close()
                return try bracket.totals.readings.map { reading in
                    guard case .measured(let value) = reading else { throw NotMeasured(reading: reading) }
                    return value
                }
            }
        }
    }

    private struct NotMeasured: Error { var reading: Reading }

    @Test("100 touched pages are 100 faults", arguments: ContractSource.allCases)
    func faults(_ kind: ContractSource) async throws {
        let counts = try await counts(kind.source, ["page-faults", "minor-faults"]) { ccounters_touch_pages(100) }
        // Now and then a page of the program itself comes in beside.
        #expect(counts.map { $0[0] }.min() == 100 && counts.map { $0[1] }.min() == 100, "\(counts)")
        #expect(counts.allSatisfy { $0[0] >= 100 && $0[0] < 120 }, "\(counts)")
    }

    @Test("20 sleeps are 20 context switches", arguments: ContractSource.allCases)
    func switches(_ kind: ContractSource) async throws {
        let counts = try await counts(kind.source, ["context-switches"]) { ccounters_sleep(20) }
        // A busy machine adds involuntary ones.
        #expect(counts.allSatisfy { $0[0] >= 20 }, "\(counts)")
        #expect(try #require(counts.map { $0[0] }.min()) <= 22, "\(counts)")
    }

    @Test("6 moves to the other processor are 6 migrations", arguments: ContractSource.allCases)
    func migrations(_ kind: ContractSource) async throws {
        guard try await onOwnThread({ ccounters_move(1) }) == 1 else { return }
        let counts = try await counts(kind.source, ["cpu-migrations"]) { ccounters_move(6) }
        // The scheduler may move it once more before the first and after the last.
        #expect(counts.allSatisfy { $0[0] >= 5 }, "\(counts)")
        #expect(counts.contains { $0[0] == 6 }, "\(counts)")
    }

    @Test(
        "counts lie between those that getrusage tells just inside and just outside",
        arguments: [ContractSource.papi, .perf])
    func resourceUsage(_ kind: ContractSource) async throws {
        try await onOwnThread {
            let set = try kind.source.start(try events("context-switches", "page-faults"))
            defer { set.end() }
            let bracket = CounterBracket(set)
            let outerBegin = usage()
            bracket.open()
            let innerBegin = usage()
            ccounters_touch_pages(300)
            ccounters_sleep(10)
            let innerEnd = usage()
            bracket.close()
            let outerEnd = usage()

            let values = bracket.totals.readings.compactMap(\.value)
            try #require(values.count == 2)
            func switches(_ begin: rusage, _ end: rusage) -> Double {
                Double(end.ru_nvcsw + end.ru_nivcsw - begin.ru_nvcsw - begin.ru_nivcsw)
            }
            func faults(_ begin: rusage, _ end: rusage) -> Double {
                Double(end.ru_minflt + end.ru_majflt - begin.ru_minflt - begin.ru_majflt)
            }
            #expect(values[0] >= switches(innerBegin, innerEnd) && values[0] <= switches(outerBegin, outerEnd))
            #expect(values[1] >= faults(innerBegin, innerEnd) && values[1] <= faults(outerBegin, outerEnd))
            #expect(values[0] >= 10 && values[1] >= 300)
        }
    }

    @Test("the task clock goes as the thread's processor time does", arguments: [ContractSource.papi, .perf])
    func taskClock(_ kind: ContractSource) async throws {
        // Time that the host took away is in the one and not in the other, and switches are in the other and not in the
        // one: the round that both agree on best was free of them.
        let differences = try await onOwnThread { () -> [Double] in
            let set = try kind.source.start(try events("task-clock"))
            defer { set.end() }
            return try (0..<20).map { _ in
                let bracket = CounterBracket(set)
                let begin = threadTime()
                bracket.open()
                ccounters_spin(5_000_000)
                bracket.close()
                let time = threadTime() - begin
                return abs(try #require(bracket.totals.readings[0].value) / time - 1)
            }
        }
        #expect(try #require(differences.min()) < 0.02, "\(differences)")
    }

    @Test(
        "each proves what it counts, and its proof does not change what is counted", arguments: ContractSource.allCases)
    func proof(_ kind: ContractSource) async throws {
        guard kind != .script else { return }
        let all = try events("page-faults", "context-switches", "cpu-migrations", "task-clock")
        let (outcomes, fits) = try await onOwnThread {
            let proof = CounterProof(kind.source, .current())
            return (all.map { proof.outcome(of: $0) }, proof.fit(all))
        }
        #expect(outcomes == all.map { .counts($0) })
        #expect(fits)
    }

    @Test("another thread may not read a thread's counters", arguments: ContractSource.allCases)
    func wrongThread(_ kind: ContractSource) async throws {
        final class Shared: @unchecked Sendable {
            let set: any CounterSet
            init(_ set: any CounterSet) { self.set = set }
        }
        let (fault, reading, own, ended) = try await onOwnThread {
            let shared = Shared(try kind.source.start(try events("page-faults")))
            let words = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 16)
            defer { words.deallocate() }
            let (gate, bracket) = (Gate(), CounterBracket(shared.set))
            bracket.open()
            final class Answer: @unchecked Sendable {
                var fault: CounterFault?
                var bracket: CounterBracket?
            }
            let answer = Answer()
            answer.bracket = bracket
            startThread {
                let words = UnsafeMutableBufferPointer<UInt64>.allocate(capacity: 16)
                defer { words.deallocate() }
                answer.fault = shared.set.read(into: words)
                answer.bracket?.close()
                // Its end is for its own thread too, or does at least no harm.
                gate.open()
            }
            gate.pass()
            let own = shared.set.read(into: words)
            shared.set.end()
            return (answer.fault, bracket.totals.readings[0], own, shared.set.read(into: words))
        }
        #expect(fault == .wrongThread)
        #expect(reading.status == .unsupported)
        #expect(own == nil)
        #expect(ended == .ended)
    }

    @Test("threads count for themselves at the same time, round after round", arguments: ContractSource.allCases)
    func concurrent(_ kind: ContractSource) async throws {
        final class Counts: Sendable { let all = Mutex([Double?](repeating: nil, count: 4)) }
        for _ in 0..<60 {
            let counts = Counts()
            let least = try await onOwnThread { () -> [Double?] in
                let (ready, done) = (Gate(), Gate())
                for thread in 0..<4 {
                    startThread {
                        // Each leaves its counters to its end, as a thread of a pool does that is not told of it.
                        if let set = try? kind.source.start(try events("page-faults")) {
                            let bracket = CounterBracket(set)
                            ready.pass()
                            bracket.open()
                            ccounters_touch_pages(thread + 1)
                            bracket.close()
                            let value = bracket.totals.readings[0].value
                            counts.all.withLock { $0[thread] = value }
                            if thread % 2 == 0 { set.end() }
                        }
                        done.open()
                    }
                }
                ready.open(times: 4)
                for _ in 0..<4 { done.pass() }
                return counts.all.withLock { $0 }
            }
            if kind == .script {
                #expect(least == [100, 100, 100, 100])
            } else {
                // Each its own pages, and few of the program beside: not the sum of all.
                for thread in 0..<4 {
                    let count = try #require(least[thread])
                    #expect(count >= Double(thread + 1) && count <= Double(thread + 1) + 12, "\(least)")
                }
            }
        }
    }

    @Test("software events count beside several kinds of cores, in a group that no core binds")
    func besideCores() async throws {
        let units = [CoreUnit(name: "cpu_core", type: 4), CoreUnit(name: "cpu_atom", type: 10)]
        let counts = try await counts(PerfSource(units: units), ["page-faults", "task-clock"]) {
            ccounters_touch_pages(100)
        }
        #expect(counts.map { $0[0] }.min() == 100, "\(counts)")
        #expect(counts.allSatisfy { $0[1] > 0 }, "\(counts)")
    }

    @Test("PAPI lets a thread run one set at a time, and says so; the kernel lets it run several")
    func second() async throws {
        let (cause, kernel) = try await onOwnThread { () -> (CounterRefusal.Cause?, Bool) in
            func cause(_ source: any CounterSource) throws -> CounterRefusal.Cause? {
                let first = try source.start(try events("page-faults"))
                defer { first.end() }
                do {
                    try source.start(try events("minor-faults")).end()
                    return nil
                } catch let refusal as CounterRefusal {
                    return refusal.cause
                }
            }
            // The second time shows that the first was given back.
            _ = try cause(PAPISource())
            return (try cause(PAPISource()), try cause(PerfSource()) == nil)
        }
        #expect(cause == .alreadyRunning)
        #expect(kernel)
    }
}
