import CCurl
import Glibc

extension RequestFailure {
    /// No connection: for want of what this side has too little of, or else the other side's doing.
    static func connecting(errno: CInt, otherwise detail: String? = nil) -> RequestFailure {
        switch errno {
        case EMFILE, ENFILE: RequestFailure(.clientLimit, "as many files are open as the system lets this process open")
        case EADDRNOTAVAIL: RequestFailure(.clientLimit, "all ports of this side were used a moment ago")
        default: RequestFailure(.connect, detail ?? String(cString: strerror(errno)))
        }
    }

    /// The class of what libcurl calls a failed transfer.
    ///
    /// - Parameters:
    ///   - code: not `CURLE_OK`.
    ///   - hasHead: whether the first line of the answer had come.
    ///   - wasReady: whether a connection was ready for the request.
    static func of(
        _ code: CURLcode, afterHead hasHead: Bool, wasReady: Bool, isCancelled: Bool, errno: Int
    ) -> RequestFailure {
        let said = "libcurl says “\(String(cString: curl_easy_strerror(code)))”"
        if isCancelled { return RequestFailure(.cancelled, "by its caller") }
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return RequestFailure(.name, said)
        case CURLE_COULDNT_CONNECT: return .connecting(errno: CInt(truncatingIfNeeded: errno), otherwise: said)
        case CURLE_OPERATION_TIMEDOUT: return RequestFailure(.timeOut, said)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED:
            return RequestFailure(.tls, said)
        case CURLE_PARTIAL_FILE: return RequestFailure(.truncated, said)
        case CURLE_RECV_ERROR, CURLE_HTTP2_STREAM, CURLE_HTTP2:
            return RequestFailure(hasHead ? .truncated : .protocol, said)
        // One head of a request has a limit of 1 MiB, and beyond it libcurl 7 runs “out of memory” (CURLE_TOO_LARGE
        // since 8.6).
        case CURLE_OUT_OF_MEMORY, CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT, CURLcode(100):
            return RequestFailure(.clientLimit, said)
        case CURLE_TOO_MANY_REDIRECTS: return RequestFailure(.clientLimit, "more redirects than may be followed")
        // Before a request that is a URL of another scheme; after it, an answer that is no HTTP (libcurl takes it for
        // HTTP/0.9), or a redirect to another scheme.
        case CURLE_UNSUPPORTED_PROTOCOL: return RequestFailure(wasReady ? .protocol : .clientLimit, said)
        default: return RequestFailure(.protocol, said)
        }
    }
}
