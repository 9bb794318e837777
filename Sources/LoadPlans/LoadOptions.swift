import CommandOptions
import FoundationEssentials
import Glibc
import Results

/// The options of `taskmeter load`, and the plan that they make.
package enum LoadOptions {
    package static let all: [CommandOption] = [
        CommandOption(
            "rate", short: "r", argument: "R[,R…]",
            "Requests a second that come whatever becomes of those before (an open loop), each measured from when it was due. Several rates give a throughput–latency curve."
        ),
        CommandOption(
            "arrivals", argument: "poisson|uniform|FILE",
            "How they are spread: as those of many users, at equal distances, or as a file says, with one moment in seconds on each line. Default poisson."
        ),
        CommandOption(
            "concurrency", short: "c", argument: "N[,N…]",
            "So many at once, each beginning when another has ended (a closed loop). Default \(defaultConcurrency) when no rate is given."
        ),
        CommandOption(
            "duration", short: "d", argument: "SECONDS",
            "For how long a trial sends requests. Default \(Int(defaultSeconds))."),
        CommandOption(
            "connections", argument: "C",
            "At most so many connections at once: requests beyond them wait. Default: the concurrency, or \(defaultConnections) with --rate."
        ),
        CommandOption(
            "stack", argument: "NAME[,NAME…]",
            "What makes the requests: \(stacks.joined(separator: ", ")). Several are compared in interleaved trials. Default \(stacks[0])."
        ),
        CommandOption("method", short: "X", argument: "METHOD", "Default GET, or POST with --body."),
        CommandOption("header", short: "H", argument: "NAME:VALUE", "A header of each request. May be repeated."),
        CommandOption(
            "body", argument: "TEXT|@FILE", "What each request carries: a text, or the bytes of a file after “@”."),
        CommandOption(
            "expect", argument: "STATUS[-STATUS]",
            "Which statuses count as success; all others fail their requests. Default 200-299."),
        CommandOption(
            "redirects", argument: "N",
            "How many redirects are followed; goes with --allow-remote, for they may lead anywhere. Default 0."),
        CommandOption("timeout", argument: "SECONDS", "How long a request may take. Default 10."),
        CommandOption("http2", "HTTP/2: by agreement over TLS, from the first byte on without."),
        CommandOption("cacert", argument: "FILE", "Trust the authorities in this PEM file, in place of the system's."),
        CommandOption(
            "resolve", argument: "HOST:PORT:ADDRESS",
            "Find the host there, and look nothing up; certificates and cookies still go by its name. May be repeated."),
        CommandOption("no-keepalive", "A new connection for each request."),
        CommandOption("phases", "Record phases of each request too: connected, first byte and so on."),
        CommandOption("allow-remote", "Let a server be loaded that is not on this machine."),
    ]

    /// The stacks there are, the usual one first.
    package static let stacks = ["curl-multi", "curl-easy", "socket-epoll", "socket", "urlsession", "urlsession-async"]
    package static let defaultSeconds = 5.0
    package static let defaultConcurrency = 8
    package static let defaultConnections = 64
    /// Beyond it no clock and no socket follows.
    package static let mostPerSecond = 1e7
    private static let mostInFlight = 10_000

    /// The plan that options and URLs make; nothing is sent, but files are read and hosts are looked up.
    package static func plan(_ command: ParsedCommand) throws(UsageError) -> LoadPlan {
        guard !command.operands.isEmpty else {
            throw UsageError("whom to load? give a URL: taskmeter load http://127.0.0.1:8080/")
        }
        let servers = try command.operands.map { url throws(UsageError) in try ServerAddress(url) }
        let arrivals = try arrivals(command)
        let stacks = try stacks(command)
        var plan = LoadPlan(
            targets: Self.targets(servers), stacks: stacks, arrivals: arrivals,
            duration: .seconds(try command.seconds("duration") ?? defaultSeconds),
            connections: try connections(command, arrivals))
        if case .open(let rates, _) = arrivals, let slowest = rates.min(),
            slowest * Double(plan.duration.count) / 1e9 < 1
        {
            throw UsageError(
                "--rate \(slowest) is less than one request in --duration \(Double(plan.duration.count) / 1e9); make one of the two larger"
            )
        }
        plan.headers = try command.all("header").map { text throws(UsageError) in try header(text) }
        try takeBody(command, &plan)
        plan.method = command.last("method") ?? (plan.body == nil && plan.bodyFile == nil ? "GET" : "POST")
        guard !plan.method.isEmpty,
            plan.method.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else { throw UsageError("--method “\(plan.method)” is none; methods are of capital letters, such as GET") }
        guard plan.method != "HEAD" || plan.body == nil && plan.bodyFile == nil else {
            throw UsageError("--method HEAD with --body: stacks disagree on what that means; leave one of the two out")
        }
        plan.status = try statuses(command.last("expect"))
        plan.mostRedirects = try command.integer("redirects", in: 0...100) ?? 0
        guard plan.mostRedirects == 0 || command.has("allow-remote") else {
            throw UsageError("--redirects may lead away from this machine; pass --allow-remote if they may")
        }
        plan.timeLimit = .seconds(try command.seconds("timeout") ?? 10)
        plan.keepsAlive = !command.has("no-keepalive")
        plan.isHTTP2 = command.has("http2")
        plan.authority = try command.last("cacert").map { path throws(UsageError) in
            try checkReadable(path, "--cacert")
            return path
        }
        plan.addresses = try command.all("resolve").map { text throws(UsageError) in try address(text) }
        plan.tellsPhases = command.has("phases")
        for server in servers { try server.check(plan.addresses, allowsRemote: command.has("allow-remote")) }
        return plan
    }

    private static func arrivals(_ command: ParsedCommand) throws(UsageError) -> LoadPlan.Arrivals {
        let spread = command.last("arrivals")
        if command.has("concurrency") {
            guard !command.has("rate"), spread == nil else {
                throw UsageError(
                    "--concurrency is a closed loop, --rate and --arrivals are an open one; take one of the two")
            }
        } else if let spread, LoadPlan.Spread(rawValue: spread) == nil {
            guard !command.has("rate") else {
                throw UsageError(
                    "the arrivals of a file have their own rate; leave out --rate, or take poisson or uniform")
            }
            return .recorded(try ArrivalFile.read(spread))
        } else if spread != nil, !command.has("rate") {
            throw UsageError("--arrivals \(spread ?? "") needs --rate: how many requests a second")
        }
        guard command.has("rate") else {
            let texts = command.all("concurrency").flatMap { $0.split(separator: ",").map(String.init) }
            let numbers = try texts.map { text throws(UsageError) in
                guard let number = Int(text), (1...mostInFlight).contains(number) else {
                    throw UsageError("--concurrency “\(text)” must be a whole number from 1 to \(mostInFlight)")
                }
                return number
            }
            return .closed(concurrencies: numbers.isEmpty ? [defaultConcurrency] : withoutRepeats(numbers))
        }
        let rates = try command.all("rate").flatMap { $0.split(separator: ",").map(String.init) }.map {
            text throws(UsageError) in
            guard let rate = Double(text), rate > 0, rate <= mostPerSecond else {
                throw UsageError(
                    "--rate “\(text)” must be a number of requests a second above 0, and at most 10,000,000")
            }
            return rate
        }
        guard !rates.isEmpty else {
            throw UsageError("--rate has no number: give requests a second, such as --rate 1000")
        }
        return .open(rates: withoutRepeats(rates), spread: spread.flatMap(LoadPlan.Spread.init) ?? .poisson)
    }

    /// Headers whose values are nobody’s business but the server’s.
    private static let secretHeaders: Set<String> = ["authorization", "proxy-authorization", "cookie", "x-api-key"]

    /// A command line for a report that people send to each other: values of headers that let somebody in are left out.
    package static func withoutSecrets(_ command: [String]) -> [String] {
        command.map { word in
            // As “--header=NAME:VALUE”, “-HNAME:VALUE”, or as a word of its own after “--header”.
            let start = ["--header=", "-H"].first { word.hasPrefix($0) } ?? ""
            let halves = word.dropFirst(start.count).split(
                separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, secretHeaders.contains(halves[0].trimmed.lowercased()) else { return word }
            return "\(start)\(halves[0]): …"
        }
    }

    private static func withoutRepeats<Value: Hashable>(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }

    private static func connections(_ command: ParsedCommand, _ arrivals: LoadPlan.Arrivals) throws(UsageError) -> Int {
        let given = try command.integer("connections", in: 1...mostInFlight)
        guard case .closed(let numbers) = arrivals else { return given ?? defaultConnections }
        return given ?? numbers.max() ?? defaultConcurrency
    }

    private static func stacks(_ command: ParsedCommand) throws(UsageError) -> [String] {
        let names = withoutRepeats(command.all("stack").flatMap { $0.split(separator: ",").map(String.init) })
        for name in names where !stacks.contains(name) {
            throw UsageError("--stack “\(name)” is none; there are: \(stacks.joined(separator: ", "))")
        }
        return names.isEmpty ? [stacks[0]] : names
    }

    private static func header(_ text: String) throws(UsageError) -> LoadPlan.Header {
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = halves[0].trimmed
        let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard halves.count == 2, !name.isEmpty, !name.contains(" "), !hasControl else {
            throw UsageError("--header “\(text.oneLine)” is not of the form NAME:VALUE")
        }
        return LoadPlan.Header(name: name, value: halves[1].trimmed)
    }

    private static func takeBody(_ command: ParsedCommand, _ plan: inout LoadPlan) throws(UsageError) {
        guard let text = command.last("body") else { return }
        guard text.hasPrefix("@") else {
            plan.body = text
            return
        }
        let path = String(text.dropFirst())
        try checkReadable(path, "--body")
        plan.bodyFile = path
    }

    private static func checkReadable(_ path: String, _ option: String) throws(UsageError) {
        // Whoever opens a pipe for reading waits for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw UsageError("\(option): cannot read \(path.oneLine): \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            throw UsageError("\(option): \(path.oneLine) is no regular file")
        }
    }

    private static func statuses(_ text: String?) throws(UsageError) -> ClosedRange<Int> {
        guard let text else { return 200...299 }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last,
            (100...599).contains(first), (100...599).contains(last)
        else { throw UsageError("--expect “\(text)” is neither a status such as 200 nor a range such as 200-299") }
        return first...last
    }

    private static func address(_ text: String) throws(UsageError) -> LoadPlan.Address {
        var parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        // In brackets, as an address of IPv6 stands in a URL.
        if let address = parts.last, address.hasPrefix("["), address.hasSuffix("]") {
            parts[parts.count - 1] = String(address.dropFirst().dropLast())
        }
        guard parts.count == 3, !parts[0].isEmpty, let port = Int(parts[1]), (1...65_535).contains(port),
            ServerAddress.family(ofLiteral: parts[2]) != nil
        else { throw UsageError("--resolve “\(text)” is not of the form HOST:PORT:ADDRESS, with an IP address") }
        return LoadPlan.Address(host: parts[0], port: port, address: parts[2])
    }

    /// Names of the servers for identities: host and port, or the place on the command line where these are the same.
    private static func targets(_ servers: [ServerAddress]) -> [LoadPlan.Target] {
        let names = servers.map { "\($0.host):\($0.port)" }
        let areDifferent = Set(names).count == names.count
        return zip(servers, names.indices).map { server, place in
            LoadPlan.Target(name: areDifferent ? names[place] : "url-\(place + 1)", url: server.url)
        }
    }
}

extension StringProtocol {
    fileprivate var trimmed: String {
        var text = Substring(self)
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }

    /// The text without what would break a line of a terminal.
    var oneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
}
