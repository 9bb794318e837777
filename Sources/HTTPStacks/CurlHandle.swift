import CCurl
import Clocks
import Results

/// An easy handle of libcurl, which makes one request at a time, over and over.
///
/// Belongs to whoever uses it: a handle may not be used by two at once.
final class CurlHandle {
    let handle: UnsafeMutableRawPointer
    /// At a fixed place in memory, because libcurl keeps its address.
    let transfer: UnsafeMutablePointer<CurlTransfer>
    /// By which a loop that has many knows it.
    var number = 0
    var place = 0
    private let policy: ConnectionPolicy
    /// Kept for as long as the handle shares them.
    private let cookies: CurlCookies?
    /// What the handle is set to: only what differs in the next request is set again.
    private var prepared: HTTPRequest?
    private var headers: UnsafeMutablePointer<curl_slist>?
    private let addresses: UnsafeMutablePointer<curl_slist>?

    /// libcurl's own start, once for the process: before the first handle, and never by two threads at once.
    static let start: CURLcode = curl_global_init(Int(CURL_GLOBAL_ALL))

    /// - Parameters:
    ///   - sockets: what makes and closes its sockets; it must outlive them.
    ///   - tellsSending: whether the moment is told at which a request was sent, for which libcurl puts all its steps into words.
    init(
        _ policy: ConnectionPolicy, clock: MonotonicClock, cookies: CurlCookies? = nil, tellsSending: Bool,
        sockets: SocketWatch? = nil
    ) throws(StackError) {
        guard Self.start == CURLE_OK, let handle = curl_easy_init() else {
            throw StackError(description: "libcurl gave no handle")
        }
        self.handle = handle
        self.policy = policy
        self.cookies = cookies
        transfer = .allocate(capacity: 1)
        transfer.initialize(to: CurlTransfer(handle, clock, policy.version))
        addresses = policy.addresses.reduce(nil) { list, address in
            curl_slist_append(list, "\(address.host):\(address.port):\(address.address)")
        }
        var codes = [
            ccurl_set_pointer(handle, CURLOPT_PRIVATE, Unmanaged.passUnretained(self).toOpaque()),
            // The environment's proxy must not come between a benchmark and its server.
            ccurl_set_text(handle, CURLOPT_PROXY, ""),
            // Time-outs by signals would hit whatever thread the process has.
            ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
            ccurl_set_writer(handle, readBody, transfer),
            ccurl_set_head_reader(handle, readHead, transfer),
            ccurl_set_reader(handle, writeBody, seekBody, transfer),
            ccurl_set_progress(handle, goOn, transfer),
            ccurl_set_ready(handle, noteReady, transfer),
        ]
        if tellsSending {
            codes.append(ccurl_set_debug(handle, noteStep, transfer))
            codes.append(ccurl_set_number(handle, CURLOPT_VERBOSE, 1))
        }
        if !policy.keepsAlive {
            codes.append(ccurl_set_number(handle, CURLOPT_FRESH_CONNECT, 1))
            codes.append(ccurl_set_number(handle, CURLOPT_FORBID_REUSE, 1))
        }
        if let sockets {
            let data = Unmanaged.passUnretained(sockets).toOpaque()
            codes.append(ccurl_set_opener(handle, openSocket, data))
            codes.append(ccurl_set_closer(handle, closeSocket, data))
        }
        // Several requests then share a connection from its beginning on.
        if policy.version == .http2 { codes.append(ccurl_set_number(handle, CURLOPT_PIPEWAIT, 1)) }
        if let authority = policy.authority { codes.append(ccurl_set_text(handle, CURLOPT_CAINFO, authority)) }
        if let addresses { codes.append(ccurl_set_pointer(handle, CURLOPT_RESOLVE, addresses)) }
        if let cookies {
            codes.append(ccurl_set_pointer(handle, CURLOPT_SHARE, cookies.share))
            codes.append(ccurl_set_text(handle, CURLOPT_COOKIEFILE, ""))
        }
        if let failure = codes.first(where: { $0 != CURLE_OK }) {
            throw StackError(description: "libcurl refused an option: \(String(cString: curl_easy_strerror(failure)))")
        }
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(headers)
        curl_slist_free_all(addresses)
        transfer.deinitialize(count: 1)
        transfer.deallocate()
    }

