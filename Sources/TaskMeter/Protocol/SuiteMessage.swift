import FoundationEssentials
import Results

/// What a suite process tells the runner that started it: one JSON object a line, on descriptor 3.
///
/// The runner starts a suite in one of two ways, and says all it has to say in the arguments:
///
///     <suite> --taskmeter-describe [--quick] [--full]
///         hello, benchmark…, end of descriptor
///     <suite> --taskmeter-trial <identity> --records <file> --scratch <folder> --trial <n> --block <n> --clock <scale> --origin <ns> --deadline <ns> --seed <n> [--sampling-limit <ns>] [--quick] [--mode <mode>] [--simulator-counts <file>] [--counters <event>]…
///         hello, phase…, sample…, finished, end of descriptor, exit code 0
///
/// In place of what should come next a suite may say `failed` with a sentence, and exit with a code that is not 0.
/// Each object has one member, whose name is the kind of message:
///
///     {"hello":{"protocol":1,"suite":"Requests","optimised":true,"runsByDefault":true}}
///     {"benchmark":{"id":"Requests/get[bytes=1024,strategy=pool-8]","tasks":2000,…}}
///     {"phase":"measure"}
///     {"sample":{"number":0,"metric":"cpu_time","unit":"ns","value":182734,"iterations":2000}}
///     {"finished":{"tasksMeant":2000,"allEnded":true}}
///     {"failed":"cannot start nginx: no such file"}
///
/// Task records and samples of iterations do not pass through here: they lie in the record log or the sample log. What the suite prints itself goes to its
/// standard output and error, which the runner points at a log file; a suite cannot write into the protocol by
/// mistake. A line that is no such object ends the trial as failed.
package enum SuiteMessage: Sendable, Equatable {
    case hello(Hello)
    case benchmark(BenchmarkDescription)
    case phase(TrialPhase)
    case sample(Sample)
    case finished(Finished)
    case failed(String)

    package static let currentProtocol = 1
    /// A longer line is not a message.
    package static let longestLine = 1 << 16

    package struct Hello: Sendable, Equatable, Codable {
        package var `protocol`: Int
        package var suite: String
        /// Whether the suite was built with optimisation.
        package var optimised: Bool
        package var runsByDefault: Bool

        package init(`protocol`: Int, suite: String, optimised: Bool, runsByDefault: Bool) {
            self.protocol = `protocol`
            self.suite = suite
            self.optimised = optimised
            self.runsByDefault = runsByDefault
        }
    }

    /// The trial came to its end.
    package struct Finished: Sendable, Equatable, Codable {
        /// Tasks that the benchmark says a trial has; fewer were submitted when the deadline came first.
        package var tasksMeant: Int
        /// Whether all tasks had ended when the trial stopped waiting.
        package var allEnded: Bool

        package init(tasksMeant: Int, allEnded: Bool) {
            self.tasksMeant = tasksMeant
            self.allEnded = allEnded
        }
    }
}

/// What a trial is doing.
package enum TrialPhase: String, Sendable, Codable {
    case prepare
    case warmUp
    case measure
    case tearDown
}

extension SuiteMessage: Codable {
    private enum Kind: String, CodingKey {
        case hello, benchmark, phase, sample, finished, failed
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no known kind of message"))
        }
        switch kind {
        case .hello: self = .hello(try container.decode(Hello.self, forKey: kind))
        case .benchmark: self = .benchmark(try container.decode(BenchmarkDescription.self, forKey: kind))
        case .phase: self = .phase(try container.decode(TrialPhase.self, forKey: kind))
        case .sample: self = .sample(try container.decode(Sample.self, forKey: kind))
        case .finished: self = .finished(try container.decode(Finished.self, forKey: kind))
        case .failed: self = .failed(try container.decode(String.self, forKey: kind))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .hello(let hello): try container.encode(hello, forKey: .hello)
        case .benchmark(let benchmark): try container.encode(benchmark, forKey: .benchmark)
        case .phase(let phase): try container.encode(phase, forKey: .phase)
        case .sample(let sample): try container.encode(sample, forKey: .sample)
        case .finished(let finished): try container.encode(finished, forKey: .finished)
        case .failed(let sentence): try container.encode(sentence, forKey: .failed)
        }
    }
}
