import Foundation
import FoundationNetworking
import HTTPStacks

extension RequestFailure {
    /// What an error of a session means.
    ///
    /// Most of libcurl's errors arrive as `unknown`, with libcurl's sentence as all that tells them apart
    /// (`urlErrorCode(for:)` in swift-corelibs-foundation).
    ///
    /// - Parameter hasAnswer: whether the head of an answer had come.
    init(_ error: any Error, hasAnswer: Bool) {
        let ended: RequestFailure =
            hasAnswer
            ? RequestFailure(.truncated, "the connection ended within the body")
            : RequestFailure(.protocol, "the connection ended before an answer began")
        // Other errors than those of URLSession's domain are not known to come.
        let error = error as NSError
        switch error.code {
        case NSURLErrorCancelled: self.init(.cancelled, "by its caller")
        case NSURLErrorTimedOut: self.init(.timeOut, "by the session")
        case NSURLErrorCannotFindHost: self.init(.name, "the host was not found")
        case NSURLErrorCannotConnectToHost: self.init(.connect, "Connection refused")
        case NSURLErrorNetworkConnectionLost, NSURLErrorBadServerResponse: self = ended
        case NSURLErrorHTTPTooManyRedirects: self = .tooManyRedirects
        case NSURLErrorDataLengthExceedsMaximum: self.init(.clientLimit, "a GET with a body")
        // Of libcurl's “unsupported protocol”, which is what an answer is to it that is no HTTP. URLs of other schemes
        // never get here.
        case NSURLErrorUnsupportedURL:
            self.init(.protocol, "the answer is no HTTP, or leads to a URL of another scheme")
        case NSURLErrorBadURL: self.init(.clientLimit, "the URL is none that it takes")
        default: self.init(sentence: error.localizedDescription, ended)
        }
    }

    /// What libcurl's sentence means, by words of it that have no numbers in them.
    private init(sentence: String, _ ended: RequestFailure) {
        let known: [(words: String, failure: RequestFailure)] = [
            ("Out of memory", RequestFailure(.clientLimit, "libcurl: Out of memory")),
            ("too large", RequestFailure(.clientLimit, "libcurl: A value or data field grew larger than allowed")),
            ("SSL", RequestFailure(.tls, "libcurl: encryption or the certificate")),
            ("certificate", RequestFailure(.tls, "libcurl: encryption or the certificate")),
            ("TLS", RequestFailure(.tls, "libcurl: encryption or the certificate")),
            // That is said only of a body, even where nobody was told of its head.
            ("transfer closed", RequestFailure(.truncated, "the connection ended within the body")),
            ("Recv failure", ended), ("Send failure", ended), ("Empty reply", ended),
            ("Failed to connect", RequestFailure(.connect, "libcurl: Failed to connect")),
            ("Couldn't connect", RequestFailure(.connect, "libcurl: Failed to connect")),
            ("HTTP/0.9", RequestFailure(.protocol, "libcurl: Received HTTP/0.9 when not allowed")),
            ("header", RequestFailure(.protocol, "libcurl: the answer's head")),
            ("chunk", RequestFailure(.protocol, "libcurl: a chunk of the body is malformed")),
        ]
        if let match = known.first(where: { sentence.contains($0.words) }) {
            self = match.failure
        } else {
            // Without its numbers, equal failures have equal sentences.
            self.init(.protocol, "libcurl: " + sentence.filter { !$0.isNumber })
        }
    }

    static let tooManyRedirects = RequestFailure(.clientLimit, "more redirects than may be followed")
}
