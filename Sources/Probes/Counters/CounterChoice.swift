/// Which source counts, and why: PAPI, because it names the same event on every processor; the kernel itself for what PAPI
/// cannot do.
package struct CounterChoice: Hashable, Sendable {
    package enum Backend: String, Sendable {
        case papi = "PAPI"
        case perf = "perf_event_open"
    }

    package var backend: Backend
    /// For people: the rest of a sentence that begins “counted through … because”.
    package var reason: String

    /// What the choice depends on.
    package struct Facts: Hashable, Sendable {
        /// Why PAPI cannot count; nil where it can.
        package var papiRefusal: String?
        package var coreUnits: [CoreUnit]
        /// Whether this process could count the kernel's own events; a process that may not is asked for each event.
        package var scope: Scope

        package enum Scope: Sendable {
            case thread
            /// All threads of the process, those that come later among them.
            case process
        }

        package init(papiRefusal: String?, coreUnits: [CoreUnit], scope: Scope) {
            self.papiRefusal = papiRefusal
            self.coreUnits = coreUnits
            self.scope = scope
        }
    }

    package init(_ backend: Backend, because reason: String) {
        self.backend = backend
        self.reason = reason
    }

    /// One source for all events of a run: a group is read at once by one of them.
    package init(for events: [CounterEvent], _ facts: Facts) {
        if facts.scope == .process {
            self.init(.perf, because: "only the kernel counts threads that have not started yet")
        } else if !facts.coreUnits.isEmpty {
            let names = facts.coreUnits.map(\.name).joined(separator: " and ")
            self.init(
                .perf, because: "this processor has several kinds of cores (\(names)), each with counters of its own")
        } else if let refusal = facts.papiRefusal {
            self.init(.perf, because: refusal)
        } else {
            self.init(.papi, because: "it names the same event on every processor")
        }
    }

    package var source: any CounterSource {
        switch backend {
        case .papi: PAPISource()
        case .perf: PerfSource()
        }
    }
}
