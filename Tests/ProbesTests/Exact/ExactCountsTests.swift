import Probes
import Results
import Testing

@Suite("Exact counts")
struct ExactCountsTests {
    private func counts(
        _ instructions: Int, branches: Int? = 7, calls: [ExactFunction: Int] = [.malloc: 3],
        doubt: ExactCounts.Doubt? = nil, switches: Int = 0
    ) -> ExactCounts {
        let tally = ExactCounts.Tally(instructions: instructions, branches: branches, calls: calls)
        var process = tally
        process.instructions *= 2
        return ExactCounts(thread: tally, process: process, doubt: doubt, switches: switches)
    }

    @Test("subtract event by event")
    func difference() {
        let difference = counts(1_000, branches: 90, calls: [.malloc: 5, .free: 4]) - counts(400)
        #expect(difference.thread.instructions == 600)
        #expect(difference.process.instructions == 1_200)
        #expect(difference.thread.branches == 83)
        #expect(difference.thread.calls == [.malloc: 2], "what one of them does not have, the difference has not")
        #expect((counts(1, branches: nil) - counts(1)).thread.branches == nil)
        #expect((counts(5) - counts(9)).thread.instructions == -4)
    }

    @Test("keep the doubt that spoils more, and add up switches of threads")
    func doubts() {
        let one = counts(10, doubt: .otherThreadsRan, switches: 2)
        let two = counts(10, doubt: .threadsRanAtOnce, switches: 3)
        #expect((one - two).doubt == .threadsRanAtOnce)
        #expect((two - one).doubt == .threadsRanAtOnce)
        #expect((one - counts(10)).doubt == .otherThreadsRan)
        #expect((counts(10) - counts(10)).doubt == nil)
        #expect((one - two).switches == 5)
    }

    @Test("are readings with a number, or with the reason why there is none")
    func readings() {
        #expect(counts(10).reading(.instructions, of: .thread) == .measured(10))
        #expect(counts(10).reading(.instructions, of: .process) == .measured(20))
        #expect(counts(10).reading(.branches, of: .thread) == .measured(7))
        #expect(counts(10).reading(.calls(.malloc), of: .thread) == .measured(3))
        #expect(counts(10).reading(.calls(.swiftRetain), of: .thread).status == .unsupported)
        #expect(counts(10, branches: nil).reading(.branches, of: .process).status == .unsupported)
        let others = counts(10, doubt: .otherThreadsRan)
        #expect(others.reading(.instructions, of: .thread).status == .notCounted)
        #expect(others.reading(.instructions, of: .process) == .measured(20))
        for doubt in [ExactCounts.Doubt.threadsRanAtOnce, .tooMuchCode] {
            #expect(counts(10, doubt: doubt).reading(.instructions, of: .process) == .notCounted(reason: doubt.reason))
        }
    }
}
