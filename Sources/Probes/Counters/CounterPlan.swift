import Results

/// What is counted by whom, and which trial counts what: made once, at the start of a process, on its first thread.
package struct CounterPlan: Sendable {
    package let choice: CounterChoice?
    /// Events that count together; a trial counts one group. Empty where nothing can be counted.
    package let groups: [[CounterEvent]]
    /// What was asked for and cannot be counted here, with why.
    package let unavailable: [Unavailable]

    package struct Unavailable: Hashable, Sendable {
        package var event: CounterEvent
        package var reading: Reading
    }

    package init(choice: CounterChoice?, groups: [[CounterEvent]], unavailable: [Unavailable]) {
        self.choice = choice
        self.groups = groups
        self.unavailable = unavailable
    }

    /// Nothing is asked for: opens nothing, and leaves PAPI alone.
    package static let none = CounterPlan(choice: nil, groups: [], unavailable: [])

    /// Proves events and groups them: some milliseconds for each, and three to make PAPI ready.
    package init(_ events: [CounterEvent], scope: CounterChoice.Facts.Scope = .thread) {
        guard !events.isEmpty else {
            self = .none
            return
        }
        let units = CoreUnit.ofHybrid()
        // PAPI is made ready only where it could be chosen.
        let asksPAPI = scope == .thread && units.isEmpty
        let facts = CounterChoice.Facts(
            papiRefusal: asksPAPI ? PAPILibrary.shared.refusal : nil, coreUnits: units, scope: scope)
        let choice = CounterChoice(for: events, facts)
        let surroundings = CounterSurroundings.current()
        let plan = CounterPlan(events, CounterProof(choice.source, surroundings), choice)
        // What PAPI refuses altogether the kernel may still give, and it says more of why it does not.
        guard choice.backend == .papi, plan.groups.isEmpty else {
            self = plan
            return
        }
        let other = CounterChoice(.perf, because: "PAPI can count none of these events here")
        let named = events.filter { $0.perf != nil }
        let second = CounterPlan(named, CounterProof(other.source, surroundings), other)
        self.init(
            choice: second.groups.isEmpty ? choice : other, groups: second.groups,
            unavailable: second.unavailable + plan.unavailable.filter { $0.event.perf == nil })
    }

    /// The same with a source that is given.
    package init(_ events: [CounterEvent], _ proof: CounterProof, _ choice: CounterChoice?) {
        var proved: [CounterEvent] = []
        var unavailable: [Unavailable] = []
        for event in events {
            switch proof.outcome(of: event) {
            case .counts(let event): proved.append(event)
            case .unavailable(let reading): unavailable.append(Unavailable(event: event, reading: reading))
            }
        }
        let groups = CounterGrouping.groups(of: proved, fit: proof.fit)
        for event in proved where !groups.contains(where: { $0.contains(event) }) {
            unavailable.append(
                Unavailable(
                    event: event,
                    reading: .notCounted(reason: "it counted when it was first tried, and then no more")))
        }
        self.init(choice: choice, groups: groups, unavailable: unavailable)
    }

    /// What a trial counts: trial i counts group i mod n.
    package func group(ofTrial trial: Int) -> [CounterEvent] {
        groups.isEmpty ? [] : groups[trial % groups.count]
    }
}
