import CCurl
import CLinux
import Glibc

/// The sockets of a multi handle of libcurl, watched by epoll.
///
/// libcurl takes a socket out of the watch after each request and puts it back before the next. Of its own sockets, whose making and
/// closing come through here, it is only noted: on a connection that serves request after request, that spares two calls of the kernel
/// for each.
///
/// Belongs to the thread that made it, which must keep it until the multi handle is cleaned up.
final class SocketWatch {
    private struct Entry {
        /// What the kernel watches for; 0 when it does not know the socket.
        var watched: UInt32 = 0
        /// What libcurl wants to know of.
        var wanted: UInt32 = 0
        /// Whether it was made through here, and so is closed through here.
        var isOwn = false
    }

    private let watch: Int32
    private var entries: [Entry] = []
    private let events = UnsafeMutablePointer<clinux_event>.allocate(capacity: capacity)
    private static let capacity = 64

    init() throws(StackError) {
        watch = clinux_open_watch()
        guard watch >= 0 else {
            throw StackError(
                description: "the system gave no watch over sockets (\(String(cString: strerror(-watch))))")
        }
    }

    deinit {
        Glibc.close(watch)
        events.deallocate()
    }

    /// Watches a descriptor that is not libcurl's for something to read.
    func add(_ descriptor: Int32) { set(descriptor, clinux_readable.rawValue) }

    /// Says what libcurl wants to know of a socket.
    // hot path: no allocation once a socket of its number was seen; no call of the kernel where nothing changed
    func want(_ socket: Int32, _ what: Int32) {
        let wanted: UInt32 =
            switch what {
            case CURL_POLL_IN: clinux_readable.rawValue
            case CURL_POLL_OUT: clinux_writable.rawValue
            case CURL_POLL_INOUT: clinux_readable.rawValue | clinux_writable.rawValue
            default: 0
            }
        grow(socket)
        entries[Int(socket)].wanted = wanted
        if wanted == entries[Int(socket)].watched { return }
        if wanted == 0, entries[Int(socket)].isOwn { return }
        set(socket, wanted)
    }

    /// Waits until something happened, or the time is over, and tells of each socket what libcurl must know of it; whether some did.
    ///
    /// - Parameter nanoseconds: how long at most; negative for without end.
    func wait(_ nanoseconds: Int64, _ tell: (_ socket: Int32, _ what: Int32) -> Void) {
        let count = clinux_wait_for_events(watch, events, Int32(Self.capacity), nanoseconds)
        guard count > 0 else { return }
        for index in 0..<Int(count) {
            let socket = events[index].descriptor
            let entry = entries[Int(socket)]
            guard entry.wanted != 0 else {
                // The server closed an idle connection: libcurl sees that when it comes to use it.
                if entry.watched != 0 { set(socket, 0) }
                continue
            }
            let what = events[index].what
            var told: Int32 = 0
            if what & clinux_readable.rawValue != 0 { told |= CURL_CSELECT_IN }
            if what & clinux_writable.rawValue != 0 { told |= CURL_CSELECT_OUT }
            if what & (clinux_broken.rawValue | clinux_hung_up.rawValue) != 0 { told |= CURL_CSELECT_ERR }
            tell(socket, told)
        }
    }

    /// Makes a socket for libcurl; -1 when the system gives none.
    func open(_ address: UnsafePointer<curl_sockaddr>) -> Int32 {
        let type = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        let socket = Glibc.socket(address.pointee.family, type, address.pointee.protocol)
        guard socket >= 0 else { return CURL_SOCKET_BAD }
        grow(socket)
        entries[Int(socket)] = Entry(isOwn: true)
        return socket
    }

    /// Closes a socket of libcurl's.
    func close(socket: Int32) -> Int32 {
        // The kernel takes it out of the watch by itself.
        entries[Int(socket)] = Entry()
        return Glibc.close(socket)
    }

    private func grow(_ socket: Int32) {
        while entries.count <= Int(socket) { entries.append(Entry()) }
    }

    private func set(_ descriptor: Int32, _ what: UInt32) {
        grow(descriptor)
        _ = clinux_watch(watch, descriptor, what, entries[Int(descriptor)].watched == 0 ? 0 : 1)
        entries[Int(descriptor)].watched = what
        if !entries[Int(descriptor)].isOwn { entries[Int(descriptor)].wanted = what }
    }
}
