package import DataModel

/// How the records of a schema become those of another version of it, under the same names.
///
/// Every field that the old version has, the new one has too.
package struct Alteration: Hashable, Sendable {
  package let from: Schema
  package let to: Schema

  init(from: Schema, to: Schema) {
    self.from = from
    self.to = to
  }

  /// Refuses types that cannot become each other.
  func check() throws(DataError) {
    let problems = to.fields.compactMap { field -> Problem? in
      guard let old = from.fields.first(where: { $0.name == field.name }),
        old.type.isOther(than: field.type), Conversion(old.type, field.type) == nil
      else { return nil }
      return Problem(
        .misfit, "cannot convert \(old.type.words) to \(field.type.words)",
        hint: """
          to start without its values, remove the field, apply with --allow-loss \
          \(to.name).\(field.name), then declare it again
          """, schema: to.name, field: field.name)
    }
    if let error = DataError(problems) { throw error }
  }

  /// Where a field of the new version stood in the old one; nil for a field that is new.
  package func origin(of slot: Int) -> Int? {
    from.fields.firstIndex { $0.name == to.fields[slot].name }
  }

  /// The slots of new fields.
  package var added: [Int] { to.fields.indices.filter { origin(of: $0) == nil } }

  /// The slots of fields whose values get another type.
  package var converted: [Int] { to.fields.indices.filter { conversion(of: $0) != nil } }

  /// How the values of a field get another type; nil if they keep theirs.
  package func conversion(of slot: Int) -> Conversion? {
    guard let origin = origin(of: slot) else { return nil }
    let (old, new) = (from.fields[origin].type, to.fields[slot].type)
    return old.isOther(than: new) ? Conversion(old, new) : nil
  }

  /// A value for the records that have none, where a field that was there becomes required and has
  /// a default.
  package func fill(of slot: Int) -> Value? {
    guard let origin = origin(of: slot), to.fields[slot].isRequired,
      !from.fields[origin].isRequired || conversion(of: slot) != nil
    else { return nil }
    return to.fields[slot].defaultValue
  }

  /// The slots of fields whose values have to differ from each other, and may not: they did not have
  /// to before, or get other values now.
  package var newlyUnique: [Int] {
    to.fields.indices.filter { slot in
      guard to.fields[slot].isUnique else { return false }
      guard let origin = origin(of: slot) else { return to.fields[slot].defaultValue != nil }
      return !from.fields[origin].isUnique || conversion(of: slot) != nil || fill(of: slot) != nil
    }
  }

  /// Whether indexes of both versions can stay while values change: those of unique fields would
  /// refuse the first that is there twice, and name no other.
  package var keepsIndexes: Bool {
    converted.isEmpty
      && !newlyUnique.contains { origin(of: $0).map { from.fields[$0].isUnique } ?? false }
  }

  /// The slots of relations whose targets have to be looked for.
  package var newlyReferring: [Int] {
    to.fields.indices.filter { slot in
      guard let relation = to.fields[slot].type.relation, let origin = origin(of: slot) else {
        return false
      }
      return from.fields[origin].type.relation?.target != relation.target
    }
  }

  /// The slot of a password that every user has to have from now on.
  package var requiredPassword: Int? {
    to.passwordSlot.flatMap { slot in
      let wasRequired = origin(of: slot).map { from.fields[$0].isRequired } ?? false
      return to.fields[slot].isRequired && !wasRequired ? slot : nil
    }
  }
}
