import FoundationEssentials
import HTTPStacks
import LoadPlans
import RequestTasks
import TaskMeter
import URLSessionStacks

extension Work {
    /// The work of a trial: the same request over and over, through one stack.
    static func loading(_ plan: LoadPlan, _ url: String, _ choice: HTTPStackChoice, clock: MonotonicClock) throws
        -> Work
    {
        try requesting(
            try HTTPRequest(plan, url), through: choice, ConnectionPolicy(plan), clock: clock,
            tells: plan.tellsPhases ? .all : .none)
    }
}

extension HTTPRequest {
    init(_ plan: LoadPlan, _ url: String) throws {
        var body = Body.none
        if let text = plan.body { body = .bytes(Array(text.utf8)) }
        if let file = plan.bodyFile { body = .bytes([UInt8](try Data(contentsOf: URL(filePath: file)))) }
        self.init(
            url, method: plan.method, headers: plan.headers.map { Header($0.name, $0.value) }, body: body,
            mostRedirects: plan.mostRedirects, timeLimit: plan.timeLimit,
            expected: HTTPExpectation(statuses: plan.status))
    }
}

extension ConnectionPolicy {
    init(_ plan: LoadPlan) {
        self.init()
        keepsAlive = plan.keepsAlive
        connections = plan.connections
        version = plan.isHTTP2 ? .http2 : .http1
        authority = plan.authority
        addresses = plan.addresses.map { Address(host: $0.host, port: $0.port, address: $0.address) }
    }
}

extension HTTPStackChoice {
    /// The stacks that a load may be made with.
    static let all: [HTTPStackChoice] = [
        .curlMulti(tellsSending: false), .curlEasy(tellsSending: false), .socketEpoll, .socket, .urlSession,
        .urlSessionAsync,
    ]
}
