import DataModel
import JSONText

/// Serializes the records of a document as JSON objects with the fields of the schema.
extension MappedRecordReader {
  /// Appends a record as a JSON object with the values in `collected`.
  mutating func json(
    _ collected: Collected, _ context: Context, origin: Origin?, to output: inout [UInt8]
  ) -> RecordJSON {
    let layout = context.layout
    var collected = collected
    var record = RecordJSON()
    var id: Range<Int>?
    output.append(UInt8(ascii: "{"))
    advance(after: 0, &collected, to: output)
    if let key = layout.key {
      checkID(collected.values[key], layout.bindings[key], context)
      id = Self.appendMember(layout.keyMemberName, to: &output, of: &record) { output in
        appendValue(key, collected.values[key], context, to: &output)
      }
      record.givenID = id
    } else if let origin {
      id = Self.appendMember(layout.keyMemberName, to: &output, of: &record) { output in
        output += Array(output[origin.id].dropLast())
        output.append(contentsOf: ".\(origin.field).\(origin.index)\"".utf8)
        return true
      }
    }
    // The values follow the order of the document, so that their problems do too. The nested
    // records keep the order of the map, in which they are saved.
    let order =
      collected.order
      + layout.bindings.indices.filter {
        layout.bindings[$0].nested != nil || !collected.values[$0].isOrdered
      }
    for (count, index) in order.enumerated() where index != layout.key {
      let binding = layout.bindings[index]
      if binding.nested != nil, count < collected.order.count { continue }
      advance(after: count, &collected, to: output)
      _ = Self.appendMember(binding.memberName, to: &output, of: &record) { output in
        if let constant = binding.constant {
          output += ForeignValue(constant).json
          return true
        }
        if index == layout.rest {
          appendRest(collected.rest, context, to: &output)
          return true
        }
        if binding.nested != nil {
          return appendNested(index, collected.values[index], context, owner: id, to: &output)
        }
        return appendValue(index, collected.values[index], context, to: &output)
      }
    }
    advance(after: .max, &collected, to: output)
    appendOthers(collected, context, to: &output, of: &record)
    output.append(UInt8(ascii: "}"))
    return record
  }

  /// Appends a member to a record, and returns the byte range of the value. If `appendValue`
  /// returns false, appends nothing and returns nil.
  ///
  /// - Parameter name: The name as JSON, with a colon.
  private static func appendMember(
    _ name: [UInt8], to output: inout [UInt8], of record: inout RecordJSON,
    _ appendValue: (inout [UInt8]) -> Bool
  ) -> Range<Int>? {
    let start = output.count
    if record.memberCount > 0 { output.append(UInt8(ascii: ",")) }
    output.append(contentsOf: name)
    let value = output.count
    guard appendValue(&output) else {
      output.removeLast(output.count - start)
      return nil
    }
    record.memberCount += 1
    return value..<output.count
  }

  /// Appends the members that the map does not assign to a field, as one object. The object is the
  /// value of the field that the map marks with `"*"`.
  private mutating func appendRest(
    _ members: [ForeignValue.Member], _ context: Context, to output: inout [UInt8]
  ) {
    let rest = ForeignValue(.object(members))
    if format == .xml {
      for member in members {
        checkOrder(of: member.value, context, joined(context.path, member.name), field: nil)
      }
    }
    output += (format == .xml ? rest.mergingRepeated : rest).json
  }

  /// Reports a problem if the map has two paths for the id, and a record has different ids at them.
  private mutating func checkID(
    _ collected: Collected.Value, _ binding: RecordLayout.Binding, _ context: Context
  ) {
    guard let id = collected.value, let other = collected.alternative, !id.isNull, !other.isNull,
      let found = try? binding.converter.read(id),
      let foundOther = try? binding.converter.read(other),
      found != foundOther
    else { return }
    report(
      "the id is \(id.display), but at another path of the map it is \(other.display)", context,
      joined(context.path, binding), id.line, field: binding.field)
  }

