import CommandOptions
import Glibc
import LoadPlans
import Results
import TestSupport
import Testing

@Suite("The options of a load")
struct LoadOptionsTests {
    private let listener: Listener? = Listener()

    private func plan(_ arguments: String...) throws -> LoadPlan {
        let syntax = CommandSyntax(command: "load", about: "", options: LoadOptions.all)
        return try LoadOptions.plan(try ParsedCommand(arguments, syntax: syntax))
    }

    /// A URL at which somebody listens.
    private func url(_ path: String = "/") throws -> String { "http://127.0.0.1:\(try #require(listener).port)\(path)" }

    private func complaint(_ arguments: String...) throws -> String {
        let syntax = CommandSyntax(command: "load", about: "", options: LoadOptions.all)
        do {
            _ = try LoadOptions.plan(try ParsedCommand(arguments, syntax: syntax))
            return "none"
        } catch { return "\(error)" }
    }

    @Test("a URL alone is a closed loop of eight by the usual stack, for GET, with the usual statuses")
    func usual() throws {
        let plan = try plan(url())
        #expect(plan.arrivals == .closed(concurrencies: [8]) && plan.connections == 8)
        #expect(plan.stacks == ["curl-multi"] && plan.method == "GET" && plan.status == 200...299)
        #expect(plan.duration == .seconds(5) && plan.timeLimit == .seconds(10) && plan.keepsAlive && !plan.tellsPhases)
        #expect(plan.targets.map(\.url) == [try url()])
    }

    @Test("rates make an open loop, each once, in the order in which they were given")
    func rates() throws {
        let plan = try plan(url(), "--rate", "1000,2000", "--rate", "1000,0.5", "--arrivals", "uniform")
        #expect(plan.arrivals == .open(rates: [1_000, 2_000, 0.5], spread: .uniform) && plan.connections == 64)
        #expect(try self.plan(url(), "--rate", "10000000").arrivals == .open(rates: [1e7], spread: .poisson))
    }

    @Test("a body makes a POST, headers lose blanks around them, and all options are kept")
    func request() throws {
        let folder = TemporaryFolder()
        let file = folder.write("payload", to: "a file with spaces")
        let plan = try plan(
            url(), "--body", "@" + file, "--header", "X-A:  1 ", "--header", "X-Empty:", "--expect", "201",
            "--redirects",
            "3", "--allow-remote", "--timeout", "0.25", "--no-keepalive", "--http2", "--cacert", file, "--phases",
            "--stack",
            "curl-easy,socket", "--concurrency", "2,4")
        #expect(plan.method == "POST" && plan.bodyFile == file && plan.body == nil)
        #expect(plan.headers == [.init(name: "X-A", value: "1"), .init(name: "X-Empty", value: "")])
        #expect(plan.status == 201...201 && plan.mostRedirects == 3 && plan.timeLimit == .milliseconds(250))
        #expect(!plan.keepsAlive && plan.isHTTP2 && plan.authority == file && plan.tellsPhases)
        #expect(plan.stacks == ["curl-easy", "socket"] && plan.arrivals == .closed(concurrencies: [2, 4]))
        #expect(plan.connections == 4)
    }

