import JSONText
import TestSupport
import Testing

@Suite("UTF-8 validation")
struct UTF8CheckTests {
  @Test(
    "accepts well-formed UTF-8",
    arguments: [
      "", "a", "plain text of more than eight bytes", "é", "größe", "日本語", "🙂🙂", "\u{0}", "\u{7F}",
      "\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}", "12345678é",
      "1234567é12345678",
      "e\u{301}\r\n",
    ])
  func wellFormed(text: String) {
    let bytes = Array(text.utf8)
    #expect(UTF8Check.firstInvalidOffset(in: bytes.span) == nil)
    #expect(UTF8Check.isValid(bytes.span) == true)
    #expect(UTF8Check.scalarCount(in: bytes.span) == text.unicodeScalars.count)
  }

  @Test(
    "returns the offset of the first ill-formed byte sequence",
    arguments: [
      ([0x80], 0), ([0xBF], 0), ([0x61, 0xFF], 1), ([0x61, 0xFE, 0x61], 1), ([0xC3], 0),
      ([0xC3, 0x28], 0),
      ([0xC0, 0x80], 0), ([0xC1, 0xBF], 0), ([0xE0, 0x80, 0x80], 0), ([0xE0, 0x9F, 0xBF], 0),
      ([0xED, 0xA0, 0x80], 0), ([0xED, 0xBF, 0xBF], 0), ([0xE2, 0x82], 0), ([0xE2, 0x28, 0xA1], 0),
      ([0xE2, 0x82, 0x28], 0), ([0xF0, 0x80, 0x80, 0x80], 0), ([0xF0, 0x8F, 0xBF, 0xBF], 0),
      ([0xF4, 0x90, 0x80, 0x80], 0), ([0xF5, 0x80, 0x80, 0x80], 0), ([0xF0, 0x9F, 0x99], 0),
      ([0xF0, 0x9F, 0x99, 0x28], 0), ([0xF0, 0x9F, 0x28, 0x82], 0), ([0xF0, 0x28, 0x99, 0x82], 0),
      ([0xC3, 0xA9, 0xA9], 2), ([0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0xC3], 9),
      ([0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0xFF, 0x39], 7), ([0xE2, 0x82, 0xAC, 0xE2], 3),
    ] as [([UInt8], Int)])
  func notWellFormed(bytes: [UInt8], offset: Int) {
    #expect(UTF8Check.firstInvalidOffset(in: bytes.span) == offset)
    #expect(UTF8Check.isValid(bytes.span) == false)
  }

  @Test(
    "validates random bytes with the same result as the standard library",
    .tags(.random, .slow), .from(.test),
    arguments: [UInt64(31), 32])
  func sameAsStandardLibrary(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let boundaryBytes: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
      0xEC, 0xED,
      0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<200_000 {
      var bytes = [UInt8](repeating: 0x61, count: Int.random(in: 0...9, using: &random))
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        bytes.append(boundaryBytes.randomElement(using: &random) ?? 0)
      }
      let invalidOffset = UTF8Check.firstInvalidOffset(in: bytes.span)
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      #expect((invalidOffset == nil) == isValid, "seed \(seed): \(bytes)")
      #expect(UTF8Check.isValid(bytes.span) == isValid, "seed \(seed): \(bytes)")
      if let invalidOffset {
        let before = String(validating: bytes[..<invalidOffset], as: UTF8.self)
        #expect(before != nil, "seed \(seed): \(bytes)")
      }
    }
  }

  @Test("accepts all scalars, and reports only C0, DEL and C1 as control characters")
  func allScalars() {
    var failures = 0
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let bytes = Array(String(Character(scalar)).utf8)
      let isControl = scalar.properties.generalCategory == .control
      if UTF8Check.firstInvalidOffset(in: bytes.span) != nil { failures += 1 }
      if !UTF8Check.isValid(bytes.span) { failures += 1 }
      if UTF8Check.hasControl(in: bytes.span) != isControl { failures += 1 }
      if UTF8Check.scalarCount(in: bytes.span) != 1 { failures += 1 }
    }
    #expect(failures == 0)
  }

  @Test(
    "finds a control character at any offset", arguments: ["\u{1B}", "\u{7F}", "\u{85}", "\n"])
  func controls(control: String) {
    for text in [control, "a" + control, "größe " + control + " 🙂", "🙂" + control] {
      #expect(UTF8Check.hasControl(in: Array(text.utf8).span) == true)
    }
    #expect(UTF8Check.hasControl(in: Array("größe \u{A0}Â🙂".utf8).span) == false)
  }
}
