import DataModel

/// Selects the primary key of the records among their keys.
struct KeyChoice {
  /// The index of the key in the statistics; nil if the schema needs a new id field.
  let place: Int?
  let notes: [String]

  /// Selects the key with the name of the primary key, or else a key `id` that is unique. Nested
  /// records may occur more than once, so their ids need not be unique.
  init(among tally: RecordTally, isNested: Bool, file: String) throws(DataError) {
    let ownName = tally.name + "_id"
    func places(of name: String) -> [Int] {
      tally.fields.indices.filter { place in
        Names.suggested(for: tally.fields[place].key) == name
          && tally.fields[place].values.total > 0
      }
    }
    if let own = places(of: ownName).first {
      let field = tally.fields[own]
      if let objection = field.objection(isNested: isNested) {
        throw DataError(
          Problem(
            .invalid,
            "\(ownName) must be the primary key of \(tally.name), but it cannot: \(objection.text)",
            hint: "choose another schema name, so that \(ownName) is an ordinary field",
            schema: tally.name, field: Excerpt.cut(field.key), file: file,
            line: objection.line))
      }
      self.place = own
      notes = Self.notes(of: field, in: tally)
      return
    }
    // If both `_id` and `id` exist, `id` is an ordinary field.
    let called = places(of: "id")
    let candidates = called.count > 1 ? called.filter { tally.fields[$0].key != "id" } : called
    guard let candidate = candidates.first else {
      self.place = nil
      notes = ["\(ownName): added as the primary key; save assigns each record a new id"]
      return
    }
    let field = tally.fields[candidate]
    var objection = field.objection(isNested: isNested)?.text
    if field.count < tally.count { objection = "\(tally.count - field.count) have none" }
    if let objection {
      self.place = nil
      notes = [
        "\(Excerpt.cut(field.key)): not usable as the primary key, since \(objection)",
        "\(ownName): added as the primary key; save assigns each record a new id",
      ]
    } else {
      self.place = candidate
      notes = Self.notes(of: field, in: tally)
    }
  }

  private static func notes(of field: FieldTally, in tally: RecordTally) -> [String] {
    let name = tally.name + "_id"
    var notes: [String] = []
    if field.key != name && Names.property(for: name) != field.key {
      notes.append(
        "\(name): the primary key, from \(Excerpt.cut(field.key)), which is unique")
    }
    if field.values[.integer] + field.values[.number] > 0 {
      notes.append("\(name): integers become text, like all ids")
    }
    if field.count < tally.count {
      let missing = tally.count - field.count
      notes.append(
        """
        \(name): missing in \(missing) record\(missing == 1 ? "" : "s"), which save assigns new \
        ids
        """)
    }
    if let ids = field.ids, !ids.isComplete {
      notes.append("\(name): checked \(IDTally.mostCompared) ids, all unique")
    }
    return notes
  }
}

extension FieldTally {
  /// Returns why the values cannot be ids, and the line of the first such value.
  fileprivate func objection(isNested: Bool) -> (text: String, line: Int?)? {
    if nulls > 0 { return ("\(nulls) \(nulls == 1 ? "is" : "are") null", nil) }
    if let misfit = ids?.misfit {
      return ("\(misfit.text) on line \(misfit.line) is not an id", misfit.line)
    }
    if let repeated = ids?.repeated, !isNested {
      return ("\(repeated.text) is repeated on line \(repeated.line)", repeated.line)
    }
    return nil
  }
}
