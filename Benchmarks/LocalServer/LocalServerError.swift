/// Why there is no server, or not what was asked of it.
package enum LocalServerError: Error, Hashable, CustomStringConvertible {
    case notInstalled
    /// Folders where the module was looked for.
    case noScripts(folders: [String])
    case noOpenSSL
    case noCertificate(status: String, errors: String)
    case ended(status: String, errors: String)
    case notReady(errors: String)
    /// The first request was answered otherwise.
    case wrongAnswer(path: String, answer: String, errors: String)
    /// The site was not made for it.
    case notOffered(String)
    /// Its process is there no more.
    case gone
    /// A line of the access log, counted from 1.
    case unreadableLog(line: Int)

    package var description: String {
        switch self {
        case .notInstalled:
            "nginx is not installed: `make setup` installs it (on Debian, `apt-get install nginx-light` does)"
        case .noScripts(let folders):
            "nginx has no module for Lua (looked in \(folders.joined(separator: ", "))): `make setup` installs it "
                + "(on Debian, `apt-get install libnginx-mod-http-lua` does)"
        case .noOpenSSL:
            "openssl is not installed: `make setup` installs it (on Debian, `apt-get install openssl` does)"
        case .noCertificate(let status, let errors):
            "openssl made no certificate and ended with \(status): \(Self.told(errors))"
        case .ended(let status, let errors): "nginx ended at its start with \(status): \(Self.told(errors))"
        case .notReady(let errors): "nginx accepted no connection within its time to start: \(Self.told(errors))"
        case .wrongAnswer(let path, let answer, let errors):
            "nginx answered the request for \(path) with “\(answer)”: \(Self.told(errors))"
        case .notOffered(let what): "the local server was started without \(what)"
        case .gone: "the local server has ended"
        case .unreadableLog(let line): "line \(line) of nginx's access log cannot be read"
        }
    }

    private static func told(_ errors: String) -> String {
        let lines = errors.split(whereSeparator: \.isNewline)
        return lines.isEmpty ? "it gave no reason" : lines.joined(separator: "; ")
    }
}
