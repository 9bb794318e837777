import CHandOver
import TestSupport
import Testing

struct HandOverTests {
    @Test("the hand-over in C makes every call once, in order, also those that wait when it is stopped")
    func order() async throws {
        try await onOwnThread {
            final class Numbers {
                var seen: [Int] = []
            }
            let numbers = Numbers()
            let handOver = try #require(hand_over_start(1))
            let place = Unmanaged.passUnretained(numbers).toOpaque()
            for _ in 0..<10_000 {
                let refusal = hand_over_submit(
                    handOver,
                    { pointer in
                        let numbers = Unmanaged<Numbers>.fromOpaque(pointer!).takeUnretainedValue()
                        numbers.seen.append(numbers.seen.count)
                    }, place)
                #expect(refusal == 0)
            }
            hand_over_stop(handOver)
            #expect(numbers.seen == Array(0..<10_000))
        }
    }
}
