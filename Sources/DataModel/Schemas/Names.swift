/// The rules for the names of schemas, fields and methods (programs that a server runs for
/// requests), and the conversion of names to and from property names such as `yearBorn`.
package enum Names {
  /// The kind of a name, which determines its maximum length.
  package enum Kind: Sendable {
    case schema
    case field
    /// The name of a program that a server runs for requests.
    case method

    /// The maximum length of a name of this kind, in characters.
    package var limit: Int {
      switch self {
      case .schema: 40
      case .field: 48
      case .method: 64
      }
    }
  }

  /// Returns whether the name matches `[a-z][a-z0-9_]*` and is not too long.
  package static func isValid(_ name: String, as kind: Kind) -> Bool {
    let bytes = name.utf8
    guard let first = bytes.first, isLowercase(first), bytes.count <= kind.limit else {
      return false
    }
    return bytes.allSatisfy { isLowercase($0) || isDigit($0) || $0 == underscore }
  }

  /// Returns the valid name that is closest to a property name or to a name from another system,
  /// such as `year_born` for `yearBorn`. Returns nil if the name cannot be converted.
  package static func suggested(for name: String, as kind: Kind = .field) -> String? {
    let bytes = Array(name.utf8)
    var result: [UInt8] = []
    var isSeparated = false
    for (index, byte) in bytes.enumerated() {
      guard isWordByte(byte) else {
        guard byte >= 0x20, byte < 0x7F else { return nil }
        isSeparated = true
        continue
      }
      if isSeparated || beginsWord(index, in: bytes), let last = result.last, last != underscore {
        result.append(underscore)
      }
      isSeparated = false
      if byte != underscore || !result.isEmpty {
        result.append(isUppercase(byte) ? byte | 0x20 : byte)
      }
    }
    if result.count > kind.limit {
      result.removeLast(result.count - kind.limit)
      while result.last == underscore { result.removeLast() }
    }
    guard let first = result.first, isLowercase(first) else { return nil }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the field name for the header of a column in a table, such as `installed_size` for
  /// `Installed-Size`. Any run of other bytes than letters, digits and underscores separates words.
  ///
  /// - Parameter number: The number of the column, counted from 1. The name is `column_3` if the
  ///   header begins with a digit or contains no letters.
  package static func field(forColumn header: String, number: Int) -> String {
    let words = header.utf8.map { isWordByte($0) ? $0 : 0x20 }
    guard let name = suggested(for: String(decoding: words, as: UTF8.self)) else {
      return "column_\(number)"
    }
    return SystemField(named: name)?.originalName ?? name
  }

  /// Returns the property name for a field, such as `yearBorn` for `year_born`.
  ///
  /// Only underscores before lowercase letters are removed. The others are kept, so that the
  /// property name can be converted back to the field name.
  package static func property(for name: String) -> String {
    String(decoding: camelCase(name), as: UTF8.self)
  }

  /// Returns the property name for a primary key, such as `todoID` for `todo_id`.
  package static func property(forKey name: String) -> String {
    var property = camelCase(name)
    if property.suffix(2).elementsEqual("Id".utf8) {
      property[property.count - 1] = UInt8(ascii: "D")
    }
    return String(decoding: property, as: UTF8.self)
  }

  private static func camelCase(_ name: String) -> [UInt8] {
    let bytes = Array(name.utf8)
    var result: [UInt8] = []
    var uppercasesNext = false
    for (index, byte) in bytes.enumerated() {
      if byte == underscore, index > 0, bytes[index - 1] != underscore,
        index + 1 < bytes.count, isLowercase(bytes[index + 1])
      {
        uppercasesNext = true
        continue
      }
      result.append(uppercasesNext ? byte & ~0x20 : byte)
      uppercasesNext = false
    }
    return result
  }

  /// Returns the type name for a schema, such as `BlogPost` for `blog_post`.
  package static func typeName(for schema: String) -> String {
    let property = property(for: schema)
    return property.prefix(1).uppercased() + property.dropFirst()
  }

  private static func beginsWord(_ index: Int, in bytes: [UInt8]) -> Bool {
    guard isUppercase(bytes[index]), index > 0 else { return false }
    let previous = bytes[index - 1]
    if isLowercase(previous) || isDigit(previous) { return true }
    return isUppercase(previous) && index + 1 < bytes.count && isLowercase(bytes[index + 1])
  }

  private static let underscore = UInt8(ascii: "_")

  private static func isWordByte(_ byte: UInt8) -> Bool {
    isLowercase(byte) || isUppercase(byte) || isDigit(byte) || byte == underscore
  }

  private static func isLowercase(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z")
  }

  private static func isUppercase(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}

extension Names {
  /// Returns the message that explains why a schema name is invalid, or nil if the name is valid.
  static func problem(ofSchema name: String) -> String? { problem(of: name, as: .schema) }

  /// Returns the message that explains why a field name is invalid, or nil if the name is valid.
  static func problem(ofField name: String) -> String? { problem(of: name, as: .field) }

  private static func problem(of name: String, as kind: Kind) -> String? {
    if isValid(name, as: kind) { return nil }
    if isValid(String(name.prefix(kind.limit)), as: kind) {
      return "names of \(kind)s can have at most \(kind.limit) characters"
    }
    let suggestion = hint(for: name, as: kind).map { ", such as \($0)" }
    return "not a valid name: use lowercase letters, digits and underscores" + (suggestion ?? "")
  }

  /// Returns a valid name to suggest in an error message, or nil. If the given name is the address
  /// of a store, the result is nil, because the suggestion could reveal a password.
  package static func hint(for name: String, as kind: Kind) -> String? {
    Secrets.redacted(inText: name) == name ? suggested(for: name, as: kind) : nil
  }

  /// Returns whether the name can be a property name: letters, digits, and underscores, not
  /// beginning with a digit.
  package static func isProperty(_ name: String) -> Bool {
    guard let first = name.utf8.first, !isDigit(first) else { return false }
    return name.utf8.allSatisfy(isWordByte)
  }
}
