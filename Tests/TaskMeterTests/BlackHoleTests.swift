import Recording
import Results
import TaskMeter
import Testing

// What the optimiser removes takes no time. So each body here does its work once in one variant and eight times in the
// other, and times that do not grow with the work would tell of work that was removed, merged or hoisted out of the loop.
//
// The tests were tried by putting the bugs back: with `identity` that returns its argument and nothing else, eight times a
// chain took 1.0 times as long as one, for all eight are the same computation; with an empty `blackHole` that is inlined,
// a chain took as long as nothing.

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

    @Test("what can be reached from a value is made before it goes into the black hole")
    func memoryIsWritten() async throws {
        let growth = try await growth {
            blackHole((0..<64).map { chain(UInt64($0)) })
        } _: {
            blackHole((0..<512).map { chain(UInt64($0)) })
        }
        #expect(growth > 5 && growth < 12, "\(growth)")
    }

    @Test("an iteration is not hoisted out of its batch, though it does the same each time")
    func bodyIsOpaque() async throws {
        let sampled = try await SampledIteration(Iteration { blackHole(chain(identity(7))) }, samples: 200)
        #expect(sampled.least > 30)
        #expect(sampled.ending.session.plan.iterations < 2_000, "a batch of hoisted work would need far more")
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
