import DataModel
import RecordText

/// Selects the JSON key or the column of the input whose values become the ids of the records.
struct PrimaryKeyChoice {
  /// The index of the selected key in `RecordStatistics.fields`, or nil if no single key contains
  /// the ids.
  let index: Int?
  let ids: InferredSchema.IDSource
  let notes: [String]

  /// Selects the key whose values become the ids of the records: the first of these keys that is in
  /// the records.
  ///
  /// 1. The key that the user has selected.
  /// 2. The key with the name of the primary key, such as `todo_id` for the schema `todo`.
  /// 3. The key `id`, if all records have it and its values are valid and unique ids.
  ///
  /// - Parameters:
  ///   - role: The role of the records. The ids of objects in relations need not be unique, because
  ///     the same record may occur more than once.
  ///   - extent: Which records were to be read: all, or only the first ones. If only the first
  ///     ones, invalid ids under a key that the user has selected are no error here. The save that
  ///     follows reports them.
  ///   - isComplete: Whether the end of the input was reached. This is also possible if only the
  ///     first records were to be read. If it was not reached, the notes say that only the ids of
  ///     the first records are known to be unique.
  init(
    among statistics: RecordStatistics, as role: NestedRole, extent: SchemaInference.Extent,
    isComplete: Bool, file: String?
  ) throws(DataError) {
    let ownName = statistics.name + "_id"
    var added = "\(ownName): added as the primary key; save assigns each record a new id"
    if role != .root {
      added += ", and save --infer --deep one that follows from the outer record"
    }
    let rules = statistics.rules
    if rules.key.count > 1 || rules.key.contains(where: { rules.skips(Array($0.utf8)) }) {
      self.index = nil
      ids = .key(isRequired: true)
      let word = rules.key.count > 1 ? "joined from" : "read from"
      notes = ["\(ownName): the primary key, \(word) \(rules.key.joined(separator: ", "))"]
      return
    }
    func indexes(of name: String) -> [Int] {
      statistics.fields.indices.filter { index in
        Names.suggested(for: statistics.fields[index].key) == name
          && statistics.fields[index].values.total > 0
      }
    }
    let chosen = statistics.fields.firstIndex { rules.isOnlyKey($0.keyBytes) }
    if let own = chosen ?? indexes(of: ownName).first {
      let field = statistics.fields[own]
      if let objection = field.objection(as: role), chosen == nil || extent == .all {
        throw DataError(
          Problem(
            .invalid,
            """
            \(Excerpt.truncated(field.key)) must be the primary key of \(statistics.name), but \
            its values cannot be ids: \(objection.text)
            """,
            hint: chosen == nil
              ? "choose another schema name, so that \(ownName) is an ordinary field"
              : "choose another column for --key",
            schema: statistics.name, field: Excerpt.truncated(field.key),
            file: objection.location?.file.name ?? file, line: objection.location?.line))
      }
      self.index = own
      ids = .key(isRequired: chosen != nil)
      notes = Self.notes(of: field, in: statistics, isComplete: isComplete)
      return
    }
    // If both `_id` and `id` exist, `_id` is selected and `id` is an ordinary field. With a map,
    // `id` is not considered, because the map specifies the id.
    let called = statistics.isMapped ? [] : indexes(of: "id")
    let candidates = called.count > 1 ? called.filter { statistics.fields[$0].key != "id" } : called
    guard let candidate = candidates.first else {
      self.index = nil
      ids = .assigned
      notes = [added]
      return
    }
    let field = statistics.fields[candidate]
    var objection = field.objection(as: role)?.text
    if field.count < statistics.count {
      let missing = statistics.count - field.count
      objection = missing == 1 ? "1 record lacks it" : "\(missing) records lack it"
    }
    if case .part = role, objection == nil, !isComplete || field.ids?.isComplete == false {
      objection = "only the first values are known to be unique"
    }
    if let objection {
      self.index = nil
      ids = .assigned
      notes = [
        "\(Excerpt.truncated(field.key)): not usable as the primary key, since \(objection)",
        added,
      ]
    } else {
      self.index = candidate
      ids = .key(isRequired: true)
      notes = Self.notes(of: field, in: statistics, isComplete: isComplete)
    }
  }

  private static func notes(
    of field: FieldStatistics, in statistics: RecordStatistics, isComplete: Bool
  ) -> [String] {
    let name = statistics.name + "_id"
    var notes: [String] = []
    if field.key != name && Names.property(for: name) != field.key {
      let unique =
        field.ids?.repeated != nil
        ? "" : ", which is unique" + (isComplete ? "" : " in the first \(statistics.count) records")
      notes.append("\(name): the primary key, from \(Excerpt.truncated(field.key))\(unique)")
    }
    if field.values[.integer] + field.values[.number] > 0 {
      notes.append("\(name): integers become text, like all ids")
    }
    if field.count < statistics.count {
      let missing = statistics.count - field.count
      notes.append(
        """
        \(name): missing in \(missing) record\(missing == 1 ? "" : "s"); save assigns a new id to \
        each record without one
        """)
    }
    if let ids = field.ids, !ids.isComplete {
      notes.append("\(name): checked \(IDStatistics.maxCompared) ids, all unique")
    }
    return notes
  }
}

extension FieldStatistics {
  /// Returns the reason why the values cannot be ids, and the location of the first invalid or
  /// duplicate value. Returns nil if all values can be ids.
  func objection(as role: NestedRole) -> (text: String, location: InferenceLocation?)? {
    if nulls > 0 {
      let first = firstNull.map { nulls == 1 ? " on \($0)" : ", the first on \($0)" } ?? ""
      return ("\(nulls) \(nulls == 1 ? "is" : "are") null\(first)", firstNull)
    }
    if let violation = ids?.violation {
      return ("\(violation.text) on \(violation.location) is not an id", violation.location)
    }
    if let repeated = ids?.repeated, role != .object {
      return ("\(repeated.text) is repeated on \(repeated.location)", repeated.location)
    }
    return nil
  }
}
