import Glibc
import TaskMeter

/// Keeps the calling thread asleep for a time, whatever signals come.
package func nap(_ length: Nanoseconds) {
    var rest = timespec(tv_sec: Int(length.count / 1_000_000_000), tv_nsec: Int(length.count % 1_000_000_000))
    // A signal ends a sleep early, and the kernel then says how much is left.
    while true {
        let asked = rest
        guard withUnsafePointer(to: asked, { nanosleep($0, &rest) }) != 0, errno == EINTR else { return }
    }
}
