import CLinux
import Glibc
import Results

/// Signals that ask this process to end, as something that can be waited for.
///
/// Make one before the process has other threads: they inherit that these signals are blocked.
package struct SignalInbox: Sendable {
    /// Becomes readable when one has arrived.
    let descriptor: Int32

    package init() {
        let signals = [SIGINT, SIGTERM, SIGHUP]
        descriptor = clinux_receive_signals(signals, Int32(signals.count))
        // A reader that goes away (`taskmeter run | head`) must not end a run.
        signal(SIGPIPE, SIG_IGN)
        // A limit on the size of files is an error of writing, with a sentence of its own.
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Takes what has arrived; whether there was any.
    package func take() -> Bool {
        var any = false
        while descriptor >= 0, clinux_next_signal(descriptor) != 0 { any = true }
        return any
    }

    /// Waits for so long, or until a signal arrives, which stays to be taken.
    func sleep(_ time: Nanoseconds) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, Int32(clamping: time.count / 1_000_000))
    }

    /// Gives the signals back their usual effect on the calling thread, once those that arrived are taken.
    package func release() {
        _ = take()
        if descriptor >= 0 { clinux_release_signals(descriptor) }
    }
}
