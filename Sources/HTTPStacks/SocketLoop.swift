import CLinux
import Clocks
import Glibc
import Results

/// Requests over sockets that do not block, with minimal HTTP/1.1, watched by epoll on one thread: what a generator of load costs at the
/// least.
///
/// It has no TLS, follows no redirect and streams no body. Belongs to the thread that uses it.
package final class SocketLoop: RequestLoop {
    private let clock: MonotonicClock
    private let policy: ConnectionPolicy
    private let watch: Int32
    private let events = UnsafeMutablePointer<clinux_event>.allocate(capacity: capacity)
    private var places: [SocketPlace] = []
    private var free: [Int] = []
    /// The place of each socket, by its number.
    private var owners: [Int] = []
    /// Requests that failed before they had a connection, to be told of in the next turn.
    private var failed: [(Int, HTTPOutcome)] = []
    /// No request is over its time before this.
    private var earliest: Instant?
    private var known: (url: String, parts: HTTPURL, addresses: [SocketAddress])?
    private static let capacity = 64

    package init(_ policy: ConnectionPolicy, clock: MonotonicClock) throws(StackError) {
        self.clock = clock
        self.policy = policy
        watch = clinux_open_watch()
        guard watch >= 0 else {
            throw StackError(
                description: "the system gave no watch over sockets (\(String(cString: strerror(-watch))))")
        }
        for _ in 0..<max(policy.connections, 1) { places.append(SocketPlace(clock)) }
        free = Array(places.indices.reversed())
    }

    deinit {
        for place in places { place.disconnect() }
        close(watch)
        events.deallocate()
    }

    package var freePlaces: Int { free.count }
    package var inFlight: Int { places.count - free.count }

    package func wakeUp(by descriptor: Int32) {
        own(descriptor, -1)
        _ = clinux_watch(watch, descriptor, clinux_readable.rawValue, 0)
    }

    package func endCancelled(_ ended: Ended) {
        for index in places.indices where places[index].isBusy && places[index].isCancelled { fail(index, .cancelled) }
        tellFailed(ended)
    }

    private func own(_ socket: Int32, _ index: Int) {
        while owners.count <= Int(socket) { owners.append(-1) }
        owners[Int(socket)] = index
    }

    // hot path: no allocation once a request like it was made on the place; no call that can block but a host's look-up
    package func start(_ request: HTTPRequest, number: Int) {
        guard let index = free.popLast() else { return }
        let place = places[index]
        place.begin(request, number: number)
        let deadline = place.outcome.begin + request.timeLimit
        place.deadline = deadline
        earliest = min(earliest ?? deadline, deadline)
        do throws(RequestFailure) {
            // Whoever cancelled before there was anything to end is not heard of again.
            if request.cancellation?.isCancelled == true { throw .cancelled }
            let known = try destination(request.url)
            try place.write(request, known.parts, keepsAlive: policy.keepsAlive)
            if place.authority != known.parts.authority {
                drop(index)
                place.authority = known.parts.authority
                place.outcome.hop.reusedConnection = false
            }
            place.addresses = known.addresses[...]
            if place.isConnected { try resume(index) } else { try connect(index) }
        } catch { recover(index, error) }
    }

    package func turn(until limit: Instant?, _ ended: Ended) {
        if !failed.isEmpty { return tellFailed(ended) }
        let now = clock.now()
        if let earliest, earliest <= now { expire(now, ended) }
        let next = [earliest, limit].compactMap { $0 }.min()
        let left = next.map { max(($0 - clock.now()).count, 0) } ?? -1
        let count = clinux_wait_for_events(watch, events, Int32(Self.capacity), left)
        guard count > 0 else { return }
        for event in 0..<Int(count) { handle(events[event].descriptor, events[event].what, ended) }
        tellFailed(ended)
    }

    private func tellFailed(_ ended: Ended) {
        let told = failed
        failed.removeAll(keepingCapacity: true)
        for (number, outcome) in told { ended(number, outcome) }
    }

    // hot path: no allocation, no lock, no call that can block
    private func handle(_ socket: Int32, _ what: UInt32, _ ended: Ended) {
        let index = owners[Int(socket)]
        guard index >= 0 else { return }
        let place = places[index]
        guard place.socket == socket else { return }
        guard place.isBusy else {
            // The server closed it, or sent what nobody asked for.
            return drop(index)
        }
        do throws(RequestFailure) {
            if place.isConnecting { try finishConnecting(index) }
            if place.isSending { try send(index) }
            // A server may answer before it has all of the request, and then take no more of it.
            guard what & ~clinux_writable.rawValue != 0, try place.receive(clock) else { return }
            end(index, ended)
        } catch { recover(index, error) }
    }

    /// Tries once more where that can do no harm; else the request has failed.
    private func recover(_ index: Int, _ failure: RequestFailure) {
        let place = places[index]
        // A connection may be closed while it is idle, just before it is used again: the server knows nothing of this request.
        let isStale = place.mayTryAgain && place.isConnected
        // One of the host's addresses is nobody's.
        let hasOthers = place.isConnecting && !place.addresses.isEmpty
        guard isStale || hasOthers else { return fail(index, failure) }
        if isStale {
            place.forget()
            place.addresses = known?.addresses[...] ?? []
        }
        drop(index)
        do throws(RequestFailure) { try connect(index) } catch { fail(index, error) }
    }

    private func end(_ index: Int, _ ended: Ended) {
        let place = places[index]
        let outcome = place.finish()
        if !place.keepsAlive || !policy.keepsAlive { drop(index) }
        free.append(index)
        ended(place.number, outcome)
    }

    private func fail(_ index: Int, _ failure: RequestFailure) {
        let place = places[index]
        var outcome = place.outcome
        outcome.end = clock.now()
        outcome.failure = failure
        place.isBusy = false
        drop(index)
        free.append(index)
        failed.append((place.number, outcome))
    }

    private func expire(_ now: Instant, _ ended: Ended) {
        earliest = nil
        for index in places.indices where places[index].isBusy {
            let deadline = places[index].deadline
            if deadline <= now {
                fail(index, RequestFailure(.timeOut, "the answer was not whole in time"))
            } else {
                earliest = min(earliest ?? deadline, deadline)
            }
        }
        tellFailed(ended)
    }

    private func destination(_ url: String) throws(RequestFailure) -> (parts: HTTPURL, addresses: [SocketAddress]) {
        if let known, known.url == url { return (known.parts, known.addresses) }
        guard let parts = HTTPURL(url), !parts.isSecure else {
            throw RequestFailure(.clientLimit, "the stack has no TLS, and knows no URL but of http")
        }
        let told = policy.toldAddress(ofHost: parts.host, port: parts.port)
        let found = try SocketAddress.all(host: told ?? parts.host, port: parts.port, isNumeric: told != nil)
        guard !found.isEmpty else { throw RequestFailure(.name, "it has no address") }
        known = (url, parts, found)
        return (parts, found)
    }

    /// Connects to the first of the place's addresses that does not refuse at once.
    private func connect(_ index: Int) throws(RequestFailure) {
        let place = places[index]
        place.outcome.hop.reusedConnection = false
        var begun: (socket: CInt, isConnected: Bool)?
        while begun == nil, let address = place.addresses.popFirst() {
            do throws(RequestFailure) { begun = try address.begin() } catch {
                if place.addresses.isEmpty { throw error }
            }
        }
        guard let (socket, isConnected) = begun else { throw RequestFailure(.connect, "to none of its addresses") }
        place.connect(socket, isConnecting: !isConnected)
        own(socket, index)
        _ = clinux_watch(watch, socket, (isConnected ? clinux_readable : clinux_writable).rawValue, 0)
        place.isWatchedForWriting = !isConnected
        if isConnected {
            place.outcome.hop.connected = clock.now()
            try resume(index)
        }
    }

    private func finishConnecting(_ index: Int) throws(RequestFailure) {
        let place = places[index]
        if let failure = SocketAddress.failure(of: place.socket) { throw failure }
        place.isConnecting = false
        place.outcome.hop.connected = clock.now()
        place.outcome.hop.ready = place.outcome.hop.connected
    }

    private func resume(_ index: Int) throws(RequestFailure) {
        places[index].outcome.hop.ready = clock.now()
        try send(index)
    }

    private func send(_ index: Int) throws(RequestFailure) {
        let place = places[index]
        try place.send(clock)
        guard place.isSending != place.isWatchedForWriting else { return }
        let what = place.isSending ? clinux_writable.rawValue | clinux_readable.rawValue : clinux_readable.rawValue
        _ = clinux_watch(watch, place.socket, what, 1)
        place.isWatchedForWriting = place.isSending
    }

    /// Closes the connection of a place; the kernel takes it out of the watch by itself.
    private func drop(_ index: Int) { places[index].disconnect() }
}

extension HTTPStackChoice {
    /// Sockets that do not block, on one thread that waits for all of them at once, with the least HTTP/1.1.
    public static let socketEpoll = HTTPStackChoice(
        "socket-epoll", "sockets that do not block, watched by epoll on one thread, and the least HTTP/1.1",
        blocks: false,
        limits: [
            Limit(.encryption, because: "that would take a library, and this is the floor below all libraries"),
            Limit(.tls, because: "encryption would take a library, and this is the floor below all libraries"),
            Limit(.http2, because: "it speaks the least HTTP/1.1 that does"),
            Limit(.cookies, because: "it keeps nothing but connections from one request to the next"),
            Limit(.redirects, because: "it makes one request over one connection"),
        ], loop: { policy, clock throws(StackError) in try SocketLoop(policy, clock: clock) })
}
