/// Why a strategy cannot be what its name says.
package struct StrategyError: Error, CustomStringConvertible {
    package var description: String
}