    /// The handle that has this address as its private data.
    static func from(_ data: UnsafeMutableRawPointer?) -> CurlHandle {
        Unmanaged<CurlHandle>.fromOpaque(data!).takeUnretainedValue()
    }

    /// Makes a request on the calling thread.
    func perform(_ request: HTTPRequest) -> HTTPOutcome {
        prepare(request)
        return end(curl_easy_perform(handle))
    }

    /// Sets the handle to a request, which begins now.
    func prepare(_ request: HTTPRequest) {
        set(request)
        transfer.pointee.begin(request)
    }

    /// What became of the request.
    func end(_ code: CURLcode) -> HTTPOutcome { transfer.pointee.end(code) }

    private func set(_ request: HTTPRequest) {
        let prepared = prepared
        if prepared?.url != request.url {
            ccurl_set_text(handle, CURLOPT_URL, request.url)
            ccurl_set_number(handle, CURLOPT_HTTP_VERSION, version(for: request.url))
        }
        let length: Int = if case .bytes(let bytes) = request.body { bytes.count } else { -1 }
        if prepared?.method != request.method || !request.body.isSent(like: prepared?.body) {
            setMethod(request.method, hasBody: request.body.data != nil, length: length)
        }
        if prepared?.headers != request.headers || !request.body.isSent(like: prepared?.body) { setHeaders(request) }
        if prepared?.mostRedirects != request.mostRedirects {
            ccurl_set_number(handle, CURLOPT_FOLLOWLOCATION, request.mostRedirects > 0 ? 1 : 0)
            ccurl_set_number(handle, CURLOPT_MAXREDIRS, request.mostRedirects)
        }
        if prepared?.timeLimit != request.timeLimit {
            ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, Int(max(request.timeLimit.count / 1_000_000, 1)))
        }
        if (prepared?.cancellation != nil) != (request.cancellation != nil) || prepared == nil {
            ccurl_set_number(handle, CURLOPT_NOPROGRESS, request.cancellation == nil ? 1 : 0)
        }
        self.prepared = request
    }

    private func version(for url: String) -> Int {
        switch policy.version {
        case .http1: Int(CURL_HTTP_VERSION_1_1)
        // Without TLS there is nobody to agree with. libcurl before 8.0 cannot use such a connection a second time (curl #10634).
        case .http2: Int(url.hasPrefix("https:") ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
        }
    }

    private func setMethod(_ method: String, hasBody: Bool, length: Int) {
        ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, nil)
        // First of all: it takes back what a body of the request before had set.
        ccurl_set_number(handle, CURLOPT_HTTPGET, 1)
        // These tell a length of 0 where they have no body, as the other stacks do.
        let tellsLength = hasBody || method == "POST" || method == "PUT" || method == "PATCH"
        let length = curl_off_t(hasBody ? length : 0)
        switch method {
        // Its answer has no body, whatever it announces; neither has, to libcurl, the request.
        case "HEAD": ccurl_set_number(handle, CURLOPT_NOBODY, 1)
        case "POST":
            ccurl_set_number(handle, CURLOPT_POST, 1)
            ccurl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, length)
        default:
            if tellsLength {
                ccurl_set_number(handle, CURLOPT_UPLOAD, 1)
                ccurl_set_size(handle, CURLOPT_INFILESIZE_LARGE, length)
            }
            if method != (tellsLength ? "PUT" : "GET") { ccurl_set_text(handle, CURLOPT_CUSTOMREQUEST, method) }
        }
    }

    private func setHeaders(_ request: HTTPRequest) {
        var list: UnsafeMutablePointer<curl_slist>?
        func add(_ line: String) { list = curl_slist_append(list, line) }
        // An empty value must be told by a semicolon: a colon alone takes the header away.
        for header in request.headers {
            add(header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)")
        }
        func has(_ name: String) -> Bool { request.headers.contains { $0.name.lowercased() == name } }
        if request.body.data != nil || ["POST", "PUT", "PATCH"].contains(request.method) {
            // Larger bodies would first wait up to a second for the server's leave to come.
            if !has("expect") { add("Expect:") }
            if !has("content-type") { add("Content-Type:") }
            if case .streamed = request.body, policy.version == .http1 { add("Transfer-Encoding: chunked") }
        }
        // The server is told too, and closes as it would for any client that does not come back.
        if !policy.keepsAlive { add("Connection: close") }
        ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, list)
        curl_slist_free_all(headers)
        headers = list
    }
}