  /// Appends the members that become new fields of an inferred schema. Members with the same name
  /// are combined into an array.
  private mutating func appendOthers(
    _ collected: Collected, _ context: Context, to output: inout [UInt8],
    of record: inout RecordJSON
  ) {
    if collected.others.isEmpty { return }
    var counts: [String: Int] = [:]
    for other in collected.others { counts[other.field, default: 0] += 1 }
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
      guard format == .xml, case .object = value.content, counts[field] != 1 else { continue }
      report(
        "a repeated element with attributes or child elements must be listed in the map", context,
        joined(context.path, name), value.line, field: field,
        hint: "add \(Excerpt.truncated(name))[] to the fields of the map")
    }
    var members: [ForeignValue.Member] = []
    for (_, field, value) in collected.others {
      let split = format == .xml ? fields(of: value, field, counts, context.layout) : []
      for member in split.dropFirst() {
        counts[member.name] = 1
        note(member.name, member.value.line, context)
      }
      members += split.isEmpty ? [ForeignValue.Member(field, value)] : split
    }
    let merged = ForeignValue(.object(members)).mergingRepeated
    guard case .object(let members) = merged.content else { return }
    let converter = context.layout.otherConverter
    for member in members {
      let name = JSONQuote.memberName(of: member.name)
      _ = Self.appendMember(name, to: &output, of: &record) { output in
        output += converter.place(in: member.value) ?? member.value.json
        return true
      }
    }
  }

  /// Returns the text and the attributes of an element as separate fields. Returns no fields if the
  /// element has no text or no attributes, or has child elements, or if a name is in use.
  private func fields(
    of value: ForeignValue, _ field: String, _ counts: [String: Int], _ layout: RecordLayout
  ) -> [ForeignValue.Member] {
    guard case .object(let members) = value.content, let text = value[MapPath.text] else {
      return []
    }
    var fields = [ForeignValue.Member(field, text)]
    for member in members where !member.isNamed(MapPath.text) {
      guard let name = Self.field(ofAttribute: member.name, of: field), name != layout.keyName,
        layout.binding(of: name) == nil, !fields.contains(where: { $0.isNamed(name) }),
        counts[name] == nil
      else { return [] }
      fields.append(ForeignValue.Member(name, member.value))
    }
    return fields
  }

  /// Appends the value of a mapped field. Returns false if there is no value or it is invalid.
  private mutating func appendValue(
    _ index: Int, _ collected: Collected.Value, _ context: Context, to output: inout [UInt8]
  ) -> Bool {
    let binding = context.layout.bindings[index]
    if let second = binding.second, collected.value != nil || collected.alternative != nil {
      return appendPair(collected, binding, second, context, to: &output)
    }
    if collected.hasElements {
      let line = collected.elements.first?.line ?? firstLine
      let list = ForeignValue(.array(collected.elements), line: line)
      return append(list, binding, context, to: &output)
    }
    if let value = collected.value ?? collected.alternative {
      return append(value, binding, context, to: &output)
    }
    guard context.layout.readsMissingAsNull[index] else { return false }
    output.append(
      contentsOf: (binding.type?.relation?.isMany == true ? "[]" : "null").utf8)
    return true
  }

  /// Appends a geopoint whose numbers are two values of the record. Returns false if one of them is
  /// missing or invalid.
  private mutating func appendPair(
    _ collected: Collected.Value, _ binding: RecordLayout.Binding, _ second: MapPath,
    _ context: Context, to output: inout [UInt8]
  ) -> Bool {
    let line = collected.value?.line ?? collected.alternative?.line ?? firstLine
    var numbers: [String] = []
    var missing: [String] = []
    for (value, path) in [(collected.value, binding.path), (collected.alternative, second)] {
      let path = buildsPaths ? joined(context.path, path?.text(format) ?? "") : ""
      let number = value?.scalarText?.withoutOuterSpace ?? ""
      if value?.isNull ?? true || format != .json && number.isEmpty {
        missing.append(path)
      } else if NumberText.isJSONNumber(number.utf8.span) {
        numbers.append(number)
      } else {
        report(
          "expected a number, found \(value?.display ?? "")", context, path, value?.line ?? line,
          field: binding.field)
      }
    }
    if missing.count == 2 {
      return append(ForeignValue(.null, line: line), binding, context, to: &output)
    }
    for path in missing { report("missing", context, path, line, field: binding.field) }
    guard numbers.count == 2 else { return false }
    let pair = ForeignValue(.text(numbers.joined(separator: ",")), line: line)
    return append(pair, binding, context, to: &output)
  }

  private mutating func append(
    _ value: ForeignValue, _ binding: RecordLayout.Binding, _ context: Context,
    to output: inout [UInt8]
  ) -> Bool {
    // Omit system fields without a value, because the store sets them.
    if value.isNull, SystemField(named: binding.field) != nil { return false }
    note(binding.field, value.line, context)
    if format == .xml, binding.type ?? .json == .json, binding.converter.form == nil {
      checkOrder(of: value, context, joined(context.path, binding), field: binding.field)
    }
    do throws(ValueConverter.ConversionError) {
      let merged = format == .xml && value.hasMembers ? value.mergingRepeated : value
      try binding.converter.append(merged, to: &output)
      return true
    } catch {
      report(
        error.message, context, joined(context.path, binding), value.line, field: binding.field)
      return false
    }
  }

  /// Appends the nested records of a relation. Returns false if the value is missing or invalid.
  ///
  /// - Parameter owner: The byte range of the containing record's id in the output, or nil if that
  ///   record has no id.
  private mutating func appendNested(
    _ index: Int, _ collected: Collected.Value, _ context: Context, owner: Range<Int>?,
    to output: inout [UInt8]
  ) -> Bool {
    let binding = context.layout.bindings[index]
    guard let layout = binding.nested else { return false }
    // The ids of nested records are derived from the id of this record, which must be text.
    let owner = owner.flatMap { output[$0.lowerBound] == UInt8(ascii: "\"") ? $0 : nil }
    func origin(_ number: Int) -> Origin? {
      owner.map { Origin(id: $0, field: binding.field, index: number) }
    }
    let path = joined(context.path, binding)
    if collected.hasElements {
      output.append(UInt8(ascii: "["))
      for (number, element) in collected.elements.enumerated() {
        if number > 0 { output.append(UInt8(ascii: ",")) }
        let location = addLocation(
          binding.field, index: number, element.line, entry: nil, context)
        let inner = Context(
          layout: layout, path: indexed(elementsOf: path, number), location: location)
        appendElement(element, inner, entry: nil, origin(number), to: &output)
      }
      output.append(UInt8(ascii: "]"))
      return true
    }
    guard let value = collected.value, !value.isNull else {
      if collected.value == nil, !context.layout.readsMissingAsNull[index] { return false }
      output.append(contentsOf: (binding.isMany ? "[]" : "null").utf8)
      return true
    }
    guard binding.path?.steps.last == .entries else {
      let location = addLocation(binding.field, index: -1, value.line, entry: nil, context)
      let inner = Context(layout: layout, path: path, location: location)
      appendElement(value, inner, entry: nil, origin(0), to: &output)
      return true
    }
    note(binding.field, value.line, context)
    guard case .object(let members) = value.content else {
      report(
        "expected an object, found \(value.display)", context, path, value.line,
        field: binding.field)
      return false
    }
    let container = String(path.dropLast(2))
    var lines: [[UInt8]: Int] = [:]
    output.append(UInt8(ascii: "["))
    for (number, member) in members.enumerated() {
      let path = joined(container, member.name)
      if let first = lines.updateValue(member.value.line, forKey: Array(member.name.utf8)) {
        reportRepeated(member.value, after: first, context, path, field: binding.field)
      }
      if number > 0 { output.append(UInt8(ascii: ",")) }
      let location = addLocation(
        binding.field, index: number, member.value.line, entry: member.name, context)
      appendElement(
        member.value, Context(layout: layout, path: path, location: location),
        entry: member.name, origin(number), to: &output)
    }
    output.append(UInt8(ascii: "]"))
    return true
  }

  /// Appends one value of a relation: a nested record if the value is an object, and an id if it is
  /// not.
  private mutating func appendElement(
    _ value: ForeignValue, _ context: Context, entry: String?, _ origin: Origin?,
    to output: inout [UInt8]
  ) {
    if format == .json {
      switch value.content {
      case .null, .boolean, .number, .text:
        output += value.json
        return
      case .array, .object, .fileContent, .markup: break
      }
    }
    let start = output.count
    let record = record(value, context, entry: entry, origin: origin, to: &output)
    // An object that contains only an id is a reference to a record. If the id is derived from the
    // position of the object, the object is a record, even if it contains no values.
    guard record.memberCount == 1, let givenID = record.givenID else { return }
    output.replaceSubrange(start..., with: Array(output[givenID]))
  }
}
