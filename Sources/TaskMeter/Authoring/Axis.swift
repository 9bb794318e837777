import Clocks
import Results
import Strategies

/// A value that can stand on an axis: its text is part of benchmarks' identities.
public protocol AxisValue: Hashable, Sendable {
    /// The value as it stands in an identity; two different values have different texts.
    var axisText: String { get }
}

extension Double: AxisValue {
    /// Its digits, without a fraction where it is whole.
    public var axisText: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}

extension Int: AxisValue {
    /// Its decimal digits.
    public var axisText: String { String(self) }
}
extension String: AxisValue {
    /// The text itself.
    public var axisText: String { self }
}
extension Bool: AxisValue {
    /// `on` or `off`.
    public var axisText: String { self ? "on" : "off" }
}
extension StrategyChoice: AxisValue {
    /// Its name.
    public var axisText: String { name }
}

/// A parameter of benchmarks: a name and the values that it takes.
///
/// ```swift
/// let bytes = Axis("bytes", 1_024, 65_536)
/// ```
/// A benchmark with several axes runs with each combination of their values.
public struct Axis<Value: AxisValue>: Sendable {
    /// Its name, which is part of identities.
    public let name: String
    /// The values that it takes, in order.
    public let values: [Value]
    /// How many of them, from the first on, it takes in every run; the others only with `--full`.
    let usual: Int

    /// An axis with at least one value, none of them twice.
    public init(_ name: String, _ values: Value...) { self.init(name, values) }

    /// An axis with at least one value, none of them twice.
    ///
    /// - Parameter full: further values that take long: they are measured when a run is asked for all with `--full`.
    public init(_ name: String, _ values: [Value], full: [Value] = []) {
        self.name = name
        self.values = values + full
        usual = values.count
    }
}

/// An axis of any type of value. Only `Axis` conforms.
public protocol AnyAxis: Sendable {
    /// Its name, which is part of identities.
    var name: String { get }
    /// The values as they stand in identities, in order.
    var valueTexts: [String] { get }
    /// The value at a place in `valueTexts`.
    func value(at index: Int) -> any AxisValue
    /// Whether the value at a place is measured with `--full` only.
    func takesLong(at index: Int) -> Bool
}

extension Axis: AnyAxis {
    /// The texts of the values, in order.
    public var valueTexts: [String] { values.map(\.axisText) }
    /// The value at a place in `valueTexts`.
    public func value(at index: Int) -> any AxisValue { values[index] }
    /// Whether the value at a place is measured with `--full` only.
    public func takesLong(at index: Int) -> Bool { index >= usual }
}

/// The values that one benchmark has on its axes.
public struct Parameters: Sendable {
    private let values: [String: any AxisValue]

    /// The run's seed: what a benchmark draws at random should come from it, so that a run can be repeated.
    public let seed: UInt64

    /// An empty folder for this trial alone, for whatever its work needs on disk. The runner removes it after the trial,
    /// whatever became of the suite.
    public let scratchFolder: String

    /// Whether the run is a quick one (`--quick`), for trying things: what takes long should take a tenth of its time.
    public let isQuick: Bool

    /// The clock of the run: moments that are read from it can be compared with those of task records.
    public let clock: MonotonicClock

    init(
        _ values: [String: any AxisValue], seed: UInt64, scratchFolder: String, isQuick: Bool = false,
        clock: MonotonicClock = MonotonicClock()
    ) {
        self.values = values
        self.isQuick = isQuick
        self.seed = seed
        self.scratchFolder = scratchFolder
        self.clock = clock
    }

    /// The strategy by which the tasks of this benchmark are executed; nil for one that has no tasks.
    public var strategy: StrategyChoice? { values[BenchmarkID.strategyAxis] as? StrategyChoice }

    /// The value on an axis of this benchmark. Asking for an axis that the benchmark was not declared with is a
    /// mistake in the suite, and stops it with a sentence that says so.
    public subscript<Value>(axis: Axis<Value>) -> Value {
        guard let value = values[axis.name] as? Value else {
            fatalError("the benchmark was not declared with the axis “\(axis.name)”: add it to `axes:`")
        }
        return value
    }
}
