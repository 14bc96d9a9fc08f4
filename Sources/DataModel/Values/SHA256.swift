internal import CSHA256

/// An incremental SHA-256 hash function (FIPS 180-4).
package struct SHA256: Sendable {
  /// Whether the processor has instructions for SHA-256, which are several times faster.
  package static let hasInstructions = datactl_has_sha256() != 0

  private var state = Self.start
  private var pending: [UInt8] = []
  private var length: UInt64 = 0
  private let usesInstructions: Bool

  package init(usingInstructions: Bool = Self.hasInstructions) {
    usesInstructions = usingInstructions && Self.hasInstructions
  }

  /// Adds bytes to the data to be hashed.
  package mutating func update(_ bytes: Span<UInt8>) {
    length &+= UInt64(bytes.count)
    var offset = 0
    if !pending.isEmpty {
      offset = min(64 - pending.count, bytes.count)
      for index in 0..<offset { pending.append(bytes[index]) }
      guard pending.count == 64 else { return }
      let block = pending
      pending = []
      add(block.span)
    }
    let end = bytes.count &- (bytes.count &- offset) % 64
    if offset < end { add(bytes.extracting(offset..<end)) }
    offset = end
    for index in offset..<bytes.count { pending.append(bytes[index]) }
  }

  /// Returns the 32 bytes of the hash of all added bytes.
  package consuming func finish() -> [UInt8] {
    let bits = length &* 8
    pending.append(0x80)
    while pending.count % 64 != 56 { pending.append(0) }
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      pending.append(UInt8(truncatingIfNeeded: bits &>> shift))
    }
    let rest = pending
    add(rest.span)
    var sum: [UInt8] = []
    for index in state.indices {
      for shift in stride(from: UInt32(24), through: 0, by: -8) {
        sum.append(UInt8(truncatingIfNeeded: state[index] &>> shift))
      }
    }
    return sum
  }

  /// Returns the hash as 64 lowercase hexadecimal digits.
  package consuming func hexadecimal() -> String {
    let digits = Array("0123456789abcdef".utf8)
    let text = finish().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
    return String(decoding: text, as: UTF8.self)
  }

  /// Adds blocks of 64 bytes to the state.
  private mutating func add(_ blocks: Span<UInt8>) {
    if usesInstructions {
      var words = state.mutableSpan
      unsafe words.withUnsafeMutableBufferPointer { words in
        unsafe Self.constants.span.withUnsafeBufferPointer { constants in
          unsafe blocks.withUnsafeBufferPointer { blocks in
            unsafe datactl_add_to_sha256(
              words.baseAddress, constants.baseAddress, blocks.baseAddress, blocks.count / 64)
          }
        }
      }
      return
    }
    var offset = 0
    while offset < blocks.count {
      Self.digest(blocks.extracting(offset..<offset &+ 64), into: &state)
      offset &+= 64
    }
  }

  private static func digest(_ block: Span<UInt8>, into state: inout InlineArray<8, UInt32>) {
    var schedule = InlineArray<64, UInt32>(repeating: 0)
    for index in 0..<16 {
      let offset = index &* 4
      schedule[index] =
        UInt32(block[offset]) &<< 24 | UInt32(block[offset &+ 1]) &<< 16
        | UInt32(block[offset &+ 2]) &<< 8 | UInt32(block[offset &+ 3])
    }
    for index in 16..<64 {
      let early = schedule[index &- 15]
      let late = schedule[index &- 2]
      let first = early.rotated(7) ^ early.rotated(18) ^ early &>> 3
      let second = late.rotated(17) ^ late.rotated(19) ^ late &>> 10
      schedule[index] = schedule[index &- 16] &+ first &+ schedule[index &- 7] &+ second
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for index in 0..<64 {
      let choice = (e & f) ^ (~e & g)
      let second = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
      let sum = h &+ second &+ choice &+ constants[index] &+ schedule[index]
      let majority = (a & b) ^ (a & c) ^ (b & c)
      let first = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
      (h, g, f, e) = (g, f, e, d &+ sum)
      (d, c, b, a) = (c, b, a, sum &+ first &+ majority)
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
  }

  private static let start: InlineArray<8, UInt32> = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19,
  ]

  private static let constants: InlineArray<64, UInt32> = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]
}

extension UInt32 {
  fileprivate func rotated(_ bits: UInt32) -> UInt32 {
    self &>> bits | self &<< (32 &- bits)
  }
}
