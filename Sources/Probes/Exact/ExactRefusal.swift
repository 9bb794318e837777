/// Why exact counts are not to be had; the sentence is for a `Reading` that is unsupported.
package struct ExactRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package var reason: String
    package var description: String { reason }

    package init(_ reason: String) { self.reason = reason }
}
