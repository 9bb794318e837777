import CLinux
import Glibc
import Probes
import Results

// Bodies whose instructions and calls are known by arithmetic, counted between marks: what the tests start under the emulator.

final class Element {
    var next: Element?
}

/// Stores one reference into as many places of an array, each of which is one retain that the optimiser cannot join.
@inline(never)
func store(_ element: Element, into places: inout [Element?], _ count: Int) {
    for place in 0..<count { set(&places[place], element) }
}

@inline(never)
@_optimize(none)
func set(_ place: inout Element?, _ element: Element) { place = element }

/// Makes a chain of as many objects, and lets it go.
@inline(never)
func chain(_ count: Int) -> Int {
    var first: Element?
    for _ in 0..<count {
        let element = Element()
        element.next = first
        first = element
    }
    var length = 0
    while let element = first {
        length += 1
        first = element.next
    }
    return length
}

/// Allocates and frees as often.
@inline(never)
func allocate(_ count: Int) {
    for size in 0..<count {
        guard let memory = malloc(size + 1) else { return }
        clinux_touch(memory)
        free(memory)
    }
}

/// Dictionaries and strings: code that hashes, allocates and grows.
@inline(never)
func dictionaries(_ count: Int) -> Int {
    var counts: [String: Int] = [:]
    for number in 0..<count { counts["key \(number % 500)", default: 0] += number }
    return counts.keys.sorted().joined().utf8.count
}

func tell(_ name: String, _ counts: ExactCounts) {
    func calls(_ tally: ExactCounts.Tally) -> String {
        ExactFunction.allCases.compactMap { function in
            tally.calls[function].flatMap { $0 == 0 ? nil : "\(function.rawValue)=\($0)" }
        }.joined(separator: " ")
    }
    print(
        name, "thread=\(counts.thread.instructions)", "process=\(counts.process.instructions)",
        "branches=\(counts.thread.branches ?? -1)", "process_branches=\(counts.process.branches ?? -1)",
        "switches=\(counts.switches)", calls(counts.process), "doubt=\(counts.doubt.map { "\($0)" } ?? "none")")
}

@inline(never)
func marked(_ marker: ExactMarker, _ body: () -> Void) -> ExactCounts {
    marker.begin()
    body()
    return marker.end()
}

/// The known loop and a chain of objects, under the simulator, for each number once.
func simulate(_ numbers: [Int]) {
    guard let marker = try? SimulatorMarker() else { return print("refused") }
    @inline(never)
    func loop(_ rounds: Int) {
        marker.begin()
        clinux_exact_loop(UInt64(rounds))
        marker.end("loop")
    }
    for rounds in numbers { loop(rounds) }
    for count in numbers {
        marker.begin()
        _ = chain(count)
        marker.end("chain")
    }
}

/// What threads execute the known loop for.
func onThreads(_ count: Int, rounds: Int) {
    let size = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    size.pointee = UInt64(rounds)
    defer { size.deallocate() }
    var threads = [pthread_t](repeating: 0, count: count)
    for number in threads.indices {
        pthread_create(
            &threads[number], nil,
            { size in
                clinux_exact_loop(size!.load(as: UInt64.self))
                return nil
            }, size)
    }
    for thread in threads { pthread_join(thread, nil) }
}

let arguments = CommandLine.arguments
let numbers = arguments.dropFirst(2).compactMap { Int($0) }
if arguments.count > 1, arguments[1] == "simulated" {
    simulate(numbers)
    exit(0)
}
let marker: ExactMarker
do throws(ExactRefusal) { marker = try ExactMarker() } catch {
    print("refused: \(error)")
    exit(0)
}
switch arguments.count > 1 ? arguments[1] : "" {
case "proof":
    print(ExactProof(countedBy: marker).line)

case "loop":
    // For each number of rounds one line.
    for rounds in numbers { tell("loop", marked(marker) { clinux_exact_loop(UInt64(rounds)) }) }

case "malloc":
    for count in numbers { tell("malloc", marked(marker) { allocate(count) }) }

case "retain":
    // By how much the object's own count of references grew, as the Swift runtime tells it, stands in front.
    let element = Element()
    var places = [Element?](repeating: nil, count: numbers.max() ?? 0)
    for count in numbers {
        let before = _getRetainCount(element)
        let counts = marked(marker) { store(element, into: &places, count) }
        tell("retain \(_getRetainCount(element) - before)", counts)
        for place in places.indices { places[place] = nil }
    }

case "chain":
    for count in numbers { tell("chain", marked(marker) { _ = chain(count) }) }

case "dictionaries":
    for count in numbers {
        _ = dictionaries(count)
        tell("dictionaries", marked(marker) { _ = dictionaries(count) })
    }

case "threads":
    tell("threads", marked(marker) { onThreads(numbers[0], rounds: numbers[1]) })

default:
    print("this program is part of TaskMeter's tests, and of no use by itself")
    exit(2)
}
