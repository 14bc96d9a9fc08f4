import DataModel

/// Building the JSON of records.
extension MappedRecordReader {
  mutating func json(
    _ collected: inout Collected, _ context: Context, _ line: Int, owner: [UInt8]?
  ) -> RecordJSON {
    let layout = context.layout
    var record = RecordJSON()
    var id: [UInt8]?
    if let key = layout.key { checkID(collected.values[key], layout.bindings[key], context) }
    if let key = layout.key, let value = converted(key, collected.values[key], context) {
      id = value
      record.givenID = value
    } else if layout.key == nil {
      id = owner
    }
    if let id { record.append(layout.keyName, id) }
    for (index, binding) in layout.bindings.enumerated() where index != layout.key {
      if let constant = binding.constant {
        record.append(binding.field, ForeignValue(constant).json)
      } else if index == layout.rest {
        let rest = ForeignValue(.object(collected.rest))
        if format == .xml {
          for member in collected.rest {
            checkOrder(of: member.value, context, joined(context.path, member.name), field: nil)
          }
        }
        record.append(binding.field, (format == .xml ? rest.mergingRepeated : rest).json)
      } else if binding.nested != nil {
        if let value = nested(index, collected.values[index], context, owner: id) {
          record.append(binding.field, value)
        }
      } else if let value = converted(index, collected.values[index], context) {
        record.append(binding.field, value)
      }
    }
    for (field, value) in others(collected, context) { record.append(field, value) }
    record.text.append(UInt8(ascii: "}"))
    return record
  }

  /// Reports a problem if a record has different ids at the path of the id and at an alternative
  /// path.
  private mutating func checkID(
    _ collected: Collected.Value, _ binding: RecordLayout.Binding, _ context: Context
  ) {
    guard let id = collected.value, let other = collected.alternative, !id.isNull, !other.isNull,
      let found = try? binding.converter.read(id),
      let foundOther = try? binding.converter.read(other),
      found != foundOther
    else { return }
    let path = binding.path?.text(format) ?? binding.field
    report(
      "the id is \(id.display), but at another path of the map it is \(other.display)", context,
      format == .csv ? path : joined(context.path, path), id.line, field: binding.field)
  }

  /// Returns the members that become new fields of an inferred schema. Members with the same name
  /// are combined into an array.
  private mutating func others(
    _ collected: Collected, _ context: Context
  ) -> [(field: String, value: [UInt8])] {
    for (index, (name, field, value)) in collected.others.enumerated() {
      note(field, value.line, context)
      // In XML, elements with the same name are a list.
      if let first = collected.others[..<index].first(where: { $0.field == field }),
        format != .xml || first.name != name
      {
        reportRepeated(
          value, after: first.value.line, context, joined(context.path, name), field: field)
      }
      if format == .xml {
        checkOrder(of: value, context, joined(context.path, name), field: field)
      }
      guard format == .xml, case .object = value.content,
        collected.others.count(where: { $0.field == field }) > 1
      else { continue }
      report(
        "a repeated element with attributes or child elements must be listed in the map", context,
        joined(context.path, name), value.line, field: field,
        hint: "add \(Excerpt.truncated(name))[] to the fields of the map")
    }
    let merged = ForeignValue(
      .object(collected.others.map { ForeignValue.Member($0.field, $0.value) })
    ).mergingRepeated
    guard case .object(let members) = merged.content else { return [] }
    let converter = context.layout.otherConverter
    return members.map { ($0.name, converter.place(in: $0.value) ?? $0.value.json) }
  }

  /// Returns the value of a mapped field as JSON, or nil if there is no value or it is invalid.
  private mutating func converted(
    _ index: Int, _ collected: Collected.Value, _ context: Context
  ) -> [UInt8]? {
    let binding = context.layout.bindings[index]
    var found = collected.value ?? collected.alternative
    if collected.hasElements {
      found = ForeignValue(
        .array(collected.elements), line: collected.elements.first?.line ?? firstLine)
    }
    guard let found else {
      guard context.layout.readsMissingAsNull[index] else { return nil }
      return Array((binding.type?.relation?.isMany == true ? "[]" : "null").utf8)
    }
    // Omit system fields without a value, because the store sets them.
    if found.isNull, SystemField(named: binding.field) != nil { return nil }
    note(binding.field, found.line, context)
    if format == .xml, binding.type ?? .json == .json, binding.converter.form == nil {
      let path = joined(context.path, binding.path?.text(format) ?? binding.field)
      checkOrder(of: found, context, path, field: binding.field)
    }
    do throws(ValueConverter.ConversionError) {
      return try binding.converter.read(format == .xml ? found.mergingRepeated : found)
    } catch {
      let path = binding.path?.text(format) ?? binding.field
      report(
        error.message, context, format == .csv ? path : joined(context.path, path), found.line,
        field: binding.field)
      return nil
    }
  }

