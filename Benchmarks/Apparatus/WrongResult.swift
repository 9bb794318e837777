/// What a benchmark did is not what it should have done, and its times are not to be used.
package struct WrongResult: Error, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}
