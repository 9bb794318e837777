/// SHA-256 as FIPS 180-4 defines it (sections 4.1.2, 4.2.2, 5 and 6.2), one message at a time.
///
/// Written for being read and for steady work on the processor's integer units, without its cryptographic
/// instructions: their presence would make the same benchmark another one on another machine. Not for secrets.
package enum SHA256 {
    package typealias Words = InlineArray<8, UInt32>

    /// The digest of a message, as eight big-endian words.
    package static func digest(_ message: [UInt8]) -> Words {
        var hash = initialHash
        message.withUnsafeBytes { message in
            let whole = message.count / 64 * 64
            for offset in stride(from: 0, to: whole, by: 64) {
                update(&hash, with: UnsafeRawBufferPointer(rebasing: message[offset..<offset + 64]))
            }
            // The rest, a one bit, zeros, and the message's length in bits at the end of the last block (5.1.1).
            let rest = message.count - whole
            let size = rest < 56 ? 64 : 128
            withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { last in
                last.initializeMemory(as: UInt8.self, repeating: 0)
                last.copyMemory(from: UnsafeRawBufferPointer(rebasing: message[whole...]))
                last[rest] = 0x80
                last.storeBytes(of: (UInt64(message.count) * 8).bigEndian, toByteOffset: size - 8, as: UInt64.self)
                for offset in stride(from: 0, to: size, by: 64) {
                    update(&hash, with: UnsafeRawBufferPointer(rebasing: last[offset..<offset + 64]))
                }
            }
        }
        return hash
    }

    /// A digest in the form in which it is printed.
    package static func hexadecimal(_ digest: Words) -> String {
        digest.indices.map { index in
            let digits = String(digest[index], radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    /// The digest of “abc”, the first example of the standard.
    static let digestOfABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"

    /// One block of 64 bytes (6.2.2).
    private static func update(_ hash: inout Words, with block: UnsafeRawBufferPointer) {
        // The message schedule needs only its last sixteen words at any time.
        var schedule = InlineArray<16, UInt32>(repeating: 0)
        var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
        var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
        for round in 0..<64 {
            let word: UInt32
            if round < 16 {
                word = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: round * 4, as: UInt32.self))
            } else {
                let early = schedule[(round + 1) & 15]
                let late = schedule[(round + 14) & 15]
                let sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
                let sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
                word = schedule[round & 15] &+ sigma0 &+ schedule[(round + 9) & 15] &+ sigma1
            }
            schedule[round & 15] = word

            let sum1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let choice = (e & f) ^ (~e & g)
            let first = h &+ sum1 &+ choice &+ constants[round] &+ word
            let sum0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let majority = (a & b) ^ (a & c) ^ (b & c)
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ sum0 &+ majority)
        }
        hash[0] &+= a
        hash[1] &+= b
        hash[2] &+= c
        hash[3] &+= d
        hash[4] &+= e
        hash[5] &+= f
        hash[6] &+= g
        hash[7] &+= h
    }

    @inline(__always)
    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { (word >> count) | (word << (32 - count)) }

    /// The first 32 bits of the fractional parts of the square roots of the first eight primes (5.3.3).
    private static let initialHash: Words = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// The first 32 bits of the fractional parts of the cube roots of the first sixty-four primes (4.2.2).
    private static let constants: InlineArray<64, UInt32> = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
