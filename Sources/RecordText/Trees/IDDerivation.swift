import DataModel

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
