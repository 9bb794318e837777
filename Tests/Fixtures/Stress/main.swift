import Glibc

// What threads share, exercised for a number of rounds, for the thread sanitizer to watch:
//
//     swift build -c release --sanitize=thread --scratch-path .build/thread --product Stress
//     TSAN_OPTIONS="halt_on_error=1 exitcode=66 suppressions=Tests/Fixtures/Stress/suppressions.txt" \
//         .build/thread/release/Stress 20
//
// A line for each part; ends with 1 when a part found a fault.

/// To add a part, add a line.
let parts =
    strategyParts + [
        Part("resident threads, stopped and let go at once from several threads", raceResidentThreads),
        Part("resident threads, stopped from their own blocks", stopFromInside),
    ]

let rounds = CommandLine.arguments.dropFirst().first.map { Int($0) ?? 0 } ?? 10
guard rounds > 0 else {
    print("usage: Stress [ROUNDS]; rounds is a number from 1")
    exit(2)
}
var faults = 0
for part in parts {
    do {
        defer { fflush(nil) }
        try part.exercise(rounds)
        print("\(part.name): \(rounds) rounds without a fault")
    } catch {
        faults += 1
        print("\(part.name): FAULT: \(error)")
    }
}
exit(faults == 0 ? 0 : 1)