extension HTTPRequest.Body {
    /// Whether libcurl is set to it as it is to another.
    fileprivate func isSent(like other: HTTPRequest.Body?) -> Bool {
        switch (self, other) {
        case (.none, .some(.none)), (.streamed, .streamed): true
        case (.bytes(let bytes), .bytes(let others)): bytes.count == others.count
        default: false
        }
    }
}

private func transfer(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<CurlTransfer> {
    data.unsafelyUnwrapped.assumingMemoryBound(to: CurlTransfer.self)
}

private func readBody(
    _ piece: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ data: UnsafeMutableRawPointer?
) -> Int {
    // What it refuses ends the transfer, by CURLE_WRITE_ERROR.
    transfer(data).pointee.read(body: UnsafeRawBufferPointer(start: piece, count: size * count)) ? size * count : 0
}

private func readHead(
    _ line: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ data: UnsafeMutableRawPointer?
) -> Int {
    transfer(data).pointee.read(headLine: UnsafeRawBufferPointer(start: line, count: size * count))
    return size * count
}

private func writeBody(
    _ place: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ data: UnsafeMutableRawPointer?
) -> Int {
    transfer(data).pointee.write(body: UnsafeMutableRawBufferPointer(start: place, count: size * count))
}

private func seekBody(_ data: UnsafeMutableRawPointer?, _ offset: curl_off_t, _ origin: Int32) -> Int32 {
    origin == SEEK_SET && transfer(data).pointee.seek(to: Int(offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
}

private func openSocket(
    _ data: UnsafeMutableRawPointer?, _: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    address.map { sockets(data).open($0) } ?? CURL_SOCKET_BAD
}

private func closeSocket(_ data: UnsafeMutableRawPointer?, _ socket: curl_socket_t) -> Int32 {
    sockets(data).close(socket: socket)
}

private func sockets(_ data: UnsafeMutableRawPointer?) -> SocketWatch {
    Unmanaged<SocketWatch>.fromOpaque(data!).takeUnretainedValue()
}

private func goOn(
    _ data: UnsafeMutableRawPointer?, _: curl_off_t, _: curl_off_t, _: curl_off_t, _: curl_off_t
) -> Int32 {
    transfer(data).pointee.isCancelled ? 1 : 0
}

private func noteReady(
    _ data: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<CChar>?, _: UnsafeMutablePointer<CChar>?, _: Int32,
    _: Int32
) -> Int32 {
    transfer(data).pointee.noteReady()
    // CURL_PREREQFUNC_OK
    return 0
}

private func noteStep(
    _: UnsafeMutableRawPointer?, _ step: curl_infotype, _: UnsafeMutablePointer<CChar>?, _: Int,
    _ data: UnsafeMutableRawPointer?
) -> Int32 {
    if step == CURLINFO_HEADER_OUT || step == CURLINFO_DATA_OUT { transfer(data).pointee.noteSent() }
    return 0
}
