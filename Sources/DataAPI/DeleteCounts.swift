internal import DataModel
internal import DataText

/// The numbers of records that a deletion has deleted or changed.
package struct DeleteCounts: Hashable, Sendable {
  /// The number of deleted records that the request selected. Records to which the deletion
  /// cascaded are not included.
  package var count: Int
  /// The numbers of records to which the deletion cascaded, by schema.
  package var cascaded: [Cascade]
  /// The number of records in which a reference was cleared.
  package var nullified: Int

  /// A schema, and the number of its records that were deleted.
  package struct Cascade: Hashable, Sendable {
    package var schema: String
    package var count: Int

    package init(schema: String, count: Int) {
      self.schema = schema
      self.count = count
    }
  }

  package init(count: Int, cascaded: [Cascade] = [], nullified: Int = 0) {
    self.count = count
    self.cascaded = cascaded
    self.nullified = nullified
  }

  /// The counts as a line of JSON with the keys that `datactl batch` prints.
  package var json: [UInt8] {
    func number(_ count: Int) -> JSONValue { .number(JSONNumber(Int64(count))) }
    var members: [JSONValue.Member] = [.init("did", "delete"), .init("count", number(count))]
    if !cascaded.isEmpty {
      members.append(
        .init("cascaded", .object(cascaded.map { .init($0.schema, number($0.count)) })))
    }
    if nullified > 0 { members.append(.init("nullified", number(nullified))) }
    return Array("\(JSONValue.object(members))\n".utf8)
  }

  /// Parses the counts. Returns nil if the text is not valid.
  package init?(parsing text: Span<UInt8>) {
    guard let value = try? JSONValue(parsing: text), let count = Self.number(value["count"]) else {
      return nil
    }
    var cascaded: [Cascade] = []
    if case .object(let members)? = value["cascaded"] {
      for member in members {
        guard let count = Self.number(member.value) else { return nil }
        cascaded.append(Cascade(schema: member.name, count: count))
      }
    }
    self.init(count: count, cascaded: cascaded, nullified: Self.number(value["nullified"]) ?? 0)
  }

  private static func number(_ value: JSONValue?) -> Int? {
    guard case .number(let number)? = value, let integer = number.integer, integer >= 0 else {
      return nil
    }
    return Int(integer)
  }
}
