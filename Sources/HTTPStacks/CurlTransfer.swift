import CCurl
import Clocks
import Glibc
import Results

/// What libcurl's callbacks know of the request that a handle is at.
///
/// Belongs to the thread that the transfer runs on.
struct CurlTransfer {
    private let handle: UnsafeMutableRawPointer
    private let clock: MonotonicClock
    private let version: ConnectionPolicy.Version
    private var request: HTTPRequest?
    private(set) var outcome: HTTPOutcome
    private var digest = BodyDigest()
    /// Bytes of the request's body that libcurl has taken.
    private var taken = 0
    /// Where the hop began whose answer is awaited or read.
    private var hopBegin: Instant
    /// What libcurl told at the end of a redirect's head, until it is known whether the redirect is followed.
    private var atRedirect: CurlTimes?
    /// The request to which that redirect leads, as far as it has come before its answer.
    private var next = HTTPHop()
    /// What it had told at the end of the hop before: its times are sums over hops.
    private var before = CurlTimes()
    /// How many connections there had been when the hop was first ready to be sent, and the one that it leads to.
    private var connections: Int?
    private var nextConnections: Int?

    init(_ handle: UnsafeMutableRawPointer, _ clock: MonotonicClock, _ version: ConnectionPolicy.Version) {
        self.version = version
        self.handle = handle
        self.clock = clock
        hopBegin = Instant(sinceOrigin: 0)
        outcome = HTTPOutcome(begin: hopBegin, end: hopBegin)
    }

    var isCancelled: Bool { request?.cancellation?.isCancelled ?? false }

    mutating func begin(_ request: HTTPRequest) {
        let now = clock.now()
        self.request = request
        outcome = HTTPOutcome(begin: now, end: now)
        digest = BodyDigest()
        taken = 0
        hopBegin = now
        atRedirect = nil
        next = HTTPHop()
        before = CurlTimes()
        connections = nil
        nextConnections = nil
    }

    /// A line of an answer's head, with its end.
    // hot path: no allocation, no lock, no call that can block
    mutating func read(headLine line: UnsafeRawBufferPointer) {
        if Self.isStatusLine(line) {
            let status = Self.status(of: line)
            // An interim answer (“100 Continue”) comes before the answer, and is none.
            guard status >= 200 else { return }
            if let told = atRedirect { follow(told) }
            outcome.hop.firstByte = clock.now()
            outcome.status = status
        } else if line.count <= 2, let status = outcome.status, 300..<400 ~= status, status != 304 {
            atRedirect = CurlTimes(of: handle)
        }
    }

    /// The redirect was followed: another answer has come.
    private mutating func follow(_ told: CurlTimes) {
        tell(told)
        outcome.redirects.append(outcome.hop)
        outcome.hop = next
        next = HTTPHop()
        connections = nextConnections
        nextConnections = nil
        before = told
        hopBegin = outcome.begin + Nanoseconds(max(ccurl_size(handle, CURLINFO_REDIRECT_TIME_T), 0) * 1_000)
        atRedirect = nil
    }

    /// A piece of the final answer's body; whether more is wanted. libcurl's buffer is not copied.
    // hot path: no allocation, no lock, no call that can block, but for what the request's own `onBody` does
    mutating func read(body piece: UnsafeRawBufferPointer) -> Bool {
        outcome.hop.received += piece.count
        outcome.hop.lastByte = clock.now()
        if request?.expected.digest != nil { digest.add(piece) }
        request?.onBody?(outcome.hop.received)
        return request?.cancellation.map { !$0.isCancelled } ?? true
    }

    /// Gives libcurl more of the request's body; returns how much, 0 at its end.
    mutating func write(body place: UnsafeMutableRawBufferPointer) -> Int {
        guard let bytes = request?.body.data, taken < bytes.count else { return 0 }
        let count = min(place.count, bytes.count - taken)
        bytes.withUnsafeBytes { place.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[taken..<taken + count])) }
        taken += count
        return count
    }

    /// Begins the request's body anew, at an offset.
    mutating func seek(to offset: Int) -> Bool {
        guard let count = request?.body.count, 0...count ~= offset else { return false }
        taken = offset
        return true
    }

    /// A connection is ready, and the request is sent next: twice in a hop whose first connection was a dead one.
    // hot path: no allocation, no lock, no call that can block
    mutating func noteReady() {
        let now = clock.now()
        let connections = ccurl_number(handle, CURLINFO_NUM_CONNECTS)
        if isRedirected {
            next.ready = now
            if nextConnections == nil { nextConnections = connections }
        } else {
            outcome.hop.ready = now
            if self.connections == nil { self.connections = connections }
        }
    }

    /// A part of the request was handed to the kernel.
    // hot path: no allocation, no lock, no call that can block
    mutating func noteSent() {
        let now = clock.now()
        if isRedirected { next.requestSent = now } else { outcome.hop.requestSent = now }
    }

    /// Whether what is told now is of the request after a redirect. That one was followed, only the next answer tells.
    private var isRedirected: Bool { atRedirect != nil }

    private mutating func tell(_ told: CurlTimes) {
        told.tell(
            &outcome.hop, from: hopBegin, since: before, notBefore: outcome.redirects.last?.firstByte,
            readyWith: connections)
    }

    /// The transfer is over; what became of it.
    mutating func end(_ code: CURLcode) -> HTTPOutcome {
        outcome.end = clock.now()
        if let atRedirect, ccurl_number(handle, CURLINFO_REDIRECT_COUNT) > outcome.redirects.count {
            // The redirect was followed, and no answer came.
            follow(atRedirect)
            outcome.status = nil
        }
        let told = CurlTimes(of: handle)
        tell(told)
        outcome.hop.expectedLength = told.expectedLength
        if code != CURLE_OK {
            outcome.failure = .of(
                code, afterHead: outcome.hop.firstByte != nil,
                wasReady: outcome.hop.ready != nil || !outcome.redirects.isEmpty, isCancelled: isCancelled,
                errno: ccurl_number(handle, CURLINFO_OS_ERRNO))
        }
        // A server that cannot do what was asked for would else be measured doing something else.
        if outcome.failure == nil, version == .http2,
            ccurl_number(handle, CURLINFO_HTTP_VERSION) != Int(CURL_HTTP_VERSION_2_0)
        {
            outcome.failure = RequestFailure(.protocol, "the server does not speak HTTP/2")
        }
        if let request { outcome.verify(request.expected, digest: digest) }
        request = nil
        return outcome
    }

    private static func isStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        line.count > 12 && line[0] == UInt8(ascii: "H") && line[1] == UInt8(ascii: "T") && line[4] == UInt8(ascii: "/")
    }

    /// The three digits after the first space.
    private static func status(of line: UnsafeRawBufferPointer) -> Int {
        guard let space = line.firstIndex(of: UInt8(ascii: " ")), space + 3 < line.count else { return 0 }
        return (space + 1...space + 3).reduce(0) { $0 * 10 + Int(line[$1]) - Int(UInt8(ascii: "0")) }
    }
}

extension HTTPRequest.Body {
    /// Its bytes, however they are sent.
    var data: [UInt8]? {
        switch self {
        case .none: nil
        case .bytes(let bytes), .streamed(let bytes): bytes
        }
    }
}
