import CLinux
import Clocks
import Dispatch
import Glibc
import Probes
import Results

// Bodies in Swift that allocate a known number of times. Prints lines “name: what was counted”, or why nothing was counted.

final class Instance { var number = 7 }

/// The optimiser must take it that the value is used.
@inline(never) func use<Value>(_ value: Value) {
    withUnsafePointer(to: value) { clinux_touch(UnsafeMutableRawPointer(mutating: $0)) }
}

@inline(never) func makeInstance() -> Instance { Instance() }

@inline(never) func makeInstances(_ number: Int) { for _ in 0..<number { use(makeInstance()) } }

@inline(never) func makeArrays(_ number: Int, of count: Int) {
    for _ in 0..<number { use(Array(repeating: count, count: count)) }
}

let what = CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : ""
let argument = CommandLine.arguments.count > 2 ? CommandLine.arguments[2] : ""

if what == "refusal" {
    // Why nothing can be preloaded into a program, as an unprivileged user is told it.
    guard setgid(65534) == 0, setuid(65534) == 0 else { exit(4) }
    print(AllocationLibrary.refusal(ofProgram: argument)?.description ?? "none")
    exit(0)
}

let probe: AllocationProbe
do {
    probe = try AllocationProbe()
} catch {
    print(error.reading)
    exit(3)
}

/// What a body allocates on the thread that calls this.
@Sendable func counted(_ body: () -> Void) -> AllocationCounts {
    guard let before = probe.ofThread() else { return AllocationCounts() }
    body()
    guard let after = probe.ofThread() else { return AllocationCounts() }
    return after - before
}

func report(_ name: String, _ body: () -> Void) {
    let counts = counted(body)
    print("\(name): \(counts.allocations) had, \(counts.releases) given back")
}

switch what {
case "bodies":
    report("empty") {}
    report("10 instances") { makeInstances(10) }
    report("5 arrays") { makeArrays(5, of: 100) }
    report("a long array") { makeArrays(1, of: 1_000_000) }
    report("a reserved array") {
        var array: [Int] = []
        array.reserveCapacity(1000)
        for number in 0..<1000 { array.append(number) }
        use(array)
    }
    report("raw memory") {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 8)
        use(memory)
        memory.deallocate()
    }
    report("aligned memory") {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 100, alignment: 128)
        use(memory)
        memory.deallocate()
    }
    report("a short string") { use(String(repeating: "a", count: 15)) }
    report("empty") {}

case "process":
    // What a process spends, leaves behind, and had at most.
    var kept: [[UInt8]] = []
    kept.reserveCapacity(10)
    // What the runtime makes for a type when it meets it first is not of the window.
    makeArrays(1, of: 10)
    kept.append(Array(repeating: 1, count: 10))
    probe.resetPeak()
    let before = probe.ofProcess()
    makeArrays(1, of: 125_000)
    for _ in 0..<3 { kept.append(Array(repeating: 1, count: 1000)) }
    let after = probe.ofProcess()
    use(kept)
    for reading in ProcessAllocations.readings(from: before, to: after, knowsSizes: probe.knowsSizes) {
        print("\(reading.metric.name): \(reading.reading)")
    }

case "threads":
    // Four threads at once, each with its own counts, and a window of the process around them all.
    let total = Total()
    let threads = (0..<4).map { _ in
        startedThread { total.add(counted { makeInstances(1000) }.allocations) }
    }
    for thread in threads { pthread_join(thread, nil) }
    print("four threads: \(total.value)")

case "pool":
    // Dispatch's pool and Swift's: each piece of work counts what it allocates on the thread that it happens to be on.
    let total = Total()
    DispatchQueue.concurrentPerform(iterations: 64) { _ in total.add(counted { makeInstances(50) }.allocations) }
    print("dispatch: \(total.value)")
    let tasks = Total()
    let group = DispatchGroup()
    for _ in 0..<64 {
        group.enter()
        Task.detached {
            tasks.add(counted { makeArrays(50, of: 10) }.allocations)
            group.leave()
        }
    }
    group.wait()
    print("tasks: \(tasks.value)")

case "floor":
    let floor = probe.floor()
    print("\(floor.counts.allocations) \(floor.counts.releases) \(floor.threadRead.count) \(floor.processRead.count)")

case "total":
    // A whole process, for comparing with what others count of it: prints its counts without an allocation, and ends.
    let number = Int(argument) ?? 0
    makeInstances(number)
    makeArrays(number, of: 100)
    var dictionary: [Int: String] = [:]
    for number in 0..<number { dictionary[number] = "the number \(number)" }
    use(dictionary)
    let counts = probe.ofProcess().counts
    writeDecimal(counts.allocations, end: " ")
    writeDecimal(counts.releases, end: " ")
    writeDecimal(counts.requestedBytes, end: "\n")
    _exit(0)

default:
    print("this program is part of TaskMeter's tests, and of no use by itself")
    exit(2)
}

/// Writes a number to standard output without allocating anything.
func writeDecimal(_ number: Int, end: Unicode.Scalar) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { text in
        var (rest, place) = (number, 23)
        text[place] = UInt8(ascii: end)
        repeat {
            place -= 1
            text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        } while rest > 0
        _ = write(1, text.baseAddress! + place, 24 - place)
    }
}

/// A sum to which several threads add.
final class Total: @unchecked Sendable {
    private var lock = pthread_mutex_t()
    private(set) var value = 0

    init() { pthread_mutex_init(&lock, nil) }

    func add(_ number: Int) {
        pthread_mutex_lock(&lock)
        value += number
        pthread_mutex_unlock(&lock)
    }
}

func startedThread(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    final class Start: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var thread = pthread_t()
    pthread_create(
        &thread, nil,
        { pointer in
            Unmanaged<Start>.fromOpaque(pointer!).takeRetainedValue().body()
            return nil
        }, Unmanaged.passRetained(Start(body)).toOpaque())
    return thread
}
