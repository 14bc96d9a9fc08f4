import DataModel
import JSONText

/// Whether the records in trees without an id get one that follows from that of the outer record,
/// such as `o1.lines.0` for the first line of the order `o1`. A tree that is read twice then results
/// in the same records.
package enum IDDerivation: Sendable {
  /// Records without an id are new, unless a map reads the trees.
  case none
  case fromOuter
}

/// The fields that distinguish the records in a list, if their values occur in other lists too. If
/// ids are derived, the value of such a field replaces the position: `o1.lines.7`.
package enum PartKeys {
  /// Returns the names of the fields for a list: for `lines`, these are `id`, `line_id` and
  /// `lines_id`.
  package static func names(ofList name: String) -> [String] {
    ["id"] + schemaNames(ofList: name).map { "\($0)_id" }
  }

  /// Returns the names that the schema of the records in a list may have: for `lines`, these are
  /// `line` and `lines`.
  package static func schemaNames(ofList name: String) -> [String] {
    var names: [String] = []
    for (end, singular) in [("ies", "y"), ("es", ""), ("s", "")] where name.hasSuffix(end) {
      names.append(name.dropLast(end.count) + singular)
    }
    return names + [name]
  }

  static func slots(in schema: Schema, ofList name: String) -> [Int] {
    names(ofList: name).compactMap { schema.slot(named: $0) }.filter { slot in
      slot < schema.fields.count && [.text, .integer].contains(schema.type(of: slot))
    }
  }
}

extension JSONScanner {
  /// Returns the values of fields in the object at the current position as ids, or nil for values
  /// that are neither text nor an integer.
  func idValues(
    _ text: Span<UInt8>, _ slots: [Int], of schema: Schema
  ) throws(ScanError) -> [[UInt8]?] {
    var scanner = self
    var values = [[UInt8]?](repeating: nil, count: slots.count)
    var next = try scanner.skipOpening(text, closing: UInt8(ascii: "}"))
    while let quote = next {
      guard quote == UInt8(ascii: "\"") else { throw ScanError(.expectedKey, scanner.position) }
      let slot =
        if let range = try scanner.string(text) {
          schema.slot(named: text.extracting(range))
        } else {
          schema.slot(named: scanner.unescaped.span)
        }
      let byte = try scanner.skipColon(text)
      if let index = slots.firstIndex(where: { $0 == slot }) {
        values[index] = try scanner.idValue(byte, text)
      } else {
        _ = try scanner.skipValue(text)
      }
      next = try scanner.skipMemberEnd(text)
    }
    return values
  }

  private mutating func idValue(
    _ byte: UInt8, _ text: Span<UInt8>
  ) throws(ScanError) -> [UInt8]? {
    var value: [UInt8] = []
    if byte == UInt8(ascii: "\"") {
      if let range = try string(text) {
        value.append(copying: text.extracting(range))
      } else {
        value = unescaped
      }
      return value
    }
    guard byte == UInt8(ascii: "-") || JSONScanner.isDigit(byte) else {
      _ = try skipValue(text)
      return nil
    }
    let number = text.extracting(try number(text))
    return (try? NumberText.integer(number)).map { Array("\($0)".utf8) }
  }
}
