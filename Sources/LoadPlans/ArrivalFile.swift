import CommandOptions
import FoundationEssentials

/// A file of arrivals: one moment in seconds on each line, from whatever begin, in order; empty lines and those that begin with `#`
/// count nothing.
package enum ArrivalFile {
    /// A day: nobody waits for longer.
    private static let longest = 86_400.0

    /// The moments in nanoseconds after the first.
    package static func read(_ path: String) throws(UsageError) -> [Int64] {
        guard let data = try? Data(contentsOf: URL(filePath: path)) else {
            throw UsageError(
                "--arrivals “\(path.oneLine)” is neither poisson, uniform nor a file that can be read")
        }
        return try moments(String(decoding: data, as: UTF8.self), path)
    }

    static func moments(_ text: String, _ path: String) throws(UsageError) -> [Int64] {
        var moments: [Int64] = []
        var first = 0.0
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let word = line.filter { !$0.isWhitespace }
            if word.isEmpty || word.hasPrefix("#") { continue }
            guard let seconds = Double(word), seconds.isFinite, abs(seconds) < 1e10 else {
                throw UsageError("\(path.oneLine), line \(number + 1): “\(word.oneLine)” is no number of seconds")
            }
            if moments.isEmpty { first = seconds }
            guard seconds - first < longest else {
                throw UsageError(
                    "\(path.oneLine), line \(number + 1): it is more than \(Int(longest)) s after the first; is that meant?"
                )
            }
            let moment = Int64(((seconds - first) * 1e9).rounded())
            guard moment >= moments.last ?? 0 else {
                throw UsageError("\(path.oneLine), line \(number + 1): it is before the line above; sort the file")
            }
            moments.append(moment)
        }
        guard !moments.isEmpty else {
            throw UsageError("\(path.oneLine) has no arrivals: one moment in seconds a line")
        }
        return moments
    }
}
