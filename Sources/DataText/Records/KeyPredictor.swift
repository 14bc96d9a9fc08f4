import DataModel

/// Predicts the next key of a record, to avoid a lookup by name.
///
/// The records of one input usually have their keys in the same order. So each key is first
/// compared with the key that came next in the previous record, eight bytes at once, including the
/// closing quote.
struct KeyPredictor: Sendable {
  private struct Name: BitwiseCopyable {
    var word: UInt64
    var mask: UInt64
    var count: Int
  }

  private var names: [Name] = []
  private var bytes: [[UInt8]] = []
  /// The slot that followed each slot in the last record; the last entry is for the first key.
  private var following: [Int]

  init(_ schema: Schema) {
    following = Array(1..<schema.width) + [0, 0]
    for slot in 0..<schema.width {
      let name = Array(schema.name(of: slot).utf8) + [UInt8(ascii: "\"")]
      var word: UInt64 = 0
      var mask: UInt64 = 0
      for (position, byte) in name.prefix(8).enumerated() {
        word |= UInt64(byte) << (position * 8)
        mask |= 0xFF << (position * 8)
      }
      names.append(Name(word: word, mask: mask, count: name.count))
      bytes.append(name)
    }
  }

  /// The pseudo slot that precedes the first key.
  var start: Int { names.count }

  /// Returns the predicted slot and the length of its name with the closing quote, if that name is
  /// at `position`, the offset after the opening quote.
  @inline(__always)
  func expected(
    after previous: Int, in text: Span<UInt8>, at position: Int
  ) -> (slot: Int, length: Int)? {
    let slot = following[previous]
    let name = names[slot]
    guard position &+ 8 <= text.count,
      (JSONScanner.word(text, at: position) ^ name.word) & name.mask == 0
    else { return nil }
    if name.count > 8 && !hasRest(of: slot, in: text, at: position) { return nil }
    return (slot, name.count)
  }

  private func hasRest(of slot: Int, in text: Span<UInt8>, at position: Int) -> Bool {
    let count = bytes[slot].count
    guard position &+ count <= text.count else { return false }
    for offset in 8..<count where bytes[slot][offset] != text[position &+ offset] { return false }
    return true
  }

  /// Records that `slot` followed `previous`.
  mutating func note(_ slot: Int, after previous: Int) {
    following[previous] = slot
  }
}
