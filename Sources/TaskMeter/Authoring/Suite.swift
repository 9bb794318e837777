import Results
import Strategies

/// The benchmarks of one executable.
///
/// ```swift
/// import TaskMeter
///
/// Suite("Naps") {
///     Benchmark("nap", "Sleeps for one millisecond.", tasks: 1_000) { _ in usleep(1_000) }
/// }.main()
/// ```
public struct Suite: Sendable {
    let name: String
    let benchmarks: [Benchmark]
    let runsByDefault: Bool

    /// - Parameters:
    ///   - name: unique among the suites of a package.
    ///   - runsByDefault: whether `taskmeter run` runs the suite when it is not named.
    public init(_ name: String, runsByDefault: Bool = true, @SuiteBuilder _ benchmarks: () -> [Benchmark]) {
        self.name = name
        self.runsByDefault = runsByDefault
        self.benchmarks = benchmarks()
    }
}

/// Collects the benchmarks that a suite's declaration lists; `if` and `for` may be used.
@resultBuilder
public enum SuiteBuilder {
    public static func buildExpression(_ benchmark: Benchmark) -> [Benchmark] { [benchmark] }
    public static func buildBlock(_ parts: [Benchmark]...) -> [Benchmark] { parts.flatMap { $0 } }
    public static func buildArray(_ parts: [[Benchmark]]) -> [Benchmark] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [Benchmark]?) -> [Benchmark] { part ?? [] }
    public static func buildEither(first: [Benchmark]) -> [Benchmark] { first }
    public static func buildEither(second: [Benchmark]) -> [Benchmark] { second }
}
