import Foundation
import Glibc
import Results
import Statistics
import Synchronization
import TaskMeter

/// Begin and end as a first draft keeps them: dates in a dictionary, behind a lock.
final class DictionaryRecorder: Sendable {
    private struct Times {
        var begin: Date
        var end: Date?
    }

    private let times = Mutex<[Int: Times]>([:])
    private let next = Atomic<Int>(0)

    func nextID() -> Int { next.add(1, ordering: .relaxed).oldValue }

    func begin(_ id: Int) { times.withLock { $0[id] = Times(begin: Date()) } }
    func end(_ id: Int) { times.withLock { $0[id]?.end = Date() } }
}

/// A file that gets a line for each record, by a system call each.
final class LineFile: Sendable {
    private let descriptor: Int32
    private static let line = Array("4711,1234567890,1234567999\n".utf8) + [0]

    init(_ path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw RivalError(description: "cannot create \(path): \(errnoText())") }
    }

    deinit { close(descriptor) }

    func write() { blackHole(Glibc.write(descriptor, Self.line, Self.line.count)) }
}

/// The design that this project began with: each time goes into the user's defaults, and they are written out.
///
/// Foundation keeps them in a file named after the program, in a folder that it looked up before `main` began: it cannot be
/// told to use another. So the file is removed before the trial, for other keys of an earlier one, and after it.
func settingDefaults(_ keys: Int) throws -> Iteration {
    let home = getenv("HOME").map { String(cString: $0) } ?? NSHomeDirectory()
    let folder = getenv("XDG_CONFIG_HOME").map { String(cString: $0) } ?? home + "/.config"
    let file = "\(folder)/\(ProcessInfo.processInfo.processName).plist"
    unlink(file)
    let defaults = Defaults()
    for key in 1..<keys { defaults.all.set(key, forKey: "other-\(key)") }
    defaults.setAndSynchronise()
    guard fileSize(file) != nil else {
        throw RivalError(description: "the defaults were not written to \(file), or not at once")
    }
    return Iteration { defaults.setAndSynchronise() }.afterTrial { unlink(file) }
}

/// `UserDefaults` is thread-safe by its documentation, and not marked so.
private final class Defaults: @unchecked Sendable {
    let all = UserDefaults.standard
    private let moment = Atomic<Int>(1_234_567_890)

    /// A new value each time: what did not change is not written.
    func setAndSynchronise() {
        all.set(moment.add(1, ordering: .relaxed).newValue, forKey: "task-4711-end")
        blackHole(all.synchronize())
    }
}

/// A histogram that one thread at a time records into.
final class HistogramBox: @unchecked Sendable {
    private var histogram = Histogram(significantDigits: 3, highest: 3_600_000_000_000)

    func record(_ value: Int64) { blackHole(histogram.record(value)) }
}

/// 1,000 integers of a fixed sequence, copied and sorted by the C library: the same loop as in `google-benchmark.cpp`.
func sortingByC() -> Iteration {
    let numbers = SortedNumbers()
    return Iteration { numbers.copyAndSortNext() }
}

/// Arrays of numbers that are sorted in turns, and room for a copy of one. One thread at a time.
///
/// In turns: of a single array the processor learns every comparison by heart, in some processes and not in others, and it
/// takes a third less time where it has.
final class SortedNumbers: @unchecked Sendable {
    private let originals: UnsafeMutablePointer<Int32>
    private let copy: UnsafeMutablePointer<Int32>
    private var turn = 0
    private static let count = 1_000
    private static let arrays = 256

    init() {
        originals = .allocate(capacity: Self.arrays * Self.count)
        copy = .allocate(capacity: Self.count)
        // The generator of the C standard's example for rand().
        var state: UInt32 = 1
        for index in 0..<Self.arrays * Self.count {
            state = state &* 1_103_515_245 &+ 12_345
            originals[index] = Int32(bitPattern: state >> 1)
        }
    }

    deinit {
        originals.deallocate()
        copy.deallocate()
    }

    func copyAndSortNext() {
        memcpy(copy, originals + turn * Self.count, Self.count * MemoryLayout<Int32>.size)
        turn = (turn + 1) % Self.arrays
        qsort(copy, Self.count, MemoryLayout<Int32>.size) { left, right in
            let (a, b) = (left!.load(as: Int32.self), right!.load(as: Int32.self))
            return (a > b ? 1 : 0) - (a < b ? 1 : 0)
        }
        blackHole(copy)
    }
}

struct RivalError: Error, CustomStringConvertible {
    var description: String
}
