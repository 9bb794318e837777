import CCounters
import Glibc
import Probes
import Results
import TestSupport
import Testing

@Suite struct TaskCountersTests {
    private let script = FakeSource(steps: ["instructions": 7])

    /// Runs each piece on a thread of its own, one after the other, and waits until the threads have ended.
    private func onThreads(_ pieces: [@Sendable () -> Void]) async throws {
        for piece in pieces {
            let gate = Gate()
            let end = ThreadEnd { gate.open() }
            try await onOwnThread {
                startThread {
                    end.watch()
                    piece()
                }
                gate.pass()
            }
        }
    }

    @Test("tasks that begin and end on one thread are summed, over threads that live and threads that have ended")
    func sums() async throws {
        let counters = TaskCounters(script, try events("instructions"))
        try await onThreads(
            (0..<3).map { _ in
                {
                    for _ in 0..<5 { counters.end(counters.begin()) }
                }
            })
        #expect(counters.totals.counted == 15)
        #expect(counters.totals.sums?.group["instructions"] == .measured(15 * 7))
        let living = try await onOwnThread {
            counters.end(counters.begin())
            return counters.totals.sums?.group["instructions"]
        }
        #expect(living == .measured(16 * 7))
        // The script grows by 7 at each reading: all of it is the brackets' own, and no task's.
        #expect(counters.readings(.plain)["instructions"] == .measured(0))
    }

    @Test("a task that ends on another thread has no count, and neither has the sum")
    func elsewhere() async throws {
        let counters = TaskCounters(script, try events("instructions"))
        let mark = try await onOwnThread {
            counters.end(counters.begin())
            return counters.begin()
        }
        try await onThreads([{ counters.end(mark) }])
        #expect(counters.totals.endedElsewhere == 1 && counters.totals.counted == 1)
        let reading = try #require(counters.readings(.plain)["instructions"])
        #expect(reading.status == .unsupported && reading.reason?.hasPrefix("1 of 2 tasks ended on another") == true)
    }

    @Test("tasks that share a thread at the same time are not told apart")
    func overlapping() async throws {
        for endsInOrder in [true, false] {
            let counters = TaskCounters(script, try events("instructions"))
            try await onThreads([
                {
                    let first = counters.begin()
                    let second = counters.begin()
                    counters.end(endsInOrder ? first : second)
                    counters.end(endsInOrder ? second : first)
                    counters.end(counters.begin())
                }
            ])
            #expect(counters.totals.overlapped == 2 && counters.totals.counted == 1)
            #expect(counters.readings(.plain)["instructions"]?.status == .unsupported)
        }
    }

    @Test("threads whose counters are refused make the reason, not a crash and not a zero")
    func refused() async throws {
        var script = script
        script.refusal = { _ in .system(EMFILE) }
        let counters = TaskCounters(script, try events("instructions"))
        try await onThreads([{ counters.end(counters.begin()) }])
        #expect(counters.totals.refused == 1)
        #expect(counters.readings(.plain)["instructions"]?.status == .denied)
    }

    @Test("no task is no number")
    func none() throws {
        let counters = TaskCounters(script, try events("instructions"))
        #expect(counters.readings(.plain)["instructions"]?.status == .notCounted)
    }

    @Test(
        "pages that tasks touch on several threads are their faults",
        .enabled(if: ContractSource.refusal == nil, "\(ContractSource.refusal ?? "")"),
        arguments: [ContractSource.papi, .perf])
    func real(_ kind: ContractSource) async throws {
        let counters = TaskCounters(kind.source, try events("page-faults"))
        try await onThreads(
            (0..<4).map { _ in
                {
                    ccounters_touch_pages(10)
                    for _ in 0..<10 {
                        let mark = counters.begin()
                        ccounters_touch_pages(100)
                        counters.end(mark)
                        ccounters_touch_pages(1_000)
                    }
                }
            })
        let count = try #require(counters.readings(.current())["page-faults"]?.value)
        #expect(counters.totals.counted == 40)
        #expect(count >= 4_000 && count < 4_000 + 40 * 5, "\(count)")
    }
}

@Suite struct CounterBracketTests {
    @Test("batches are summed, what lies between them is not, and a warm-up is forgotten")
    func batches() throws {
        let bracket = CounterBracket(try FakeSource(steps: ["instructions": 7]).start(try events("instructions")))
        bracket.open()
        bracket.close()
        bracket.forget()
        for _ in 0..<3 {
            bracket.open()
            bracket.close()
            bracket.close()
        }
        #expect(bracket.totals.closings == 3)
        #expect(bracket.totals.readings == [.measured(21)])
    }

    @Test("what a bracket around nothing counts is told, and never as a number that was not measured")
    func nothing() throws {
        let all = try events("instructions")
        #expect(CounterBracket.leastOfNothing(try FakeSource(steps: ["instructions": 7]).start(all)) == [7])
        let late = FakeSource(steps: ["instructions": 7], time: (10, 5))
        #expect(CounterBracket.leastOfNothing(try late.start(all)) == [nil])
    }
}