  private mutating func note(_ field: String, _ line: Int, _ context: Context) {
    guard line != firstLine, line > 0 else { return }
    locations.append(FieldLocation(field: context.location + field, line: line))
  }

  /// Returns the JSON of the nested records in a relation, or nil if the value is missing or
  /// invalid.
  private mutating func nested(
    _ index: Int, _ collected: Collected.Value, _ context: Context, owner: [UInt8]?
  ) -> [UInt8]? {
    let binding = context.layout.bindings[index]
    guard let layout = binding.nested else { return nil }
    func inner(_ path: String, _ location: String) -> Context {
      Context(layout: layout, path: path, location: location + ".")
    }
    let path = joined(context.path, binding.path?.text(format) ?? binding.field)
    let location = context.location + binding.field
    var records: [(value: ForeignValue, path: String, entry: String?)] = []
    if collected.hasElements {
      // Replace the `[]` in the path with the index. A path within the element may follow it.
      let parts = path.split(separator: "[]", omittingEmptySubsequences: false)
      for (number, element) in collected.elements.enumerated() {
        let position = format == .xml ? number + 1 : number
        records.append((element, parts.joined(separator: "[\(position)]"), nil))
      }
    } else if let value = collected.value, !value.isNull {
      note(binding.field, value.line, context)
      guard binding.path?.steps.last == .entries else {
        return element(value, inner(path, location), entry: nil, owner, binding.field, 0)
      }
      guard case .object(let members) = value.content else {
        report(
          "expected an object, found \(value.display)", context, path, value.line,
          field: binding.field)
        return nil
      }
      let container = String(path.dropLast(2))
      var lines: [[UInt8]: Int] = [:]
      for member in members {
        if let first = lines.updateValue(member.value.line, forKey: Array(member.name.utf8)) {
          reportRepeated(
            member.value, after: first, context, joined(container, member.name),
            field: binding.field)
        }
        records.append((member.value, joined(container, member.name), member.name))
      }
    } else if collected.value == nil, !context.layout.readsMissingAsNull[index] {
      return nil
    } else {
      return Array((binding.isMany ? "[]" : "null").utf8)
    }
    var output = [UInt8(ascii: "[")]
    for (number, record) in records.enumerated() {
      if number > 0 { output.append(UInt8(ascii: ",")) }
      let place = "\(location)[\(number)]"
      if let entry = record.entry {
        locations.append(FieldLocation(field: place, line: record.value.line, entry: entry))
      } else {
        note("\(binding.field)[\(number)]", record.value.line, context)
      }
      output += element(
        record.value, inner(record.path, place), entry: record.entry, owner, binding.field,
        number)
    }
    return output + [UInt8(ascii: "]")]
  }

  /// Returns the JSON of one value in a relation: of a nested record if the value is an object, and
  /// of an id if it is not.
  private mutating func element(
    _ value: ForeignValue, _ context: Context, entry: String?, _ owner: [UInt8]?,
    _ field: String, _ number: Int
  ) -> [UInt8] {
    if format == .json {
      switch value.content {
      case .null, .boolean, .number, .text: return value.json
      case .array, .object, .fileContent: break
      }
    }
    var id: [UInt8]?
    if var owner, owner.first == UInt8(ascii: "\"") {
      owner.removeLast()
      id = owner + Array(".\(field).\(number)\"".utf8)
    }
    let record = record(value, context, entry: entry, owner: id)
    // An object that contains only an id is a reference to a record. If the id is derived from the
    // position of the object, the object is a record, even if it contains no values.
    guard record.memberCount == 1, let givenID = record.givenID else { return record.text }
    return givenID
  }
}
