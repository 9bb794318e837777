/// A reason to trust a result less than it looks, found in its data: a kind for programs and a sentence for people, which says
/// what was seen and what to do about it.
package struct Doubt: Hashable, Sendable, Codable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// Fewer trials than an interval or a judgement needs.
        case tooFewTrials
        /// Samples of a trial, or trials of a run, become slower or faster as time goes on.
        case drift
        /// Samples of a trial depend on the ones before: they are worth fewer than their number.
        case autocorrelation
        /// Values gather around more than one place.
        case severalModes
        /// What was measured is not much longer than the clock can tell apart.
        case clockResolution
        /// The warm-up ended at its limit and not because times had become steady.
        case unsteadyWarmUp
        /// What the instrument adds is more than 1 % of what was measured.
        case instrumentCost
        /// The one who submits the tasks of an open loop was late.
        case lateGenerator
        /// Tasks failed, and took what failing takes.
        case failedTasks
        /// Phases of tasks are marked in an order in which time does not run.
        case phasesOutOfOrder
        /// The host took processor time away (steal).
        case stolenTime
        /// Other work ran beside it: load, or involuntary context switches.
        case busyMachine
        /// The processor was slowed down, by heat or by a quota.
        case throttling
        /// The measuring thread was moved from one processor to another, often.
        case migrations
        /// Energy was measured for so short a time that its counter's steps show, or on a machine that others share.
        case energy
        /// The clock went wrong: it drifted, ran backwards, or the machine was suspended.
        case clock
    }

    package var kind: Kind
    package var sentence: String

    package init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }
}
