import Foundation
import FoundationNetworking
import HTTPStacks
import Results

extension URLSessionConfiguration {
    /// A configuration that keeps nothing from other sessions, and no answers.
    static func following(_ policy: ConnectionPolicy) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpMaximumConnectionsPerHost = policy.connections
        if !policy.keepsCookies {
            configuration.httpCookieStorage = nil
            configuration.httpCookieAcceptPolicy = .never
            configuration.httpShouldSetCookies = false
        }
        return configuration
    }
}

/// The queue on which a session calls its delegate.
///
/// A session's own queue shares the threads of `DispatchQueue.global()`: where those are blocked, no request ever ends.
/// A serial queue has a thread of its own as soon as it needs one.
struct SessionQueue: Sendable {
    let operations = OperationQueue()
    /// The operation queue does not keep it alive.
    private let underlying = DispatchQueue(label: "answers of a session")

    init() {
        operations.underlyingQueue = underlying
        operations.maxConcurrentOperationCount = 1
    }
}

extension URLRequest {
    /// The same request as a session takes it.
    ///
    /// - Throws: what it would silently make another request of.
    init(_ request: HTTPRequest, keepsAlive: Bool, usesOwnTimeOuts: Bool) throws(RequestFailure) {
        guard let url = URL(string: request.url), let host = url.host, !host.isEmpty,
            url.scheme == "http" || url.scheme == "https"
        else { throw RequestFailure(.clientLimit, "the URL is none of HTTP") }
        self.init(url: url)
        httpMethod = request.method
        // A day: whole seconds, which the session takes as they are, and more than any request here may take.
        timeoutInterval = usesOwnTimeOuts ? 86_400 : request.timeLimit.seconds
        for header in request.headers {
            guard !header.name.isEmpty,
                !(header.name + header.value).utf8.contains(where: { $0 == 0x0a || $0 == 0x0d || $0 == 0 })
            else { throw RequestFailure(.clientLimit, "a header is no line of a name and a value") }
            addValue(header.value, forHTTPHeaderField: header.name)
        }
        if !keepsAlive { setValue("close", forHTTPHeaderField: "Connection") }
        switch request.body {
        case .none: break
        case .bytes(let bytes): httpBody = Data(bytes)
        case .streamed(let bytes):
            // It would send both lengths, and servers refuse that (swift issue 68422).
            guard value(forHTTPHeaderField: "Content-Length") == nil else {
                throw RequestFailure(.clientLimit, "a streamed body has no Content-Length")
            }
            httpBodyStream = InputStream(data: Data(bytes))
        }
    }

    /// Adds the cookies that a session forgets when it asks a delegate about a redirect (swift-corelibs-foundation
    /// issue 5294).
    mutating func addCookies(of storage: HTTPCookieStorage?) {
        guard let url, let cookies = storage?.cookies(for: url), !cookies.isEmpty else { return }
        for (name, value) in HTTPCookie.requestHeaderFields(with: cookies) { setValue(value, forHTTPHeaderField: name) }
    }
}