    @Test("servers are called by host and port, or by their place where these are the same")
    func servers() throws {
        let other = Listener()
        let first = try #require(listener).port
        #expect(
            try plan(url(), "http://127.0.0.1:\(other.port)/").targets.map(\.name)
                == ["127.0.0.1:\(first)", "127.0.0.1:\(other.port)"])
        #expect(try plan(url("/a"), url("/b")).targets.map(\.name) == ["url-1", "url-2"])
    }

    @Test("an address that is told in advance is where the host is looked for")
    func resolve() throws {
        let port = try #require(listener).port
        let plan = try plan(
            "http://no.such.host.invalid:\(port)/", "--resolve", "no.such.host.invalid:\(port):127.0.0.1")
        #expect(plan.addresses == [.init(host: "no.such.host.invalid", port: Int(port), address: "127.0.0.1")])
        // An address of IPv6 is in brackets or not, as curl takes both.
        for address in ["::ffff:127.0.0.1", "[::ffff:127.0.0.1]"] {
            let plan = try self.plan(
                "http://no.such.host.invalid:\(port)/", "--resolve", "no.such.host.invalid:\(port):\(address)")
            #expect(plan.addresses.map(\.address) == ["::ffff:127.0.0.1"])
        }
    }

    @Test("what cannot be is refused in a sentence that names it and the way out")
    func refusals() throws {
        let url = try url()
        let none = "/no/such/file"
        let cases: [(arguments: [String], says: String)] = [
            ([], "give a URL"),
            (["127.0.0.1:80/"], "has no scheme http:// or https://"), (["ftp://x/"], "has no scheme"),
            (["http://"], "has no host"), (["http:///path"], "has no host"), (["http://a b/"], "%20"),
            (["http://u:p@127.0.0.1/"], "a user or a password"), (["http://127.0.0.1:99999/"], "port"),
            (["http://no.such.host.invalid/"], "“no.such.host.invalid” of"),
            (["http://127.0.0.1:1/"], "nobody accepts"),
            (["http://192.0.2.1/"], "--allow-remote"),
            ([url, "--rate", "0"], "--rate “0”"), ([url, "--rate", "-5"], "--rate “-5”"),
            ([url, "--rate", "nan"], "--rate “nan”"), ([url, "--rate", "10000001"], "at most 10,000,000"),
            ([url, "--rate", ""], "has no number"), ([url, "--concurrency", "0"], "from 1 to"),
            ([url, "--method", "HEAD", "--body", "x"], "--method HEAD"),
            ([url, "--rate", "0.1"], "less than one request"), ([url, "--redirects", "1"], "--allow-remote"),
            ([url, "--body", "@/dev/zero"], "no regular file"),
            ([url, "--rate", "5", "--concurrency", "2"], "take one of the two"),
            ([url, "--arrivals", "uniform"], "needs --rate"),
            ([url, "--arrivals", none], "neither poisson, uniform nor"),
            ([url, "--header", "colonless"], "NAME:VALUE"), ([url, "--header", ": x"], "NAME:VALUE"),
            ([url, "--header", "X: a\nY: b"], "NAME:VALUE"), ([url, "--body", "@" + none], none),
            ([url, "--body", "@/"], "no regular file"), ([url, "--cacert", none], none),
            ([url, "--method", "ge t"], "--method"),
            ([url, "--expect", "99"], "--expect"), ([url, "--expect", "300-200"], "--expect"),
            ([url, "--stack", "nginx"], "there are: curl-multi"), ([url, "--resolve", "a:1"], "HOST:PORT:ADDRESS"),
            ([url, "--resolve", "a:1:b"], "HOST:PORT:ADDRESS"), ([url, "--duration", "0"], "--duration"),
            ([url, "--connections", "0"], "--connections"),
        ]
        for (arguments, says) in cases {
            let syntax = CommandSyntax(command: "load", about: "", options: LoadOptions.all)
            do {
                _ = try LoadOptions.plan(try ParsedCommand(arguments, syntax: syntax))
                Issue.record("\(arguments) was taken")
            } catch {
                let sentence = "\(error)"
                #expect(sentence.contains(says), "\(arguments): \(sentence)")
                #expect(!sentence.contains("\n"), "\(arguments)")
            }
        }
    }

    @Test("what lets somebody in stands in no report")
    func secrets() {
        let command = [
            "taskmeter", "load", "http://127.0.0.1/", "--header", "Authorization: Bearer abc", "-HCookie:a=b",
            "--header=X-Api-Key: 5", "--header", "Accept: text/plain",
        ]
        #expect(
            LoadOptions.withoutSecrets(command) == [
                "taskmeter", "load", "http://127.0.0.1/", "--header", "Authorization: …", "-HCookie: …",
                "--header=X-Api-Key: …", "--header", "Accept: text/plain",
            ])
    }

    @Test("arrivals of a file count from the first of them, whatever lies between")
    func arrivals() throws {
        let folder = TemporaryFolder()
        let file = folder.write("# seconds\n100.5\n\n 100.75 \r\n100.75\n102\n", to: "arrivals")
        #expect(
            try plan(url(), "--arrivals", file).arrivals == .recorded([0, 250_000_000, 250_000_000, 1_500_000_000]))
        let cases = [
            ("1\nx\n", "line 2: “x”"), ("2\n1\n", "line 2: it is before"), ("# none\n", "has no arrivals"),
            ("0\n9999999999\n", "line 2: it is more than 86400 s"),
        ]
        for (text, says) in cases {
            let sentence = try complaint(url(), "--arrivals", folder.write(text, to: "bad"))
            #expect(sentence.contains(says), "\(sentence)")
        }
    }
}
