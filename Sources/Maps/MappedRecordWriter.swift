package import DataModel
import JSONText

/// Converts records to values of a document, such as XML elements, according to a map.
package struct MappedRecordWriter: Sendable {
  /// An error for a value that the document cannot represent: reading the document again would
  /// result in a different value.
  struct WriteError: Error {
    let field: String
    let message: String
    var hint: String?
  }

  /// A record that has been converted to a value of the document.
  package struct Output: Sendable {
    package var value: ForeignValue
    /// The member name of the record, if the records are the values of an object.
    package var entry: String?
  }

  package let layout: MapLayout
  private var format: DataMap.Format { layout.map.format }

  package init(_ layout: MapLayout) {
    self.layout = layout
  }

  /// Converts a record to a value of the document. Throws a problem if the map cannot represent the
  /// record.
  ///
  /// - Parameters:
  ///   - json: The record as JSON. Its relations may contain records instead of ids.
  ///   - id: The id of the record.
  package func output(_ json: Span<UInt8>, id: String) throws(Problem) -> Output {
    let record: ForeignValue
    do throws(ScanError) {
      var scanner = JSONScanner()
      record = try scanner.foreignValue(json)
    } catch {
      throw Problem(.syntax, error.kind.message, schema: layout.record.schemaName, id: id)
    }
    do throws(WriteError) {
      var output = Output(value: ForeignValue(.object(try members(of: record, layout.record))))
      try checkRow(output.value)
      if let index = layout.record.entryKey {
        output.entry = record[layout.record.bindings[index].field]?.scalarText
      }
      return output
    } catch {
      throw Problem(
        .invalid, "\(error.message), in the record \(Excerpt.quoted(id))", hint: error.hint,
        schema: layout.record.schemaName, id: id, field: error.field)
    }
  }

  /// Throws an error if the CSV row of a record would be an empty line, because readers skip empty
  /// lines.
  private func checkRow(_ value: ForeignValue) throws(WriteError) {
    guard format == .csv, columns.count == 1,
      columns[0].flatMap({ value[$0] })?.isNull ?? true
    else { return }
    throw WriteError(
      field: layout.record.bindings[0].field,
      message: "CSV with a single column cannot contain null")
  }

  /// The column names of a CSV document that is written with the map.
  var columns: [String?] { layout.record.root.nodes.filter(\.isWritten).map(\.name) }

  /// Throws an error if the map specifies a constant for a field, but the record has a different
  /// value.
  private func checkConstants(
    of record: ForeignValue, _ layout: RecordLayout
  ) throws(WriteError) {
    for binding in layout.bindings {
      guard let constant = binding.constant, let value = record[binding.field],
        let found = try? JSONValue(parsing: value.json.span), found != constant
      else { continue }
      throw WriteError(
        field: binding.field,
        message: "expected the constant of the map, found \(value.display)")
    }
  }

  /// Returns the members of the JSON object or XML element that represents a record.
  private func members(
    of record: ForeignValue, _ layout: RecordLayout
  ) throws(WriteError) -> [ForeignValue.Member] {
    try checkConstants(of: record, layout)
    var rest: [ForeignValue.Member] = []
    if let index = layout.rest {
      let field = layout.bindings[index].field
      switch record[field]?.content {
      case .object(let members): rest = members
      case nil: break
      case .null, .boolean, .number, .text, .array, .fileContent, .markup:
        throw WriteError(
          field: field, message: "expected an object, because the map stores unmapped values here")
      }
    }
    return try members(of: layout.root, record, layout, rest)
  }

  private func members(
    of group: RecordLayout.Group, _ record: ForeignValue, _ layout: RecordLayout,
    _ rest: [ForeignValue.Member]
  ) throws(WriteError) -> [ForeignValue.Member] {
    var members: [ForeignValue.Member] = []
    for node in group.nodes {
      let inner = rest.first { $0.name.utf8.elementsEqual(node.name.utf8) }?.value
      if let value = try value(of: node, record, layout, inner) {
        members.append(ForeignValue.Member(node.name, value))
      }
    }
    for member in rest where group.index(of: member.name) == nil {
      if format == .xml, !isElementContent(member), let index = layout.rest {
        throw WriteError(
          field: layout.bindings[index].field,
          message: "\(Excerpt.quoted(member.name)) cannot be written as XML")
      }
      members.append(member)
    }
    if !group.choices.isEmpty { try checkChoices(members, group, layout) }
    return members
  }

  /// Throws an error if an element would be read back at another path, because of the value of an
  /// attribute by which the map chooses elements.
  private func checkChoices(
    _ members: [ForeignValue.Member], _ group: RecordLayout.Group, _ layout: RecordLayout
  ) throws(WriteError) {
    for member in members {
      let attribute = XMLChoice(member.name)?.attribute
      var elements = [member.value]
      if case .array(let all) = member.value.content { elements = all }
      let isInvalid = elements.contains { element in
        if let attribute { return element[attribute] != nil }
        return group.chosen(ForeignValue.Member(member.name, element)).name != member.name
      }
      guard isInvalid else { continue }
      let index = group.index(of: member.name).flatMap { group.nodes[$0].content.firstField }
      let name = Excerpt.quoted(self.layout.map.shown(member.name))
      throw WriteError(
        field: (index ?? layout.rest).map { layout.bindings[$0].field } ?? layout.keyName,
        message: "the map chooses \(name) by an attribute, which the value also contains")
    }
  }

  private func isElementContent(_ member: ForeignValue.Member) -> Bool {
    let other = ForeignValue.Member("@other", ForeignValue(.text("")))
    return ForeignValue(.object([member, other])).isElementValue
  }

  /// Returns the value of a node: a JSON member, XML element, attribute or column that occurs in a
  /// path of the map. Returns nil if nothing is written.
  private func value(
    of node: RecordLayout.Node, _ record: ForeignValue, _ layout: RecordLayout,
    _ rest: ForeignValue?
  ) throws(WriteError) -> ForeignValue? {
    if let rest, let index = layout.rest {
      guard case .group = node.content, case .object = rest.content else {
        throw WriteError(
          field: layout.bindings[index].field,
          message: "\(Excerpt.quoted(node.name)) is the path of another field")
      }
    }
    switch node.content {
    case .alternative: return nil
    case .extra(let value):
      guard let value else { return nil }
      return value == .null ? null(layout) : ForeignValue(value)
    case .value(let index), .second(let index), .elements(let index, _), .entries(let index):
      let binding = layout.bindings[index]
      guard let value = record[binding.field] else { return nil }
      if value.isNull { return null(layout) }
      let written = try self.value(value, binding, node.content, record, layout)
      if binding.second != nil, let pair = written.scalarText?.split(separator: ","),
        pair.count == 2
      {
        if case .second = node.content { return ForeignValue(.number(String(pair[1]))) }
        return ForeignValue(.number(String(pair[0])))
      }
      // XML cannot contain an empty list.
      if format == .xml, case .array(let elements) = written.content, elements.isEmpty {
        try checkEmptyList(index, layout)
        return nil
      }
      if format == .xml, node.name == MapPath.text { try check(texts: [written], binding) }
      return written
    case .group(let group):
      var members: [ForeignValue.Member] = []
      if case .object(let object)? = rest?.content { members = object }
      let inner = try self.members(of: group, record, layout, members)
      let isEmpty = zip(group.nodes.indices, group.nodes).allSatisfy { _, node in
        node.isExtra || inner.first { $0.isNamed(node.name) }?.value.isNull ?? true
      }
      guard isEmpty, members.isEmpty else { return ForeignValue(.object(inner)) }
      let hasNull = inner.contains { $0.value.isNull }
      if hasNull { return null(layout) }
      return inner.isEmpty || format == .xml ? nil : ForeignValue(.object(inner))
    }
  }

  /// Throws an error for an empty list if the map reads a missing list as null. XML cannot contain
  /// an empty list, so the list would be read back as null.
  private func checkEmptyList(_ index: Int, _ layout: RecordLayout) throws(WriteError) {
    let binding = layout.bindings[index]
    guard layout.readsMissingAsNull[index], binding.type?.relation?.isMany != true else { return }
    throw WriteError(
      field: binding.field,
      message: "XML cannot contain an empty list, and the map reads a missing list as null",
      hint: "remove [] from the path in the map, and add \"as\": \"json_text\"")
  }

  /// Returns a null value, or nil if null values are not written. XML cannot contain null.
  private func null(_ layout: RecordLayout) -> ForeignValue? {
    format != .xml && layout.nulls == .write ? ForeignValue(.null) : nil
  }

  private func value(
    _ value: ForeignValue, _ binding: RecordLayout.Binding, _ content: RecordLayout.Content,
    _ record: ForeignValue, _ layout: RecordLayout
  ) throws(WriteError) -> ForeignValue {
    if let nested = binding.nested {
      return try self.nested(value, nested, binding, content, record, layout)
    }
    let converted: ForeignValue
    do throws(ValueConverter.ConversionError) {
      if case .elements = content, binding.type == .json, case .array(let elements) = value.content
      {
        var values: [ForeignValue] = []
        for element in elements { values.append(try binding.converter.write(element)) }
        converted = ForeignValue(.array(values))
      } else {
        converted = try binding.converter.write(value)
      }
    } catch {
      throw WriteError(field: binding.field, message: error.message)
    }
    guard case .elements(_, let path) = content else { return converted }
    guard case .array(let elements) = converted.content else {
      throw WriteError(
        field: binding.field,
        message: "expected an array, because the path in the map is a list, found \(value.display)")
    }
    if path.last == MapPath.text { try check(texts: elements, binding) }
    return ForeignValue(.array(elements.map { wrapped($0, in: path) }))
  }

  /// Throws an error if a text consists only of white space. In an XML element that can have
  /// attributes, such text is read as indentation and ignored, so the value would be lost.
  private func check(
    texts: [ForeignValue], _ binding: RecordLayout.Binding
  ) throws(WriteError) {
    guard texts.contains(where: { $0.scalarText?.withoutOuterSpace.isEmpty == true }) else {
      return
    }
    throw WriteError(
      field: binding.field,
      message: "XML cannot contain blank text in an element that can have attributes")
  }

  /// Wraps a value in nested objects with the given names.
  private func wrapped(_ value: ForeignValue, in path: [String]) -> ForeignValue {
    path.reversed().reduce(value) { value, name in
      ForeignValue(.object([ForeignValue.Member(name, value)]))
    }
  }

  /// Converts the nested records in a relation to values of the document that is written.
  private func nested(
    _ value: ForeignValue, _ nested: RecordLayout, _ binding: RecordLayout.Binding,
    _ content: RecordLayout.Content, _ owner: ForeignValue, _ layout: RecordLayout
  ) throws(WriteError) -> ForeignValue {
    guard case .array(let elements) = value.content else {
      return try record(value, nested, binding, 0, owner, layout)
    }
    var values: [ForeignValue] = []
    for (number, element) in elements.enumerated() {
      values.append(try record(element, nested, binding, number, owner, layout))
    }
    guard case .entries = content, let entryKey = nested.entryKey else {
      guard case .elements(_, let path) = content else { return ForeignValue(.array(values)) }
      return ForeignValue(.array(values.map { wrapped($0, in: path) }))
    }
    let field = nested.bindings[entryKey].field
    let members = zip(elements, values).map { element, value in
      ForeignValue.Member(element[field]?.scalarText ?? "", value)
    }
    let names = Set(members.map { Array($0.name.utf8) })
    guard names.count == members.count, !names.contains([]) else {
      throw WriteError(
        field: binding.field,
        message: "two records would have the same name in \(binding.path?.text(format) ?? "")")
    }
    return ForeignValue(.object(members))
  }

  /// Returns a nested record as a value of the document.
  private func record(
    _ value: ForeignValue, _ nested: RecordLayout, _ binding: RecordLayout.Binding, _ number: Int,
    _ owner: ForeignValue, _ layout: RecordLayout
  ) throws(WriteError) -> ForeignValue {
    guard case .object = value.content else {
      guard format == .json else {
        throw WriteError(field: binding.field, message: "a record is missing")
      }
      return value
    }
    if nested.key == nil, let id = value[nested.keyName]?.scalarText {
      let expected = owner[layout.keyName]?.scalarText.map { "\($0).\(binding.field).\(number)" }
      guard id == expected else {
        throw WriteError(
          field: binding.field,
          message: "the map has no path for the id \(Excerpt.quoted(id)) of a nested record",
          hint: "add \"$key\" to the fields of \(binding.field) in the map")
      }
    }
    return ForeignValue(.object(try members(of: value, nested)))
  }
}

