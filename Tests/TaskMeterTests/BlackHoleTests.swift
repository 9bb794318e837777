import Recording
import Results
import TaskMeter
import Testing

// What the optimiser removes takes no time. So each body here does its work once in one variant and eight times in the
// other, and times that do not grow with the work would tell of work that was removed, merged or hoisted out of the loop.
//
// The tests were tried by putting the bugs back. With an `identity` that returns its argument and does nothing else, the
// chain was computed while compiling and read 1.5 ns, and eight of them took as long as one. With a `blackHole` that does
// nothing the chain was removed and read 1.1 ns. Both failed both tests.

/// Operations each of which needs the result of the one before.
@inline(__always)
private func chain(_ start: UInt64) -> UInt64 {
    var value = start
    for _ in 0..<64 { value = (value ^ (value >> 29)) &* 0xbf58_476d_1ce4_e5b9 }
    return value
}

@Suite("What the optimiser must not see through")
struct BlackHoleTests {
    /// How many times as long a body takes that does its work eight times.
    private func growth(
        _ once: @escaping @Sendable () -> Void, _ eightTimes: @escaping @Sendable () -> Void
    ) async throws -> Double {
        let one = try await SampledIteration(Iteration(once), samples: 200)
        let eight = try await SampledIteration(Iteration(eightTimes), samples: 200)
        return eight.least / one.least
    }

    @Test("an input that passes through identity is another one each time")
    func identityDefeatsHoisting() async throws {
        let growth = try await growth {
            blackHole(chain(identity(7)))
        } _: {
            for _ in 0..<8 { blackHole(chain(identity(7))) }
        }
        #expect(growth > 5 && growth < 12, "\(growth)")
    }

    @Test("a result that goes into the black hole is computed")
    func blackHoleKeepsWork() async throws {
        let chained = try await SampledIteration(Iteration { blackHole(chain(identity(7))) }, samples: 200)
        let nothing = try await SampledIteration(Iteration {}, samples: 200)
        // 64 multiplications of three cycles each at no more than 6 GHz.
        #expect(chained.least - nothing.least > 30, "\(chained.least) ns")
    }

    @Test("values come out of identity as they went in, of any kind")
    func identityIsIdentity() {
        struct Unique: ~Copyable { var number: Int }
        final class Reference {}
        let reference = Reference()
        #expect(identity(7) == 7)
        #expect(identity("text") == "text")
        #expect(identity([1, 2, 3]) == [1, 2, 3])
        #expect(identity(reference) === reference)
        let unique = identity(Unique(number: 5))
        #expect(unique.number == 5)
        blackHole(unique)
    }
}
