package import DataModel
import JSONText
import RecordText

/// The assignments of one command, each with the slot of its field. A slot is the index of a field
/// or system field in `Schema.slots`.
package struct Assignments: Sendable {
  /// A file that an assignment refers to. The caller of `set(on:)` must read its content.
  package struct File: Hashable, Sendable {
    package var slot: Int
    /// The path, or `-` for stdin.
    package var path: String
  }

  private let schema: Schema
  private var resolved: [(slot: Int, assignment: Assignment)] = []

  /// Looks up the fields of the assignments, and checks that each assignment is allowed for its
  /// field.
  ///
  /// - Throws: An error with all problems, each with the code `usage`.
  package init(_ assignments: [Assignment], for schema: Schema) throws(DataError) {
    self.schema = schema
    var problems: [Problem] = []
    // For each slot, the first assignment, and the first one that does not edit a list.
    var first = [Assignment?](repeating: nil, count: schema.slots.count)
    var firstValue = first
    for assignment in assignments {
      guard let slot = schema.slot(named: assignment.name) else {
        let nearest = schema.suggestedName(for: assignment.name)
        problems.append(
          Problem(
            .usage, "\(schema.name) has no field \(assignment.name)",
            hint: nearest.map { "did you mean \($0)?" }
              ?? "see datactl schema show \(schema.name)",
            schema: schema.name, field: assignment.name))
        continue
      }
      let isListEdit = assignment.isEdit && schema.type(of: slot).isList
      let other = isListEdit ? firstValue[slot] : first[slot]
      if let message = validationError(of: assignment, for: slot, after: other) {
        let name = schema.name(of: slot)
        problems.append(
          Problem(
            .usage, "\(name): \(message.text)", hint: message.hint, schema: schema.name,
            field: name))
      }
      resolved.append((slot, assignment))
      first[slot] = first[slot] ?? assignment
      if !isListEdit { firstValue[slot] = firstValue[slot] ?? assignment }
    }
    if let error = DataError(problems) { throw error }
  }

  /// Returns whether one of the assignments sets the given field.
  package func name(_ slot: Int) -> Bool { resolved.contains { $0.slot == slot } }

  /// The files that `@=` assignments refer to. The caller must read their contents.
  package var files: [File] {
    resolved.filter { $0.assignment.operation == .file }.map {
      File(slot: $0.slot, path: $0.assignment.text)
    }
  }

  /// Returns the reason why an assignment is not allowed for its field, with a hint. Returns nil if
  /// it is allowed.
  ///
  /// - Parameter other: An earlier assignment with which this one cannot be combined, or nil.
  private func validationError(
    of assignment: Assignment, for slot: Int, after other: Assignment?
  ) -> (text: String, hint: String?)? {
    if slot >= schema.fields.count {
      guard slot == schema.slot(.revision) else {
        return (
          "a system field cannot be set on the command line",
          "to set a system field, read records from a file with --keep-system-fields"
        )
      }
      if assignment.operation != .text {
        return ("cannot be changed: write revision=N to save only if the stored revision is N", nil)
      }
    }
    let isFile = schema.slots[slot].kind == .file
    if assignment.operation == .file && !isFile {
      return ("@= requires a file field, but this field is \(schema.type(of: slot).name)", nil)
    }
    guard let other else { return nil }
    let names = (other.name, assignment.name)
    return (
      names.0 == names.1
        ? "assigned twice" : "assigned twice, as \(names.0) and as \(names.1)", nil
    )
  }

  /// Sets the fields of the record that is being built in `changes` to the assigned values. The
  /// caller must set the fields whose values are in files.
  package func set(on changes: inout RowChanges) {
    var values = JSONRecordScanner(schema)
    values.source = .copied
    var edited: Set<Int> = []
    for (slot, assignment) in resolved {
      let text = assignment.text.utf8.span
      switch assignment.operation {
      case .file: break
      case .json: values.set(slot, json: text, into: &changes)
      case .text: values.set(slot, operand: text, into: &changes)
      case .add, .subtract:
        if schema.type(of: slot).isList {
          if edited.insert(slot).inserted { edit(slot, with: values, &changes) }
        } else if !schema.type(of: slot).hasSums {
          let phrase =
            assignment.operation == .add
            ? "cannot add to" : "cannot subtract from"
          changes.report(slot, "\(phrase) \(schema.type(of: slot).name)")
        } else if NumberText.isJSONNumber(text) {
          changes.set(
            slot, adding: text, negated: assignment.operation == .add ? .plus : .minus)
        } else {
          changes.report(slot, "expected a number to add, found \(Excerpt.quoted(text))")
        }
      }
    }
  }

  /// Edits a list field: first removes the elements given in all `-=` assignments, then appends
  /// those given in all `+=` assignments.
  private func edit(_ slot: Int, with values: JSONRecordScanner, _ changes: inout RowChanges) {
    for (operation, role) in [
      (Assignment.Operator.subtract, RowChanges.ListRole.remove), (.add, .append),
    ] {
      let own = resolved.filter { $0.slot == slot && $0.assignment.operation == operation }
      if own.isEmpty { continue }
      changes.openList(slot, as: role)
      for entry in own {
        values.append(entry.assignment.text.utf8.span, of: schema.type(of: slot), to: &changes)
      }
      changes.closeList()
    }
  }
}

