import CommandOptions

/// Why a run could not be made, in one sentence with the way out.
package enum RunError: Error, CustomStringConvertible, Equatable {
    /// What the person asked for cannot be: exit code 2.
    case usage(String)
    /// The machine or the build is not fit for it: exit code 3.
    case environment(String)

    package var description: String {
        switch self {
        case .usage(let sentence), .environment(let sentence): sentence
        }
    }

    package var exitCode: Int32 {
        switch self {
        case .usage: ExitCode.usage
        case .environment: ExitCode.environment
        }
    }
}

/// What the exit codes of `taskmeter` and of suites mean.
package enum ExitCode {
    package static let done: Int32 = 0
    /// Some trial failed, or some task of a trial did, or `--max-time` left a benchmark without a trial.
    package static let benchmarkFailed: Int32 = 1
    package static let usage: Int32 = 2
    package static let environment: Int32 = 3
    /// Of a comparison: something is undecided, and that was not to be.
    package static let undecided: Int32 = 4
    /// Of a comparison: there is nothing on both sides that can be compared.
    package static let notComparable: Int32 = 5
    /// Ctrl-C, or another signal that asks for the end: 128 + 2, whichever it was.
    package static let interrupted: Int32 = 130

    package static let notes = """
        Exit codes: 0 done; 1 some benchmark failed, or had no time; 2 wrong usage; 3 the machine or the build is not fit;
        130 interrupted, what was measured is kept.
        """
}
