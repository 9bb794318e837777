import Apparatus
import Foundation
import TaskMeter

let notifying = Axis("by", "delegates", "closure-list", "observation", "notification-center")
let observers = Axis("observers", 0, 1, 100)

/// What a change of a property costs when so many want to know of it. Each change checks that each observer saw it, which
/// takes some 30 ns and is the same for all.
let observation = Benchmark(
    "observation", "Changes an integer property, and tells all that observe it.", axes: [notifying, observers],
    sampling: .batches(duration: .milliseconds(20))
) { parameters in
    let count = parameters[observers]
    let model: any ObservedModel =
        switch parameters[notifying] {
        case "delegates": DelegatingModel(observers: count)
        case "closure-list": ListeningModel(observers: count)
        case "observation": TrackedModel(observers: count)
        default: PostingModel(observers: count)
        }
    let change = Change(model: model, observers: count)
    return Iteration { try change.make() }
}
.answering(
    Experiment(
        "What does a change of a property cost with so many observers?", comparing: notifying, along: observers,
        by: .iterationTime)
)
.trials(atMost: 7)

/// A property that is observed.
package protocol ObservedModel: AnyObject {
    func change(to value: Int)
    var tally: ObserverTally { get }
}

/// What observers saw, all together.
package final class ObserverTally {
    package private(set) var seen = 0
    package private(set) var sum = 0

    func saw(_ value: Int) {
        seen &+= 1
        sum &+= value
    }
}

/// Changes, one after the other, each of which all observers must see.
///
/// Unchecked Sendable: iterations run one after the other on one thread, and observers are called by whoever makes the change.
package final class Change: @unchecked Sendable {
    private let model: any ObservedModel
    private let observers: Int
    private var value = 0
    private var expected = 0

    package init(model: any ObservedModel, observers: Int) {
        self.model = model
        self.observers = observers
    }

    package func make() throws {
        value &+= 1
        model.change(to: value)
        // Of a tracked property observers are told before it changes: they see the value before.
        expected &+= observers &* (model is TrackedModel ? value &- 1 : value)
        guard model.tally.seen == observers &* value, model.tally.sum == expected else {
            throw WrongResult("\(model.tally.seen) of \(observers * value) calls of observers came")
        }
    }
}

/// Observers as objects, held weakly, because they usually own what they observe. Each call makes a strong reference of a weak one.
package final class DelegatingModel: ObservedModel {
    private struct Weak {
        weak var observer: (any ValueObserver)?
    }

    package let tally = ObserverTally()
    private var held: [any ValueObserver]
    private var delegates: [Weak]
    private var value = 0 {
        didSet { for delegate in delegates { delegate.observer?.changed(to: value) } }
    }

    package init(observers: Int) {
        let tally = tally
        held = (0..<observers).map { _ in TallyingObserver(tally) }
        delegates = held.map { Weak(observer: $0) }
    }

    package func change(to value: Int) { self.value = value }
}

protocol ValueObserver: AnyObject {
    func changed(to value: Int)
}

private final class TallyingObserver: ValueObserver {
    private let tally: ObserverTally
    init(_ tally: ObserverTally) { self.tally = tally }
    func changed(to value: Int) { tally.saw(value) }
}

/// Closures in a list. Nobody leaves it by being released: who forgets to unsubscribe is called for ever, with all it captured.
package final class ListeningModel: ObservedModel {
    package let tally = ObserverTally()
    private var closures: [(Int) -> Void] = []
    private var value = 0 {
        didSet { for closure in closures { closure(value) } }
    }

    package init(observers: Int) {
        let tally = tally
        closures = (0..<observers).map { _ in { tally.saw($0) } }
    }

    package func change(to value: Int) { self.value = value }
}

/// A notification centre of its own. Each post makes a notification, with the value in a dictionary, and looks all observers up.
package final class PostingModel: ObservedModel {
    private static let changed = Notification.Name("value changed")

    package let tally = ObserverTally()
    private let center = NotificationCenter()
    private var tokens: [any NSObjectProtocol] = []
    private var value = 0 {
        didSet { center.post(name: Self.changed, object: self, userInfo: ["value": value]) }
    }

    package init(observers: Int) {
        let tally = SentTally(tally)
        tokens = (0..<observers).map { _ in
            center.addObserver(forName: Self.changed, object: self, queue: nil) { notification in
                if let value = notification.userInfo?["value"] as? Int { tally.tally.saw(value) }
            }
        }
    }

    deinit { for token in tokens { center.removeObserver(token) } }

    package func change(to value: Int) { self.value = value }

    /// Unchecked Sendable: a centre calls observers without a queue on the thread that posts, which is one.
    private struct SentTally: @unchecked Sendable {
        let tally: ObserverTally
        init(_ tally: ObserverTally) { self.tally = tally }
    }
}
