internal import JSONText

extension JSONValue {
  /// Creates a JSON string, or `null` if the text is nil.
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  /// Creates a JSON number, or `null` if the number is nil.
  init(_ number: Int?) { self = number.map { .number(JSONNumber(Int64($0))) } ?? .null }

  /// Returns the string under a key of a JSON object, or nil if there is no string under the key.
  func text(_ key: String) -> String? {
    if case .text(let text)? = self[key] { text } else { nil }
  }

  /// Returns the integer under a key of a JSON object, or nil if there is no integer under the key.
  func integer(_ key: String) -> Int? {
    if case .number(let number)? = self[key] { number.integer.map { Int($0) } } else { nil }
  }

  /// Returns the count under a key of a JSON object, or nil if there is no count under the key. To
  /// a count that this function returns, further numbers can be added without an overflow.
  func count(_ key: String) -> Int? {
    integer(key).flatMap { (0...Int.max / 2).contains($0) ? $0 : nil }
  }

  /// The value as compact JSON, with a newline at the end.
  var line: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
