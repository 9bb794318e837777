/// Why a strategy cannot be what its name says.
struct StrategyError: Error, CustomStringConvertible {
    var description: String
}
