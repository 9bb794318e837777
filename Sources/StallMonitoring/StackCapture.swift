import CStacks
import Glibc
import Results

/// Captures stacks of other threads, by a signal. Not thread-safe: it belongs to the monitor's thread.
final class StackCapture {
    /// The thread answers within microseconds when it runs or sleeps; it does not while it waits for a processor, or
    /// within the kernel for a disk.
    private static let patience = Nanoseconds.milliseconds(2)

    private let refusal: String?
    private var hasSignal: Bool
    private let stack = UnsafeMutablePointer<cstacks_stack>.allocate(capacity: 1)

    /// - Parameter refusal: why stacks cannot be captured; nil where the signal was taken for it, which this gives
    ///   back.
    init(refusal: String?) {
        self.refusal = refusal
        hasSignal = refusal == nil
    }

    /// Takes the signal; why that cannot be, or nil.
    static func takeSignal() -> String? {
        switch cstacks_take_signal() {
        case 0: nil
        case EBUSY: "the program uses every realtime signal itself"
        case let failure: "the system refuses a signal handler (\(text(failure)))"
        }
    }

    deinit {
        giveBack()
        stack.deallocate()
    }

    /// Lets the signal go; every stack after that is unavailable.
    func giveBack() {
        if hasSignal { cstacks_give_back() }
        hasSignal = false
    }

    func capture(_ thread: Int32) -> StalledStack {
        guard hasSignal else { return .unavailable(reason: refusal ?? "the monitor had stopped") }
        switch cstacks_capture(thread, Self.patience.count, stack) {
        case 0:
            let count = Int(stack.pointee.count)
            let addresses = withUnsafeBytes(of: &stack.pointee.addresses) {
                Array($0.bindMemory(to: UInt64.self).prefix(count))
            }
            return .captured(StackTrace(addresses: addresses, isTruncated: stack.pointee.is_truncated != 0))
        case EPERM: return .unavailable(reason: "the thread blocks all signals")
        case ESRCH: return .unavailable(reason: "the thread has ended")
        case ETIMEDOUT: return .unavailable(reason: "the thread did not answer a signal: it was not running")
        case EBUSY: return .unavailable(reason: "another capture is not over")
        case ENOSYS:
            return .unavailable(reason: "stacks of this processor, or reading them, are not known to this system")
        case let failure: return .unavailable(reason: "the stack could not be read (\(Self.text(failure)))")
        }
    }

    private static func text(_ failure: Int32) -> String { String(cString: strerror(failure)) }
}
