package import DataModel

/// A change of a schema to another version of it, under the same names.
///
/// The new version has all fields of the old one.
package struct Alteration: Hashable, Sendable {
  package let from: Schema
  package let to: Schema

  init(from: Schema, to: Schema) {
    self.from = from
    self.to = to
  }

  /// Throws an error if a field changes to a type that its type cannot be converted to.
  func check() throws(DataError) {
    let problems = to.fields.compactMap { field -> Problem? in
      guard let old = from.fields.first(where: { $0.name == field.name }),
        old.type.hasOtherValues(than: field.type), Conversion(old.type, field.type) == nil
      else { return nil }
      return Problem(
        .incompatibleData, "cannot convert \(old.type.displayName) to \(field.type.displayName)",
        hint: """
          to start without its values, remove the field, apply with --allow-loss \
          \(to.name).\(field.name), then declare it again
          """, schema: to.name, field: field.name)
    }
    if let error = DataError(problems) { throw error }
  }

  /// The slot in the old version of a field of the new one; nil for a new field.
  package func origin(of slot: Int) -> Int? {
    from.fields.firstIndex { $0.name == to.fields[slot].name }
  }

  /// The slots of new fields.
  package var added: [Int] { to.fields.indices.filter { origin(of: $0) == nil } }

  /// The slots of fields whose values are converted to another type.
  package var converted: [Int] { to.fields.indices.filter { conversion(of: $0) != nil } }

  /// The conversion of a field's values; nil if the type stays the same.
  package func conversion(of slot: Int) -> Conversion? {
    guard let origin = origin(of: slot) else { return nil }
    let (old, new) = (from.fields[origin].type, to.fields[slot].type)
    return old.hasOtherValues(than: new) ? Conversion(old, new) : nil
  }

  /// The default to fill into records without a value, if an existing field becomes required and
  /// has a default.
  package func fill(of slot: Int) -> Value? {
    guard let origin = origin(of: slot), to.fields[slot].isRequired,
      !from.fields[origin].isRequired || conversion(of: slot) != nil
    else { return nil }
    return to.fields[slot].defaultValue
  }

  /// The slots of unique fields whose values may contain duplicates: fields that were not unique
  /// before, or whose values change.
  package var newlyUnique: [Int] {
    to.fields.indices.filter { slot in
      guard to.fields[slot].isUnique else { return false }
      guard let origin = origin(of: slot) else { return to.fields[slot].defaultValue != nil }
      return !from.fields[origin].isUnique || conversion(of: slot) != nil || fill(of: slot) != nil
    }
  }

  /// Whether the existing indexes can stay while values change. A unique index would reject the
  /// first duplicate, so the other ones could not be reported.
  package var keepsIndexes: Bool {
    converted.isEmpty
      && !newlyUnique.contains { origin(of: $0).map { from.fields[$0].isUnique } ?? false }
  }

  /// The slots of relations with a new target schema, whose references have to be checked.
  package var retargetedRelations: [Int] {
    to.fields.indices.filter { slot in
      guard let relation = to.fields[slot].type.relation, let origin = origin(of: slot) else {
        return false
      }
      return from.fields[origin].type.relation?.target != relation.target
    }
  }

  /// The slot of a password that becomes required.
  package var newlyRequiredPassword: Int? {
    to.passwordSlot.flatMap { slot in
      let wasRequired = origin(of: slot).map { from.fields[$0].isRequired } ?? false
      return to.fields[slot].isRequired && !wasRequired ? slot : nil
    }
  }
}
