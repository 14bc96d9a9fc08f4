import DataModel

extension Schema {
  /// The slots that are printed, in order: the primary key, the declared fields, the system fields.
  /// Passwords are left out.
  var printedSlots: [Int] {
    [keySlot]
      + (0..<width).filter { slot in
        slot != keySlot && type(of: slot) != .password
      }
  }

  /// Returns the slot of a field that was named on the command line.
  ///
  /// - Throws: An error if the field does not exist or is a password.
  func printedSlot(named name: String) throws(DataError) -> Int {
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

  /// Returns the slots of the fields in a comma-separated list, by which records are looked up.
  func identifyingSlots(_ list: String) throws(DataError) -> [Int] {
    var slots: [Int] = []
    for name in list.fieldNames { slots.append(try printedSlot(named: name)) }
    return slots
  }
}

extension DataError {
  /// The same error for values from the command line: an unknown field becomes a usage error, and
  /// there is no line number.
  var forCommandLine: DataError {
    map { found in
      var problem = found
      if found.code == .unknownField { problem.code = .usage }
      problem.line = nil
      return problem
    }
  }
}
