import Glibc
import Results

/// How many files this process may hold open; nil stands for no limit.
func openFilesLimit() -> (soft: Int?, hard: Int?) { limit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue)) }

/// How many processes and threads this user may have; nil stands for no limit.
func userProcessesLimit() -> Int? { limit(__rlimit_resource_t(6)).soft }

private func limit(_ resource: __rlimit_resource_t) -> (soft: Int?, hard: Int?) {
    var limits = rlimit()
    guard getrlimit(resource, &limits) == 0 else { return (nil, nil) }
    func number(_ value: rlim_t) -> Int? { value == rlim_t.max ? nil : Int(clamping: value) }
    return (number(limits.rlim_cur), number(limits.rlim_max))
}

/// The narrowest limit on threads that this process could have, and what sets it.
struct ThreadLimit {
    var count: Int
    var setBy: String

    init?(_ files: KernelFiles) {
        var limits: [(Int, String)] = []
        if let count = files.number("/proc/sys/kernel/threads-max") { limits.append((count, "kernel.threads-max")) }
        if let count = files.number("/proc/sys/kernel/pid_max") { limits.append((count, "kernel.pid_max")) }
        if let count = ControlGroups(files).threadLimit { limits.append((count, "pids.max of its control group")) }
        // The kernel does not hold the superuser to this one.
        if geteuid() != 0, let count = userProcessesLimit() { limits.append((count, "ulimit -u")) }
        guard let least = limits.min(by: { $0.0 < $1.0 }) else { return nil }
        (count, setBy) = least
    }
}
