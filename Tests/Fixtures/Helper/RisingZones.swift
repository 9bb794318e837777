import CPowerTree
import ChildProcesses
import Glibc
import Probes
import Results

/// The zones beside which a program is run: two packages with the platform's between them, the first package with its cores and
/// memory and a second driver's copy, and the second one's counter about to go round. EnergyOfRunTests knows their watts.
///
/// - Parameter readsOfOne: after how many reads of its counter the second package is gone; 0 for never.
func risingZones(readsOfOne: UInt64) -> [cpowertree_zone] {
    func zone(
        _ folder: StaticString, _ name: StaticString, _ watts: Double, start: UInt64 = 1_000_000,
        range: UInt64 = 262_143_328_850, reads: UInt64 = 0
    ) -> cpowertree_zone {
        func text(_ string: StaticString) -> UnsafePointer<CChar> {
            UnsafeRawPointer(string.utf8Start).assumingMemoryBound(to: CChar.self)
        }
        return cpowertree_zone(
            folder: text(folder), name: text(name), watts: watts, start: start, range: range, reads: reads)
    }
    return [
        zone("intel-rapl:0", "package-0", 65), zone("intel-rapl:0:0", "core", 30),
        zone("intel-rapl:0:1", "dram", 7, range: 65_712_999_613), zone("intel-rapl:1", "psys", 180),
        // 100 J before its end, which it reaches within a run.
        zone("intel-rapl:2", "package-1", 40, start: 262_043_328_850, reads: readsOfOne),
        zone("intel-rapl-mmio:0", "package-0", 65),
    ]
}

/// Runs a program in a machine of its own where such zones stand in `/sys/class/powercap`; returns its exit code, or 125 where
/// the machine could not be made.
///
/// - Parameter folder: empty. Its folder `product` then shows what lies beside this program, so that another user can reach it.
func runBesideZones(folder: String, readsOfOne: UInt64, _ command: [String]) -> Int32 {
    let zones = risingZones(readsOfOne: readsOfOne)
    // Kept until the process ends, as the thread that serves them needs.
    let kept = UnsafeMutablePointer<cpowertree_zone>.allocate(capacity: zones.count)
    kept.initialize(from: zones, count: zones.count)
    mkdir(folder + "/classes", 0o755)
    mkdir(folder + "/product", 0o755)
    var refusal = cpowertree_mount(folder + "/classes", kept, Int32(zones.count))
    var own = [CChar](repeating: 0, count: 4096)
    let length = max(readlink("/proc/self/exe", &own, own.count - 1), 0)
    let program = String(decoding: own[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let beside = String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
    if refusal == 0 { refusal = cpowertree_show(beside, folder + "/product") }
    guard refusal == 0 else {
        say("cannot: \(errnoText(refusal))")
        return 125
    }
    guard let child = try? ChildProcess(command[0], Array(command.dropFirst())) else { return 125 }
    guard case .exited(let code) = child.waitUntilExit() else { return 126 }
    return code
}

/// Says what a meter of the whole machine tells of windows of so many seconds in which nothing is done, a line for each part.
func sayEnergyWindows(root: String, seconds: Double, count: Int) {
    let files = KernelFiles(root: root == "/" ? "" : root)
    say("capacity\t\(line(BatterySource(files).capacity))")
    let meter = EnergyMeter(files)
    for number in 1...count {
        let window = meter.begin()
        usleep(UInt32(seconds * 1e6))
        let use = meter.end(window)
        for domain in use.domains {
            say("window \(number)\t\(domain.domain.label)\t\(domain.lasted.seconds)\t\(line(domain.energy))")
        }
        let total = use.total(.battery)
        say("battery \(number)\t\(total.lasted.seconds)\t\(line(total.energy))")
    }
}
