import DataModel

extension Schema {
  /// The slots that are printed, in the order of a record's keys: the primary key, the fields as they
  /// are declared, the system fields. Passwords are not among them.
  var printedSlots: [Int] {
    [keySlot]
      + (0..<width).filter { slot in
        slot != keySlot && type(of: slot) != .password
      }
  }

  /// The slot of a field that a line names, which is not a password.
  func printedSlot(named name: String) throws(DataError) -> Int {
    guard let slot = slot(named: name) else {
      let fault = PathFault.unknownField(name, at: 0, of: self)
      throw DataError(
        Problem(
          .usage, fault.message, hint: fault.hint, schema: self.name,
          field: name.isEmpty ? nil : Excerpt.visible(name)))
    }
    guard type(of: slot) != .password else {
      throw DataError(.usage, "\(self.name).\(name) is a password, which is never printed")
    }
    return slot
  }

  /// The slots of fields by which records are looked for.
  func identifyingSlots(_ list: String) throws(DataError) -> [Int] {
    var slots: [Int] = []
    for name in list.fieldNames { slots.append(try printedSlot(named: name)) }
    return slots
  }
}

extension DataError {
  /// The same error, for values that stand on the command line: a field that is not there is an
  /// error of the line.
  var ofLine: DataError {
    map { found in
      var problem = found
      if found.code == .unknownField { problem.code = .usage }
      problem.line = nil
      return problem
    }
  }
}
