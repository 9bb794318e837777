import ChildProcesses
import FoundationEssentials
import Results

/// A program that puts a server under load: ours, by each of its loops, and those of others.
enum Generator: String, CaseIterable {
    case wrk
    case ab
    case h2load
    case curlMulti = "curl-multi"
    case socketEpoll = "socket-epoll"

    /// What it told.
    struct Told {
        var perSecond: Double
        /// Of a request's time.
        var median: Result<Nanoseconds, Untold>
    }

    /// Why something was not told.
    struct Untold: Error { var reason: String }

    private static let seconds = 2

    /// Has it fetch a URL for two seconds, on one thread.
    ///
    /// - Parameter folder: where it may leave files.
    func run(_ url: String, inFlight: Int, folder: String) throws -> Told {
        let seconds = "\(Self.seconds)"
        switch self {
        case .wrk:
            let text = try output("wrk", ["-t1", "-c\(inFlight)", "-d\(seconds)", "--latency", url])
            return Told(
                perSecond: try number(after: "Requests/sec:", in: text),
                median: .success(try time(after: "50%", in: text)))
        case .ab:
            let text = try output("ab", ["-q", "-k", "-c\(inFlight)", "-t\(seconds)", "-n100000000", url])
            return Told(
                perSecond: try number(after: "Requests per second:", in: text),
                median: .failure(Untold(reason: "ab tells whole milliseconds")))
        case .h2load:
            let text = try output("h2load", ["--h1", "-t1", "-c\(inFlight)", "-D\(seconds)", url])
            let line = text.split(separator: "\n").first { $0.hasPrefix("finished in") }
            let rate = line?.split(separator: ",").dropFirst().first?.split(separator: " ").first
            guard let value = rate.flatMap({ Double($0) }) else {
                throw GeneratorFailed("h2load told no rate: \(text)")
            }
            return Told(perSecond: value, median: .failure(Untold(reason: "h2load tells a mean and no median")))
        case .curlMulti, .socketEpoll:
            let text = try output(
                OwnProgram.folder + "/taskmeter",
                [
                    "load", url, "--stack", rawValue, "--concurrency", "\(inFlight)", "--duration", seconds, "--trials",
                    "1",
                    "--idle", "0", "--no-report", "--quiet", "--format", "json", "--output", folder + "/runs",
                ])
            return try Self.ours(text)
        }
    }

    private func output(_ program: String, _ arguments: [String]) throws -> String {
        guard let path = program.hasPrefix("/") ? program : ChildProcess.executable(named: program) else {
            throw GeneratorFailed("\(program) is not installed; `make bench-load` installs it")
        }
        let output = try ChildProcess.run(path, arguments)
        guard output.status == .exited(0) else {
            throw GeneratorFailed("\(program) ended with \(output.status): \(output.errors.prefix(500))")
        }
        // wrk and ab tell of requests that failed, and go on.
        for word in ["Non-2xx", "Socket errors"] where output.text.contains(word) {
            throw GeneratorFailed("\(program) had requests that failed: \(output.text)")
        }
        return output.text
    }

    /// The number behind a word: `Requests/sec:  23734.30`.
    private func number(after word: String, in text: String) throws -> Double {
        let line = text.split(separator: "\n").first { $0.contains(word) }
        guard let value = line?.split(separator: " ").compactMap({ Double($0) }).first else {
            throw GeneratorFailed("\(rawValue) told no number of “\(word)”: \(text)")
        }
        return value
    }

    /// The time behind a word: `50%  299.00us`.
    private func time(after word: String, in text: String) throws -> Nanoseconds {
        let line = text.split(separator: "\n").first { $0.split(separator: " ").first == Substring(word) }
        let units: [(String, Double)] = [("us", 1e3), ("ms", 1e6), ("s", 1e9)]
        for (unit, length) in units {
            if let last = line?.split(separator: " ").last, last.hasSuffix(unit),
                let value = Double(last.dropLast(unit.count))
            {
                return Nanoseconds(Int64(value * length))
            }
        }
        throw GeneratorFailed("\(rawValue) told no time of “\(word)”: \(text)")
    }

    private static func ours(_ text: String) throws -> Told {
        struct Results: Decodable {
            struct Benchmark: Decodable {
                struct Estimate: Decodable { var median: Double }
                struct Times: Decodable { var p50: Double }
                var throughput: Estimate
                var spent: Times
            }
            var benchmarks: [Benchmark]
        }
        let results = try JSONDecoder().decode(Results.self, from: Data(text.utf8))
        guard let benchmark = results.benchmarks.first else { throw GeneratorFailed("taskmeter load measured nothing") }
        return Told(
            perSecond: benchmark.throughput.median, median: .success(Nanoseconds(Int64(benchmark.spent.p50))))
    }
}

/// Why a generator told nothing.
struct GeneratorFailed: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
