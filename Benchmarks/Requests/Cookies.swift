import HTTPStacks
import LocalServer
import TaskMeter

private let stack = Axis("stack", Stack.all)
private let right = Metric(
    "cookies_right", .count, "number of ways, of five, in which cookies went right", .higherIsBetter)

/// Whether a cookie that an answer set comes with the next request to its host, and with none to another. Each way is
/// told by a metric of its own: 1 where it went right, 0 where not, and the reason where the stack does not know the
/// way at all.
let cookies = Benchmark(
    "cookies", "Is given a cookie in five ways, and comes back to where it is asked for.", axes: [stack],
    observing: [right] + Way.allCases.map(\.metric)
) { parameters in
    var site = NginxSite(bodies: [1_024])
    site.isScripted = true
    let server = try LocalServer(site, folder: parameters.scratchFolder)
    return Observing { observer in
        defer { server.stop() }
        var count = 0
        for way in Way.allCases {
            try observer.tell(way.metric) {
                let isRight = try way.isRight(server, parameters[stack].choice, observer.clock)
                if isRight { count += 1 }
                observer.tell(way.metric, isRight ? 1 : 0)
            }
        }
        observer.tell(right, count)
    }
}
.answering(Experiment("Which stack takes cookies where they belong?", comparing: stack, by: right))
.trials(atMost: 6)

/// How a server is reached whose cookies are in question.
private enum Way: String, CaseIterable {
    case address, redirect
    /// By a name that the stack was told in advance.
    case told
    case toldRedirect = "told_redirect"
    /// Another name at the same address: no cookie may come.
    case otherName = "other_name"

    var metric: Metric {
        let text =
            switch self {
            case .address: "by address"
            case .redirect: "within redirects"
            case .told: "by a name told in advance"
            case .toldRedirect: "within redirects, by a name told in advance"
            case .otherName: "kept from another name at the same address"
            }
        return Metric("cookie_right_\(rawValue)", .count, "cookie \(text): right is 1", .higherIsBetter)
    }

    private var host: String { self == .address || self == .redirect ? "127.0.0.1" : "one.test" }

    private func requests(_ server: LocalServer) throws -> [HTTPRequest] {
        func request(_ location: NginxSite.Location, _ host: String, status: Int = 200) throws -> HTTPRequest {
            HTTPRequest(try server.url(location, host: host), expected: HTTPExpectation(status: status))
        }
        let page = NginxSite.Location.body(1_024)
        return switch self {
        case .redirect, .toldRedirect: [try request(.redirectWithCookie(2, to: page), host)]
        case .address, .told:
            [try request(.settingCookie(page), host), try request(.requiringCookie(page), host)]
        case .otherName:
            [
                try request(.settingCookie(page), host),
                try request(.requiringCookie(page), "two.test", status: 403),
            ]
        }
    }

    func isRight(_ server: LocalServer, _ choice: HTTPStackChoice, _ clock: MonotonicClock) throws -> Bool {
        var policy = ConnectionPolicy()
        policy.keepsCookies = true
        if host == "one.test" { policy = policy.telling(["one.test", "two.test"], port: try server.port(.plain)) }
        let stack = try choice(policy, clock: clock)
        defer { stack.shutDown() }
        do {
            for request in try requests(server) { _ = try stack.outcomes(of: request, 1) }
            return true
        } catch let failure as RequestFailure where failure.class == .status {
            return false
        }
    }
}
