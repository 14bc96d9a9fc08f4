import DataModel
import JSONText

/// Predicts the next key of a record, to avoid looking up the key by name.
///
/// The records of an input usually have their keys in the same order. Therefore each key is first
/// compared with the key that came next in the previous record. The first eight bytes, which may
/// include the closing quote, are compared at once.
struct KeyPredictor: Sendable {
  private struct Name: BitwiseCopyable {
    var word: UInt64
    var mask: UInt64
    var count: Int
  }

  private var names: [Name] = []
  private var bytes: [[UInt8]] = []
  /// For each field, given by its slot (position in a row), the slot of the field that followed it
  /// in the most recent record. The last element is the slot of the first field of a record.
  private var following: [Int]

  /// Creates a predictor for the keys of a schema.
  ///
  /// - Parameter isPredicted: A closure that returns whether the key of the field in a slot can be
  ///   predicted.
  init(_ schema: Schema, isPredicted: (Int) -> Bool) {
    following = Array(1..<schema.width) + [0, 0]
    for slot in 0..<schema.width {
      guard isPredicted(slot) else {
        // An entry that matches no text, because no text is long enough.
        names.append(Name(word: 0, mask: .max, count: .max))
        bytes.append([])
        continue
      }
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

  /// The value to pass as `previous` for the first key of a record, which follows no other key.
  var start: Int { names.count }

  /// Returns the slot (position in a row) of the predicted field, and the length of its name with
  /// the closing quote. Returns nil if the key at `position` is not the predicted key.
  ///
  /// - Parameters:
  ///   - previous: The slot of the previous key's field, or `start`.
  ///   - position: The offset after the opening quote of the key.
  @inline(__always)
  func expected(
    after previous: Int, in text: Span<UInt8>, at position: Int
  ) -> (slot: Int, length: Int)? {
    let slot = following[previous]
    let name = names[slot]
    guard position &+ 8 <= text.count,
      (text.word(at: position) ^ name.word) & name.mask == 0
    else { return nil }
    if name.count > 8 && !hasRest(of: slot, in: text, at: position) { return nil }
    return (slot, name.count)
  }

  private func hasRest(of slot: Int, in text: Span<UInt8>, at position: Int) -> Bool {
    let count = bytes[slot].count
    guard count > 8, position &+ count <= text.count else { return false }
    for offset in 8..<count where bytes[slot][offset] != text[position &+ offset] { return false }
    return true
  }

  /// Remembers that the field in `slot` followed the field in `previous`, for later predictions.
  mutating func note(_ slot: Int, after previous: Int) {
    following[previous] = slot
  }
}
