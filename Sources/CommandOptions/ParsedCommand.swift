import CLinux
import Glibc
import Synchronization

/// Something a person typed that cannot be done, in one sentence with the way out.
package struct UsageError: Error, Hashable, CustomStringConvertible {
    package var description: String
    package init(_ sentence: String) { description = sentence }
}

/// The options and operands that a person typed.
package struct ParsedCommand: Sendable {
    private var values: [String: [String]] = [:]
    package private(set) var operands: [String] = []

    /// Whether an option was given.
    package func has(_ name: String) -> Bool { values[name] != nil }
    /// All arguments of an option, in order.
    package func all(_ name: String) -> [String] { values[name] ?? [] }
    /// The last argument of an option, or nil when it was not given.
    package func last(_ name: String) -> String? { values[name]?.last }

    /// The argument of an option as a whole number of a range.
    package func integer(_ name: String, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = last(name) else { return nil }
        guard let value = Int(text), range.contains(value) else {
            let limits =
                range.upperBound == .max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw UsageError("--\(name) is “\(text)”, but must be a whole number \(limits)")
        }
        return value
    }

    /// The argument of an option as a positive number of seconds.
    package func seconds(_ name: String) throws(UsageError) -> Double? {
        guard let text = last(name) else { return nil }
        guard let value = Double(text), value.isFinite, value > 0, value <= 1e6 else {
            throw UsageError("--\(name) is “\(text)”, but must be a number of seconds above 0")
        }
        return value
    }

    /// Parses with `getopt_long`: options and operands may be mixed, `--` ends the options.
    ///
    /// Thread-safe: `getopt_long` keeps its state in globals of the C library, and a lock is held while it is used.
    package init(_ arguments: [String], syntax: CommandSyntax) throws(UsageError) {
        self = try Self.parsing.withLock { _ in Result { () throws(UsageError) in try Self(parsing: arguments, syntax) }
        }.get()
    }

    private static let parsing = Mutex(())

    private init(parsing arguments: [String], _ syntax: CommandSyntax) throws(UsageError) {
        var short = ":"
        for option in syntax.options {
            if let letter = option.short { short += "\(letter)" + (option.argument == nil ? "" : ":") }
        }
        // Long options answer with their place among the options, far above every character.
        let base: Int32 = 1000
        let names = syntax.options.map { strdup($0.name) }
        defer { for name in names { free(name) } }
        let long =
            syntax.options.indices.map { index in
                option(
                    name: names[index], has_arg: syntax.options[index].argument == nil ? 0 : 1, flag: nil,
                    val: base + Int32(index))
            } + [option(name: nil, has_arg: 0, flag: nil, val: 0)]
        var argv: [UnsafeMutablePointer<CChar>?] = ([syntax.command] + arguments).map { strdup($0) } + [nil]
        let owned = argv
        defer { for string in owned { free(string) } }

        var next = 0
        for turn in 0... {
            let answer = clinux_next_option(turn == 0 ? 1 : 0, Int32(arguments.count + 1), &argv, short, long)
            next = Int(answer.next)
            if answer.value == -1 { break }
            if answer.value == Int32(UInt8(ascii: "?")) || answer.value == Int32(UInt8(ascii: ":")) {
                throw Self.complaint(answer, argv, syntax)
            }
            let index =
                answer.value >= base
                ? Int(answer.value - base)
                : syntax.options.firstIndex { $0.short?.asciiValue.map(Int32.init) == answer.value }!
            let argument = answer.argument.map { String(cString: $0) }
            values[syntax.options[index].name, default: []].append(argument ?? "")
        }
        operands = argv[next..<arguments.count + 1].map { String(cString: $0!) }
    }

    private static func complaint(
        _ answer: clinux_option_answer, _ argv: [UnsafeMutablePointer<CChar>?], _ syntax: CommandSyntax
    ) -> UsageError {
        let typed = argv[max(Int(answer.next) - 1, 0)].map { String(cString: $0) } ?? ""
        let letter = UInt8(exactly: answer.offending).map { "-\(Character(UnicodeScalar($0)))" } ?? typed
        let wayOut = "see `\(syntax.command) --help`"
        if answer.value == Int32(UInt8(ascii: ":")) {
            return UsageError("\(typed.hasPrefix("--") ? typed : letter) needs an argument; \(wayOut)")
        }
        guard typed.hasPrefix("--") else { return UsageError("there is no option \(letter); \(wayOut)") }
        let name = typed.dropFirst(2).prefix { $0 != "=" }
        if syntax.options.contains(where: { $0.name == name }) {
            return UsageError("--\(name) takes no argument; \(wayOut)")
        }
        let near = nearest(to: String(name), in: syntax.options.map(\.name), atMost: 1)
        let hint = near.isEmpty ? wayOut : "did you mean --\(near[0])? \(wayOut)"
        return UsageError("there is no option --\(name); \(hint)")
    }
}
