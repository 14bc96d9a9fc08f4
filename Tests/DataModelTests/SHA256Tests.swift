import DataModel
import TestSupport
import Testing

@Suite("SHA-256")
struct SHA256Tests {
  @Test(
    "computes the digests given in the examples of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
          + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
    ])
  func vectors(text: String, sum: String) {
    for usesInstructions in [false, true] {
      var hash = SHA256(usingInstructions: usesInstructions)
      hash.update(Array(text.utf8).span)
      #expect(hash.hexadecimal() == sum)
    }
  }

  @Test("computes the digest of a million letters that arrive in pieces")
  func millionLetters() {
    let letters = [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000)
    var hash = SHA256()
    for start in stride(from: 0, to: letters.count, by: 997) {
      hash.update(letters.span.extracting(start..<min(start + 997, letters.count)))
    }
    #expect(
      hash.hexadecimal() == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
  }

  @Test(
    "computes the same digest with and without instructions, in one piece and in several ones",
    arguments: [UInt64(51), 52])
  func pieces(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for length in 0..<300 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      var whole = SHA256(usingInstructions: false)
      whole.update(bytes.span)
      var cut = SHA256()
      var start = 0
      while start < length {
        let end = min(length, start + Int.random(in: 0...100, using: &random))
        cut.update(bytes.span.extracting(start..<end))
        start = end
      }
      #expect(whole.finish() == cut.finish(), "seed \(seed): \(length) bytes")
    }
  }

  @Test("returns a digest of 32 bytes")
  func length() {
    #expect(SHA256().finish().prefix(4) == [0xE3, 0xB0, 0xC4, 0x42])
    #expect(SHA256().finish().count == 32)
  }
}
