import ChildProcesses
import FoundationEssentials
import Glibc

/// An authority for certificates that is made for one server, signs that server's, and then forgets its key.
///
/// The certificates have keys on the curve P-256, which are made in no time, and are good for 30 days.
struct TestAuthority {
    /// The default certificate is for this address, and for `localhost`.
    static let address = "127.0.0.1"
    /// Certificate of the authority (PEM), which clients are to trust.
    let certificate: String
    private let folder: String
    private let program: String
    private static let limit = 10_000

    /// Makes the authority and, all at once, a certificate and a key for `address` and for each of the names:
    /// `NAME.pem` and `NAME.key` in the folder.
    init(folder: String, names: [String]) throws {
        guard let program = ChildProcess.executable(named: "openssl") else { throw LocalServerError.noOpenSSL }
        (self.folder, self.program) = (folder, program)
        certificate = "\(folder)/authority.pem"
        try Data(Self.configuration.utf8).write(to: URL(filePath: "\(folder)/openssl.conf"))
        let log = open("\(folder)/openssl.log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(log) }

        try finish([start("authority", ["-extensions", "authority"], log: log)])
        let signed = ["-extensions", "server", "-CA", certificate, "-CAkey", "\(folder)/authority.key"]
        var started: [ChildProcess] = []
        do {
            for name in [Self.address] + names {
                let alternatives = name == Self.address ? "IP:\(name),DNS:localhost" : "DNS:\(name)"
                started.append(try start(name, signed + ["-addext", "subjectAltName=\(alternatives)"], log: log))
            }
        } catch {
            try? finish(started)
            throw error
        }
        try finish(started)
        unlink("\(folder)/authority.key")
    }

    private func start(_ name: String, _ arguments: [String], log: Int32) throws(SpawnError) -> ChildProcess {
        try ChildProcess(
            program,
            [
                "req", "-x509", "-config", "\(folder)/openssl.conf", "-subj", "/CN=\(name)", "-days", "30", "-newkey",
                "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc", "-keyout", "\(folder)/\(name).key", "-out",
                "\(folder)/\(name).pem",
            ] + arguments, output: .descriptor(log), error: .descriptor(log), leadsGroup: true)
    }

    /// Waits for all of them, also when one has failed.
    private func finish(_ started: [ChildProcess]) throws {
        var failure: ExitStatus?
        for child in started {
            var status = child.waitUntilExit(milliseconds: Self.limit)
            if status == nil {
                child.signal(SIGKILL)
                status = child.waitUntilExit()
            }
            if status != .exited(0) { failure = failure ?? status }
        }
        guard let failure else { return }
        throw LocalServerError.noCertificate(
            status: "\(failure)", errors: LocalServer.text(of: "\(folder)/openssl.log"))
    }

    /// All that is said of the certificates is said here and on the command line: a machine's own `openssl.cnf` has no
    /// part in it.
    private static let configuration = """
        [req]
        distinguished_name = name
        prompt = no
        [name]
        [authority]
        basicConstraints = critical, CA:TRUE
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash
        [server]
        basicConstraints = critical, CA:FALSE
        keyUsage = critical, digitalSignature
        extendedKeyUsage = serverAuth
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid

        """
}
