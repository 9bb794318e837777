import CommandOptions
import Results

/// The benchmarks that a request selects among those that suites describe.
package struct Selection {
    /// A benchmark and the suite that executes it.
    package struct Member: Sendable {
        package var executable: SuiteExecutable
        package var description: BenchmarkDescription
    }

    package var members: [Member]
    /// Each once.
    var executables: [SuiteExecutable] {
        members.map(\.executable).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
    /// Whether all suites that were asked were built with optimisation.
    package let areOptimised: Bool

    package init(_ request: RunRequest, among suites: [SuiteExecutable.Description]) throws(RunError) {
        let all = suites.flatMap { suite in
            suite.benchmarks.map { Member(executable: suite.executable, description: $0) }
        }
        areOptimised = suites.allSatisfy(\.isOptimised)
        try Self.checkUnique(suites)
        try Self.checkAxes(request.axes, all.map(\.description.id))
        let filters = try request.filters.map { text throws(RunError) in try Self.expression(text, option: "filter") }
        let skips = try request.skips.map { text throws(RunError) in try Self.expression(text, option: "skip") }
        members = all.filter { member in
            let identity = member.description.id.description
            return (filters.isEmpty || filters.contains { identity.contains($0) })
                && !skips.contains { identity.contains($0) }
                && request.axes.allSatisfy { axis, values in member.description.id[axis].map(values.contains) ?? false }
        }
        guard members.isEmpty, !request.mayBeNothing else { return }
        throw Self.nothingSelected(request, all.map(\.description.id))
    }

    private static func checkUnique(_ suites: [SuiteExecutable.Description]) throws(RunError) {
        var names: [String: SuiteExecutable] = [:]
        for suite in suites {
            if let other = names.updateValue(suite.executable, forKey: suite.suite) {
                throw .usage(
                    "\(other.path) and \(suite.executable.path) are both named suite \(suite.suite); give one another name"
                )
            }
        }
    }

    private static func checkAxes(_ axes: [String: Set<String>], _ identities: [BenchmarkID]) throws(RunError) {
        for (axis, values) in axes.sorted(by: { $0.key < $1.key }) {
            let known = identities.compactMap { $0[axis] }
            guard !known.isEmpty else {
                let names = Set(identities.flatMap { $0.parameters.map(\.axis) }).sorted()
                throw .usage(
                    "--axis \(axis)=…: no benchmark has that axis; there are: \(names.joined(separator: ", "))")
            }
            for value in values.sorted() where !known.contains(value) {
                var seen: Set<String> = []
                let list = known.filter { seen.insert($0).inserted }.joined(separator: ", ")
                throw .usage("--axis \(axis)=\(value): the axis has no such value; it has: \(list)")
            }
        }
    }

    private static func expression(_ text: String, option: String) throws(RunError) -> Regex<AnyRegexOutput> {
        do { return try Regex(text) } catch {
            throw .usage(
                "--\(option) “\(text)” is no regular expression (\(error)); put a \\ before [ ] ( ) + * ? to mean themselves"
            )
        }
    }

    private static func nothingSelected(_ request: RunRequest, _ identities: [BenchmarkID]) -> RunError {
        guard !identities.isEmpty else { return .usage("the suites declare no benchmarks") }
        let wanted = (request.filters + request.axes.flatMap(\.value)).joined(separator: " ")
        let near = nearest(to: wanted, in: identities.map(\.description), atMost: 5)
        let shown = near.isEmpty ? identities.prefix(5).map(\.description) : near
        return .usage(
            "nothing is selected: none of \(identities.count) benchmarks is left by --filter, --skip and --axis; \(near.isEmpty ? "for example there are" : "near names"): "
                + shown.joined(separator: ", ") + "; `taskmeter list` shows all")
    }
}