extension RecordLayout.Node {
  fileprivate var isExtra: Bool { if case .extra = content { true } else { false } }
}

extension RecordLayout.Content {
  /// The index of the first field in this content; nil if there is none.
  var firstField: Int? {
    switch self {
    case .value(let index), .alternative(let index), .elements(let index, _), .entries(let index),
      .second(let index):
      index
    case .group(let group): group.nodes.lazy.compactMap(\.content.firstField).first
    case .extra: nil
    }
  }
}

extension MapPath {
  /// The names in the path, without the steps `[]` and `{}`.
  var names: [String] {
    steps.compactMap { if case .name(let name) = $0 { name } else { nil } }
  }
}

extension RecordLayout.Node {
  fileprivate var isWritten: Bool {
    switch content {
    case .alternative, .extra(nil): false
    case .value, .second, .elements, .entries, .group, .extra: true
    }
  }
}

extension ForeignValue {
  /// Inserts a value at a path, and creates the missing objects on the path.
  mutating func insert(_ value: ForeignValue, at path: ArraySlice<String>) {
    guard let name = path.first, case .object(var members) = content else {
      content = value.content
      return
    }
    let index = members.firstIndex { $0.isNamed(name) } ?? members.count
    if index == members.count { members.append(Member(name, ForeignValue(.object([])))) }
    members[index].value.insert(value, at: path.dropFirst())
    content = .object(members)
  }

  /// The text of a scalar. Nil for null, arrays and objects.
  package var scalarText: String? {
    switch content {
    case .text(let text), .markup(let text): text
    case .number(let number): number
    case .boolean(let boolean): boolean ? "true" : "false"
    case .null, .array, .object, .fileContent: nil
    }
  }
}
