import CommandOptions
import Testing

private let syntax = CommandSyntax(
    command: "tool do", operands: "[FILE]", about: "Does.",
    options: [
        CommandOption("trials", short: "n", argument: "N", "How many."), CommandOption("quick", short: "q", "Less."),
        CommandOption("filter", argument: "REGEX", "Which."),
    ])

private func parse(_ arguments: String...) throws(UsageError) -> ParsedCommand {
    try ParsedCommand(arguments, syntax: syntax)
}

@Suite("A command line")
struct ParsedCommandTests {
    @Test("may mix options, their short forms and operands in any order")
    func mixed() throws {
        let command = try parse("a", "-n", "3", "--filter=x y", "b", "-q", "--filter", "-z", "--", "-n", "c")
        #expect(command.operands == ["a", "b", "-n", "c"])
        #expect(command.last("trials") == "3")
        #expect(command.all("filter") == ["x y", "-z"])
        #expect(command.has("quick"))
        #expect(!command.has("help"))
        #expect(try parse("-qn5").last("trials") == "5")
    }

    @Test("keeps the last of an option that is given twice")
    func twice() throws {
        #expect(try parse("-n", "3", "--trials", "4").integer("trials", in: 1...10) == 4)
    }

    @Test(
        "with a mistake gets a sentence with the way out",
        arguments: [
            (["--trails", "3"], "there is no option --trails; did you mean --trials? see `tool do --help`"),
            (["--zzzzzzzzz"], "there is no option --zzzzzzzzz; see `tool do --help`"),
            (["-x"], "there is no option -x; see `tool do --help`"),
            (["-n"], "-n needs an argument; see `tool do --help`"),
            (["--trials"], "--trials needs an argument; see `tool do --help`"),
            (["--quick=1"], "--quick takes no argument; see `tool do --help`"),
        ])
    func mistakes(arguments: [String], sentence: String) {
        #expect(throws: UsageError(sentence)) { try ParsedCommand(arguments, syntax: syntax) }
    }

    @Test("takes numbers only from their range", arguments: ["0", "11", "x", "3.5", "", "99999999999999999999"])
    func numbers(text: String) throws {
        let command = try parse("--trials", text)
        #expect(throws: UsageError.self) { try command.integer("trials", in: 1...10) }
    }

    @Test("takes seconds only when they are above zero and finite", arguments: ["0", "-1", "nan", "inf", "1e9", "x"])
    func seconds(text: String) throws {
        let command = try parse("--trials", text)
        #expect(throws: UsageError.self) { try command.seconds("trials") }
        #expect(try parse("--trials", "0.5").seconds("trials") == 0.5)
    }

    @Test("has a help that names every option once, in lines of at most 100 columns")
    func help() {
        for option in ["-n, --trials N", "-q, --quick", "--filter REGEX", "-h, --help"] {
            #expect(syntax.help.split(separator: option, omittingEmptySubsequences: false).count == 2)
        }
        #expect(syntax.help.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test("finds the names that are near to a mistyped one")
    func near() {
        #expect(nearest(to: "reprot", in: ["run", "list", "report"], atMost: 1) == ["report"])
        #expect(
            nearest(to: "get", in: ["Requests/get[bytes=1]", "Compute/sort"], atMost: 5) == ["Requests/get[bytes=1]"])
        #expect(nearest(to: "qqqqqq", in: ["run", "list"], atMost: 5).isEmpty)
    }
}