/// Parsing of values in the syntax of command-line arguments.
extension JSONRecordScanner {
  /// Parses an argument according to the type of the field. For a text field, an empty argument
  /// means empty text. For the primary key, it means an empty id, which is invalid. For every other
  /// type, it means null.
  mutating func set(_ slot: Int, operand text: Span<UInt8>, into changes: inout RowChanges) {
    if text.isEmpty {
      if kinds[slot] == .text || kinds[slot] == .key {
        changes.set(slot, text: text)
      } else {
        changes.setNull(slot)
      }
      return
    }
    switch kinds[slot] {
    case .geopoint where text[0] == UInt8(ascii: "{"): set(slot, json: text, into: &changes)
    case .geopoint:
      do throws(GeoPoint.ParseError) {
        let point = try GeoPoint(parsing: text)
        changes.set(slot, latitude: point.latitude, longitude: point.longitude)
      } catch {
        let expected =
          switch error {
          case .notAPoint: "LAT,LON"
          case .latitude: "LAT,LON with -90 ≤ LAT ≤ 90"
          case .longitude: "LAT,LON with -180 ≤ LON ≤ 180"
          }
        changes.report(slot, "expected \(expected), found \(Excerpt.quoted(text))")
      }
    case .file:
      let name = changes.schema.name(of: slot)
      changes.report(
        slot, "expected a file, found text \(Excerpt.quoted(text))",
        hint: "to set it to the contents of a file, write \(name)@=PATH")
    case .references, .array:
      changes.openList(slot)
      append(text, of: changes.schema.type(of: slot), to: &changes)
      changes.closeList()
    case .key, .text, .scalar, .json, .password, .reference, .system:
      set(slot, cell: text, at: nil, into: &changes)
    }
  }

  /// Appends an element, given as text, to the list field that the caller has opened with
  /// `openList`.
  ///
  /// - Parameter type: The type of the list field, which determines how the text is parsed.
  func append(_ text: Span<UInt8>, of type: FieldType, to changes: inout RowChanges) {
    if case .array(let element) = type, element.fieldType.descriptor.textForm == .bare {
      if element == .boolean {
        if text.isEqual(toBytes: Array("true".utf8)) { return changes.append(boolean: true) }
        if text.isEqual(toBytes: Array("false".utf8)) { return changes.append(boolean: false) }
      } else if NumberText.isJSONNumber(text) {
        return changes.append(number: text)
      }
    }
    changes.append(text: text)
  }
}
