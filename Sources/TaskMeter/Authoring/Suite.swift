import Results
import Strategies

/// The benchmarks of one executable.
///
/// ```swift
/// import Glibc
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
    /// One benchmark.
    public static func buildExpression(_ benchmark: Benchmark) -> [Benchmark] { [benchmark] }
    /// Benchmarks one after the other.
    public static func buildBlock(_ parts: [Benchmark]...) -> [Benchmark] { parts.flatMap { $0 } }
    /// Benchmarks of a `for` loop.
    public static func buildArray(_ parts: [[Benchmark]]) -> [Benchmark] { parts.flatMap { $0 } }
    /// Benchmarks of an `if`, or none.
    public static func buildOptional(_ part: [Benchmark]?) -> [Benchmark] { part ?? [] }
    /// Benchmarks of the first branch of an `if`.
    public static func buildEither(first: [Benchmark]) -> [Benchmark] { first }
    /// Benchmarks of the other branch.
    public static func buildEither(second: [Benchmark]) -> [Benchmark] { second }
}
