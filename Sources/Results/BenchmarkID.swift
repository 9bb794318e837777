/// The identity of a benchmark for ever: `suite/name[axis=value,…]`, axes in the order of their declaration.
public struct BenchmarkID: Hashable, Sendable, Codable, CustomStringConvertible {
    /// One axis of a benchmark and the value this benchmark has on it.
    public struct Parameter: Hashable, Sendable, Codable {
        /// The axis's name.
        public var axis: String
        /// The value as text.
        public var value: String

        /// One axis and a value on it; neither may hold a reserved character.
        public init(axis: String, value: String) {
            self.axis = axis
            self.value = value
        }
    }

    /// The suite's name.
    public var suite: String
    /// The benchmark's name in its suite.
    public var name: String
    /// Its values on its axes, in the order of their declaration.
    public var parameters: [Parameter]

    /// An identity of parts that hold no reserved character.
    public init(suite: String, name: String, parameters: [Parameter] = []) {
        self.suite = suite
        self.name = name
        self.parameters = parameters
    }

    /// `suite/name[axis=value,…]`.
    public var description: String { "\(suite)/\(name)" + Self.brackets(parameters) }

    /// The value on an axis, or nil when this benchmark has no such axis.
    public subscript(axis: String) -> String? { parameters.first { $0.axis == axis }?.value }

    /// The strategy that this benchmark ran under, when it has that axis.
    public var strategy: String? { self[Self.strategyAxis] }

    /// The same identity without its strategy: benchmarks of one workload differ in nothing else.
    public var workload: BenchmarkID {
        BenchmarkID(suite: suite, name: name, parameters: parameters.filter { $0.axis != Self.strategyAxis })
    }

    /// The axis whose values are ways of executing tasks.
    public static let strategyAxis = "strategy"

    /// Characters that would make an identity ambiguous.
    public static let reservedCharacters = "/[]=,"

    private static func brackets(_ parameters: [Parameter]) -> String {
        guard !parameters.isEmpty else { return "" }
        return "[" + parameters.map { "\($0.axis)=\($0.value)" }.joined(separator: ",") + "]"
    }

    /// Reads `suite/name[axis=value,…]`; nil when the text has another form.
    public init?(_ text: some StringProtocol) {
        guard let slash = text.firstIndex(of: "/") else { return nil }
        suite = String(text[..<slash])
        let rest = text[text.index(after: slash)...]
        guard let bracket = rest.firstIndex(of: "[") else {
            name = String(rest)
            parameters = []
            return
        }
        guard rest.last == "]" else { return nil }
        name = String(rest[..<bracket])
        parameters = []
        for pair in rest[rest.index(after: bracket)...].dropLast().split(separator: ",") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { return nil }
            parameters.append(Parameter(axis: String(halves[0]), value: String(halves[1])))
        }
    }

    /// Decodes the text of an identity.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = BenchmarkID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(text)” is not of the form suite/name[axis=value,…]")
        }
        self = id
    }

    /// Encodes as the text of the identity.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
