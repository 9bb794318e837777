import Apparatus
import Dispatch
import HTTPStacks
import LocalServer
import Synchronization
import TaskMeter

extension HTTPStack {
    /// Makes one request and waits for its end.
    ///
    /// - Parameter limit: how long to wait; the request’s own limit and 5 s more when nil.
    /// - Returns: nil when it has not ended by then. A stack that blocks is waited for in any case.
    package func outcome(of request: HTTPRequest, within limit: Nanoseconds? = nil) -> HTTPOutcome? {
        let kept = Mutex<HTTPOutcome?>(nil)
        let ended = DispatchSemaphore(value: 0)
        send(request) { outcome in
            kept.withLock { $0 = outcome }
            ended.signal()
        }
        let limit = limit ?? request.timeLimit + .seconds(5)
        guard ended.wait(timeout: .now() + .nanoseconds(Int(limit.count))) == .success else { return nil }
        return kept.withLock { $0 }
    }

    /// Makes the same request so often, one after the other.
    ///
    /// - Parameter warmUps: requests before, which are not among those returned.
    /// - Throws: `RequestFailure` with the first that failed.
    package func outcomes(of request: HTTPRequest, _ count: Int, warmUps: Int = 0) throws -> [HTTPOutcome] {
        var outcomes: [HTTPOutcome] = []
        for _ in 0..<warmUps + count {
            guard let outcome = outcome(of: request) else {
                throw WrongResult("a request had not ended \(request.timeLimit.seconds + 5) s after its begin")
            }
            if let failure = outcome.failure { throw failure }
            outcomes.append(outcome)
        }
        return Array(outcomes.dropFirst(warmUps))
    }
}

extension HTTPStackChoice {
    /// Makes the same request so often, each by a stack of its own that knows nothing yet: libcurl keeps the addresses
    /// of names for a minute, and the sessions of TLS.
    ///
    /// - Throws: `RequestFailure` with the first that failed; `StackError` when the stack lacks what the policy asks for.
    func coldOutcomes(
        of request: HTTPRequest, _ count: Int, _ policy: ConnectionPolicy, clock: MonotonicClock
    ) throws -> [HTTPOutcome] {
        // The first begins the library.
        try (0...count).map { _ in
            let stack = try self(policy, clock: clock)
            defer { stack.shutDown() }
            return try stack.outcomes(of: request, 1)[0]
        }
        .suffix(count)
    }
}

extension HTTPOutcome {
    /// From its begin to its end.
    var length: Nanoseconds { end - begin }
}

extension Observer {
    /// Does what tells a metric. What a stack lacks, and how a request failed, are no failures of the trial but
    /// findings, and told as the reason for which there is no number.
    func tell(_ metric: Metric, orWhyNot body: () throws -> Void) throws {
        do { try body() } catch let failure as RequestFailure {
            tell(metric, unavailable: failure.description)
        } catch let lack as StackError {
            tell(metric, unavailable: lack.description)
        }
    }
}

extension ConnectionPolicy {
    /// The same with names that are told to be on this machine.
    package func telling(_ names: [String], port: UInt16) -> ConnectionPolicy {
        var policy = self
        policy.addresses += names.map { Address(host: $0, port: Int(port), address: "127.0.0.1") }
        return policy
    }
}

extension HTTPExpectation {
    /// This text, answered with 200.
    package init(text: String) { self.init(body: Array(text.utf8)) }
}
