package import DataModel

/// A change of a schema from one version to another, without renaming the schema or its fields.
///
/// The new version has all fields of the old one, because a plan drops fields in an earlier stage.
package struct Alteration: Hashable, Sendable {
  package let from: Schema
  package let to: Schema

  init(from: Schema, to: Schema) {
    self.from = from
    self.to = to
  }

  /// Throws an error if the values of a field cannot be converted to its new type.
  func check() throws(DataError) {
    let problems = to.fields.compactMap { field -> Problem? in
      guard let old = from.fields.first(where: { $0.name == field.name }),
        old.type.hasOtherValues(than: field.type), Conversion(old.type, field.type) == nil
      else { return nil }
      return Problem(
        .incompatibleData, "cannot convert \(old.type.displayName) to \(field.type.displayName)",
        hint: """
          to discard the values, remove the field and apply with --allow-loss \
          \(to.name).\(field.name); then declare the field again
          """, schema: to.name, field: field.name)
    }
    if let error = DataError(problems) { throw error }
  }

  /// Returns the slot that a field has in the old version of the schema; nil if the field is new.
  ///
  /// - Parameter slot: The slot of the field in the new version.
  package func origin(of slot: Int) -> Int? {
    from.fields.firstIndex { $0.name == to.fields[slot].name }
  }

  /// The slots of the new fields.
  package var added: [Int] { to.fields.indices.filter { origin(of: $0) == nil } }

  /// The fields whose values are converted to another type, as slots in the new version of the
  /// schema.
  package var converted: [Int] { to.fields.indices.filter { conversion(of: $0) != nil } }

  /// Returns the conversion of a field's values. Returns nil if the field is new, if its values are
  /// not changed, or if no conversion exists.
  package func conversion(of slot: Int) -> Conversion? {
    guard let origin = origin(of: slot) else { return nil }
    let (old, new) = (from.fields[origin].type, to.fields[slot].type)
    return old.hasOtherValues(than: new) ? Conversion(old, new) : nil
  }

  /// Returns the default that existing records receive in a field if they have no value, or nil if
  /// the field needs no default.
  ///
  /// A default is needed if an existing field becomes required, or if the values of a required
  /// field are converted.
  package func fill(of slot: Int) -> Value? {
    guard let origin = origin(of: slot), to.fields[slot].isRequired,
      !from.fields[origin].isRequired || conversion(of: slot) != nil
    else { return nil }
    return to.fields[slot].defaultValue
  }

  /// The slots of unique fields that may have duplicate values: fields that were not unique before,
  /// fields whose values change, and new fields with a default.
  package var newlyUnique: [Int] {
    to.fields.indices.filter { slot in
      guard to.fields[slot].isUnique else { return false }
      guard let origin = origin(of: slot) else { return to.fields[slot].defaultValue != nil }
      return !from.fields[origin].isUnique || conversion(of: slot) != nil || fill(of: slot) != nil
    }
  }

  /// Whether the existing indexes can be kept while values are converted. If not, all indexes are
  /// dropped before the conversion and created after it: a unique index would fail at the first
  /// duplicate value, so the other duplicates could not be reported.
  package var keepsIndexes: Bool {
    converted.isEmpty
      && !newlyUnique.contains { origin(of: $0).map { from.fields[$0].isUnique } ?? false }
  }

  /// The slots of existing fields that become relations, or whose relation gets another target
  /// schema. The references in these fields have to be checked.
  package var retargetedRelations: [Int] {
    to.fields.indices.filter { slot in
      guard let relation = to.fields[slot].type.relation, let origin = origin(of: slot) else {
        return false
      }
      return from.fields[origin].type.relation?.target != relation.target
    }
  }

  /// The slot of the relation with which the schema begins to own itself; nil if it does not.
  package var newTreeOwner: Int? {
    guard let slot = to.ownerSlot, to.ownership?.target == to.name else { return nil }
    return origin(of: slot).map { from.fields[$0].type.isOwned } == true ? nil : slot
  }

  /// The slot of the password if it becomes required by this change; if not, nil.
  package var newlyRequiredPassword: Int? {
    to.passwordSlot.flatMap { slot in
      let wasRequired = origin(of: slot).map { from.fields[$0].isRequired } ?? false
      return to.fields[slot].isRequired && !wasRequired ? slot : nil
    }
  }
}
