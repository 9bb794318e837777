import Apparatus
import Ownership
import Testing

@Suite("Who holds whom")
struct OwnerTests {
    @Test("an owner of a closure goes, unless the closure holds it", arguments: hold.values)
    func release(kind: String) {
        weak var left: Owner?
        var calls = 0
        do {
            let owner = Owner(kind)
            owner.call()
            calls = owner.calls
            left = owner
        }
        #expect(calls == 1)
        #expect((left != nil) == leaks(kind))
    }

    @Test("each observer is told of each change", arguments: [0, 1, 100])
    func observed(count: Int) throws {
        let models: [any ObservedModel] = [
            DelegatingModel(observers: count), ListeningModel(observers: count), TrackedModel(observers: count),
            PostingModel(observers: count),
        ]
        for model in models {
            let change = Change(model: model, observers: count)
            for _ in 0..<3 { try change.make() }
            #expect(model.tally.seen == 3 * count)
            // 1 + 2 + 3 of those who see the new value, 0 + 1 + 2 of those who see the old one.
            #expect(model.tally.sum == (model is TrackedModel ? 3 : 6) * count)
        }
    }

    @Test("a change that an observer missed is found")
    func missed() {
        let change = Change(model: ListeningModel(observers: 1), observers: 2)
        #expect(throws: WrongResult.self) { try change.make() }
    }

    @Test("temporaries of any batch add up, kept or not, and ones that do not are refused")
    func temporariesAddUp() throws {
        for areKept in [true, false] {
            for batch in [1, 2, 7] {
                try TemporaryPlan(batch: batch, batches: 3, areKept: areKept).run {
                    $0 % 2
                } checkedBy: {
                    $0
                }
            }
            #expect(throws: WrongResult.self) {
                try TemporaryPlan(batch: 2, batches: 1, areKept: areKept).run {
                    $0
                } checkedBy: { _ in
                    0
                }
            }
        }
    }
}
