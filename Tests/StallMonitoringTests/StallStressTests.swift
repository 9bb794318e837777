import TestSupport
import Testing

extension StallsTests {
    @Test("watches and monitors may come and go on several threads while what they watch works and stalls")
    func stress() async throws {
        #expect(try await onOwnThread { try stressStalls(milliseconds: 1_500) })
    }
}
