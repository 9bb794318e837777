import Observation

/// Swift's Observation. Two traps: `onChange` comes once, so that each observer tracks anew; and it comes before the change, so
/// that it, and whoever reads in it, still sees the old value. Whoever wants the new one has to read later, on another turn.
package final class TrackedModel: ObservedModel {
    @Observable
    final class Model {
        var value = 0
    }

    package let tally = ObserverTally()
    private let model = Model()

    package init(observers: Int) { for _ in 0..<observers { Tracker(model, tally).track() } }

    package func change(to value: Int) { model.value = value }

    /// Unchecked Sendable: `onChange` is called by whoever makes the change, which is one thread.
    private final class Tracker: @unchecked Sendable {
        private let model: Model
        private let tally: ObserverTally

        init(_ model: Model, _ tally: ObserverTally) {
            self.model = model
            self.tally = tally
        }

        func track() {
            withObservationTracking {
                _ = model.value
            } onChange: { [self] in
                tally.saw(model.value)
                track()
            }
        }
    }
}
