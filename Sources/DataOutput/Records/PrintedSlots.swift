package import DataModel

extension Schema {
  /// The slots (indexes) of the fields that are printed, in order: the primary key, the other
  /// declared fields, and the system fields. Passwords and fields that the caller may not read are
  /// omitted.
  package var printedSlots: [Int] {
    [keySlot]
      + knownSlots.filter { slot in
        slot != keySlot && type(of: slot) != .password
      }
  }

  /// Returns the slots (indexes) of the fields that are printed by default.
  package func printedSlots(omitsSystemFields: Bool) -> [Int] {
    omitsSystemFields ? printedSlots.filter { $0 < fields.count } : printedSlots
  }

  /// Returns the slot (index) of a field that was named on the command line.
  ///
  /// - Throws: An error if the field does not exist or is a password.
  package func printedSlot(named name: String) throws(DataError) -> Int {
    guard let slot = slot(named: name) else {
      let pathError = PathError.unknownField(name, at: 0, of: self)
      throw DataError(
        Problem(
          .usage, pathError.message, hint: pathError.hint, schema: self.name,
          field: name.isEmpty ? nil : Excerpt.escaped(name)))
    }
    guard type(of: slot) != .password else {
      throw DataError(.usage, "\(self.name).\(name) is a password, which is never printed")
    }
    return slot
  }
}
