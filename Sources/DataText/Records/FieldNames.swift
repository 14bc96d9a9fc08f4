import DataModel

/// Recognises the key that comes next, before anything is looked up by name.
///
/// Records of one input have their keys in one order, so each key is first compared with the one
/// that followed the key before it in the last record: eight bytes at once, closing quote included.
struct FieldNames: Sendable {
  private struct Name: BitwiseCopyable {
    var word: UInt64
    var mask: UInt64
    var count: Int
  }

  private var names: [Name] = []
  private var bytes: [[UInt8]] = []
  /// Which slot followed a slot in the last record; the last entry is for the first key.
  private var following: [Int]

  init(_ schema: Schema) {
    following = Array(1..<schema.width) + [0, 0]
    for slot in 0..<schema.width {
      let name = Array(schema.name(of: slot).utf8) + [UInt8(ascii: "\"")]
      var word: UInt64 = 0
      var mask: UInt64 = 0
      for (place, byte) in name.prefix(8).enumerated() {
        word |= UInt64(byte) << (place * 8)
        mask |= 0xFF << (place * 8)
      }
      names.append(Name(word: word, mask: mask, count: name.count))
      bytes.append(name)
    }
  }

  /// The slot before the first.
  var start: Int { names.count }

  /// The slot whose name, with the closing quote, stands at a place behind the opening one, if it is
  /// the one that is expected, and the length of that.
  @inline(__always)
  func expected(
    after previous: Int, in text: Span<UInt8>, at place: Int
  ) -> (slot: Int, length: Int)? {
    let slot = following[previous]
    let name = names[slot]
    guard place &+ 8 <= text.count,
      (JSONScanner.word(text, at: place) ^ name.word) & name.mask == 0
    else { return nil }
    if name.count > 8 && !hasRest(of: slot, in: text, at: place) { return nil }
    return (slot, name.count)
  }

  private func hasRest(of slot: Int, in text: Span<UInt8>, at place: Int) -> Bool {
    let count = bytes[slot].count
    guard place &+ count <= text.count else { return false }
    for offset in 8..<count where bytes[slot][offset] != text[place &+ offset] { return false }
    return true
  }

  /// Learns which slot follows another.
  mutating func note(_ slot: Int, after previous: Int) {
    following[previous] = slot
  }
}
