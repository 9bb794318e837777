import Results

/// What a load on a server is to be: what `taskmeter load` was asked for, and its generator does.
///
/// The command hands it to the generator's processes as JSON in a file that an environment variable names: the plan may be larger than a
/// variable can be.
package struct LoadPlan: Hashable, Sendable, Codable {
    /// How requests come.
    package enum Arrivals: Hashable, Sendable, Codable {
        /// A closed loop: each waits for the end of another; so many at once, one value after the other.
        case closed(concurrencies: [Int])
        /// An open loop: at so many a second, one rate after the other, whatever becomes of those before.
        case open(rates: [Double], spread: Spread)
        /// An open loop at these moments, in nanoseconds from the begin of a trial, ascending.
        case recorded([Int64])
    }

    /// How the arrivals of an open loop are spread over time.
    package enum Spread: String, Hashable, Sendable, Codable, CaseIterable { case poisson, uniform }

    /// A server that is put under load, and what it is called in identities.
    package struct Target: Hashable, Sendable, Codable {
        package var name: String
        package var url: String

        package init(name: String, url: String) {
            self.name = name
            self.url = url
        }
    }

    package struct Header: Hashable, Sendable, Codable {
        package var name: String
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// An address that is told in advance.
    package struct Address: Hashable, Sendable, Codable {
        package var host: String
        package var port: Int
        package var address: String

        package init(host: String, port: Int, address: String) {
            self.host = host
            self.port = port
            self.address = address
        }
    }

    package var targets: [Target]
    package var stacks: [String]
    package var arrivals: Arrivals
    /// How long a trial submits requests; of recorded arrivals, which have their own length, it is not asked.
    package var duration: Nanoseconds
    /// Connections at once, at most.
    package var connections: Int
    package var method = "GET"
    package var headers: [Header] = []
    /// The file whose bytes are each request's body.
    package var bodyFile: String?
    /// The same as text.
    package var body: String?
    /// What statuses count as success.
    package var status: ClosedRange<Int> = 200...299
    package var mostRedirects = 0
    package var timeLimit: Nanoseconds = .seconds(10)
    package var keepsAlive = true
    package var isHTTP2 = false
    package var authority: String?
    package var addresses: [Address] = []
    /// Whether phases of each request are recorded.
    package var tellsPhases = false

    package init(targets: [Target], stacks: [String], arrivals: Arrivals, duration: Nanoseconds, connections: Int) {
        self.targets = targets
        self.stacks = stacks
        self.arrivals = arrivals
        self.duration = duration
        self.connections = connections
    }

    /// The environment variable by which the generator gets the path of its plan.
    package static let variable = "TASKMETER_LOAD"
    /// The generator, beside the command.
    package static let generator = "taskmeter-load"
    /// Has the generator say whether its stacks can do what the plan asks for, and do nothing else.
    package static let checkOption = "--check"
    /// The suite that the generator is.
    package static let suite = "load"
    /// The axes of its benchmark.
    package static let (rateAxis, concurrencyAxis, serverAxis) = ("rate", "inflight", "server")
}
