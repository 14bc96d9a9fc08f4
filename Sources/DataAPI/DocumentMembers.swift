internal import DataText

extension JSONValue {
  /// Creates a JSON string, or `null` if the text is nil.
  init(_ text: String?) { self = text.map { .text($0) } ?? .null }

  /// Creates a JSON number, or `null` if the number is nil.
  init(_ number: Int?) { self = number.map { .number(JSONNumber(Int64($0))) } ?? .null }

  /// Returns the text that a member of an object has, or nil if it has none.
  func text(_ key: String) -> String? {
    if case .text(let text)? = self[key] { text } else { nil }
  }

  /// Returns the integer that a member of an object has, or nil if it has none.
  func integer(_ key: String) -> Int? {
    if case .number(let number)? = self[key] { number.integer.map { Int($0) } } else { nil }
  }

  /// The value as compact JSON, with a newline at the end.
  var line: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }
}
