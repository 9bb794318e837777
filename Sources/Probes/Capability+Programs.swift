import ChildProcesses
import Results

/// A program that TaskMeter calls, and its version.
func program(_ name: String, for purpose: String, version arguments: [String]) -> Capability {
    let state: Capability.State
    if let path = ChildProcess.executable(named: name) {
        do {
            let output = try ChildProcess.run(path, arguments, seconds: 5)
            state =
                output.status == .exited(0)
                ? .available(firstLine(output.text + output.errors))
                : .unavailable(
                    reason: "\(path) ended with \(output.status) when asked for its version",
                    remedy: "make setup")
        } catch {
            state = .unavailable(reason: error.description, remedy: "make setup")
        }
    } else {
        state = .unavailable(reason: "not installed", remedy: "make setup")
    }
    return Capability(name, for: purpose, state)
}

/// The library by which the suite Requests speaks HTTP.
func curl() -> Capability {
    let version = SharedLibrary("libcurl.so.4").map { $0.text(ofFunction: "curl_version") ?? "version unknown" }
    return Capability(
        "libcurl", for: "the requests of the suite Requests",
        version.map { .available($0) }
            ?? .unavailable(reason: "there is no libcurl.so.4 that can be loaded", remedy: "make setup"))
}

/// The first line that is not empty.
private func firstLine(_ text: String) -> String {
    trimmed(text.split(whereSeparator: \.isNewline).first ?? "version unknown")
}
