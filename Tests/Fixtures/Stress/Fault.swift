import Results

/// Something was not as it must be.
struct Fault: Error, CustomStringConvertible {
    var description: String
}

/// What is exercised under one name.
struct Part: Sendable {
    var name: String
    /// Throws a `Fault`.
    var exercise: @Sendable (_ rounds: Int) throws -> Void

    init(_ name: String, _ exercise: @escaping @Sendable (_ rounds: Int) throws -> Void) {
        self.name = name
        self.exercise = exercise
    }
}

func check(_ isTrue: Bool, _ fault: @autoclosure () -> String) throws(Fault) {
    if !isTrue { throw Fault(description: fault()) }
}

/// Limit of waits that end soon, unless something hangs.
let long = Nanoseconds.seconds(60)
