import DataModel

/// Converts values of a document to JSON records according to a map.
struct MappedRecordReader: Sendable {
  /// A problem in a document, with the path and the line of the value.
  struct Issue: Sendable {
    var message: String
    var hint: String?
    /// The nested record with the problem, such as `$.steps[1]`, or nil if the problem is in the
    /// outermost record.
    var record: String?
    var field: String?
    /// The path of the value in the document.
    var path: String
    var line: Int
    /// The offset, in the JSON of the record, of the first value that follows in the document.
    /// While the values of a record are collected, the number of values before the problem.
    var offset = 0
  }

  /// The line of a value in the document, and the location of the value in the record.
  struct FieldLocation: Sendable {
    /// The index in `locations` of the nested record that contains the value, or -1 if the
    /// outermost record contains it.
    var parent: Int32
    var field: String
    /// The index of a nested record in its relation, or -1 if the value is not a nested record.
    var index: Int32 = -1
    var line: Int32
    /// The member name of the nested record at this location, if the nested records are the values
    /// of an object.
    var entry: String?
  }

  private static let maxIssues = 20

  let format: DataMap.Format
  private(set) var issues: [Issue] = []
  /// The locations of the nested records, and of values that are not on the first line of the
  /// record.
  private(set) var locations: [FieldLocation] = []
  /// Whether a value is not on the first line of the record, or a nested record has a member name.
  /// If false, `locations` need not be kept.
  private(set) var hasLocations = false
  private(set) var firstLine = 0
  /// The offset of the record in the output.
  private var start = 0
  /// The `offset` of the next issue.
  private var offset = 0
  /// Whether the paths of values are built. Only issues contain paths. Therefore a record is first
  /// read without paths, and read again with them if it has issues.
  private(set) var buildsPaths = false

  init(_ format: DataMap.Format) {
    self.format = format
  }

  /// The values of a record, in the order of `RecordLayout.bindings`.
  struct Collected {
    struct Value {
      var value: ForeignValue?
      var elements: [ForeignValue] = []
      var hasElements = false
      /// The value at an alternative path, or the second number of a geopoint.
      var alternative: ForeignValue?
      /// Whether `order` contains the value.
      var isOrdered = false

      /// The line of `value`; nil if there is no value.
      var line: Int? { value?.line }
    }

    var values: [Value]
    /// The indices of the values, in the order of the document.
    var order: [Int] = []
    /// The indices of the issues that were found while the values were collected.
    var issues = 0..<0
    var rest: [ForeignValue.Member] = []
    /// Members that the map does not list. They become new fields of the schema that is being
    /// inferred.
    var others: [(name: String, field: String, value: ForeignValue)] = []
  }

  /// The record that is being read: its layout and its position in the document.
  struct Context {
    let layout: RecordLayout
    /// The path of the record in the document. It is empty if `buildsPaths` is false.
    let path: String
    /// The index of the record in `MappedRecordReader.locations`, or -1 for the outermost record.
    var location: Int32 = -1
  }

  /// The values from which the id of a nested record is derived, if the map has no path for the id.
  struct Origin {
    /// The id of the record that contains the nested record, as a byte range in the output.
    let id: Range<Int>
    let field: String
    let index: Int
  }

  /// A record that is appended to the output as JSON.
  struct RecordJSON {
    var memberCount = 0
    /// The byte range of the record's id in the output, or nil if the document does not contain an
    /// id.
    var givenID: Range<Int>?
  }

  /// Converts a value of a document to a JSON record, and appends it to the output. Sets `issues`
  /// and `locations`.
  ///
  /// - Parameters:
  ///   - entry: The member name of the record, if the records are the values of an object.
  ///   - path: The path of the value in the document.
  mutating func read(
    _ value: ForeignValue, _ layout: RecordLayout, entry: String?,
    path: @autoclosure () -> String, to output: inout [UInt8]
  ) {
    start = output.count
    buildsPaths = false
    begin(value)
    _ = record(
      value, Context(layout: layout, path: ""), entry: entry, origin: nil, to: &output)
    guard !issues.isEmpty else { return }
    output.removeSubrange(start...)
    buildsPaths = true
    begin(value)
    _ = record(
      value, Context(layout: layout, path: path()), entry: entry, origin: nil, to: &output)
  }

  private mutating func begin(_ value: ForeignValue) {
    issues.removeAll(keepingCapacity: true)
    locations.removeAll(keepingCapacity: true)
    hasLocations = false
    firstLine = value.line
  }

  /// Converts a value to a record, and appends the record to the output as JSON.
  mutating func record(
    _ value: ForeignValue, _ context: Context, entry: String?, origin: Origin?,
    to output: inout [UInt8]
  ) -> RecordJSON {
    let layout = context.layout
    guard let members = members(of: value) else {
      report("expected an object, found \(value.display)", context, context.path, value.line)
      output.append(contentsOf: "{}".utf8)
      return RecordJSON()
    }
    var collected = Collected(
      values: Array(repeating: Collected.Value(), count: layout.bindings.count))
    var rest: [ForeignValue.Member] = []
    let firstIssue = issues.count
    offset = 0
    collect(members, layout.root, context, context.path, &collected, &rest)
    collected.issues = firstIssue..<issues.count
    collected.rest = rest
    if let entryKey = layout.entryKey, let entry {
      collected.values[entryKey].value = ForeignValue(.text(entry), line: value.line)
    }
    return json(collected, context, origin: origin, to: &output)
  }

  /// Moves on to the value that is appended to the output after `count` values of its record, and
  /// sets the offsets of the issues that were found before it.
  mutating func advance(
    after count: Int, _ collected: inout Collected, to output: [UInt8]
  ) {
    offset = output.count - start
    while let first = collected.issues.first, issues[first].offset <= count {
      issues[first].offset = offset
      collected.issues.removeFirst()
    }
  }

  /// Adds the location of a nested record. Returns its index in `locations`.
  mutating func addLocation(
    _ field: String, index: Int, _ line: Int, entry: String?, _ context: Context
  ) -> Int32 {
    if line != firstLine && line > 0 || entry != nil { hasLocations = true }
    locations.append(
      FieldLocation(
        parent: context.location, field: field, index: Int32(truncatingIfNeeded: index),
        line: Int32(truncatingIfNeeded: line), entry: entry))
    return Int32(truncatingIfNeeded: locations.count - 1)
  }

  /// Adds the location of a value if it is not on the first line of the record.
  mutating func note(_ field: String, _ line: Int, _ context: Context) {
    guard line != firstLine, line > 0 else { return }
    hasLocations = true
    locations.append(
      FieldLocation(
        parent: context.location, field: field, line: Int32(truncatingIfNeeded: line)))
  }

  /// Returns the members of a JSON object or an XML element. An element that contains only text has
  /// the member `text()`. Returns nil for other values.
  private func members(of value: ForeignValue) -> [ForeignValue.Member]? {
    switch value.content {
    case .object(let members): members
    case .text(let text) where format == .xml, .markup(let text):
      text.withoutOuterSpace.isEmpty ? [] : [ForeignValue.Member(MapPath.text, value)]
    case .null, .boolean, .number, .text, .array, .fileContent: nil
    }
  }
}

/// Finds the values of the mapped fields in a JSON object or an XML element.
extension MappedRecordReader {
  private mutating func collect(
    _ members: [ForeignValue.Member], _ group: RecordLayout.Group, _ context: Context,
    _ path: String, _ collected: inout Collected, _ rest: inout [ForeignValue.Member]
  ) {
    var groupLines: [Int: Int] = [:]
    let members = group.choices.isEmpty ? members : members.map { group.chosen($0) }
    for member in members {
      guard let node = group.index(of: member.name) else {
        if format == .xml, context.layout.rest != nil, member.name == MapPath.text,
          hasElements(members)
        {
          reportMixedContent(member.value, context, path)
        }
        unknown(member, group, context, path, &collected, &rest)
        continue
      }
      if format != .xml, case .group = group.nodes[node].content {
        if let first = groupLines[node] {
          reportRepeated(member.value, after: first, context, joined(path, member.name))
          continue
        }
        groupLines[node] = member.value.line
      }
      collect(member.value, group, node, context, path, &collected, &rest)
    }
  }

  /// Collects the value of a mapped member: the value of a field, or an object that contains the
  /// values of fields.
  ///
  /// - Parameter node: The index of the member in `group.nodes`.
  private mutating func collect(
    _ value: ForeignValue, _ group: RecordLayout.Group, _ node: Int, _ context: Context,
    _ path: String, _ collected: inout Collected, _ rest: inout [ForeignValue.Member]
  ) {
    func here() -> String { joined(path, group.nodes[node].name) }
    switch group.nodes[node].content {
    case .value(let index), .second(let index), .elements(let index, _), .entries(let index),
      .alternative(let index):
      if !collected.values[index].isOrdered {
        collected.values[index].isOrdered = true
        collected.order.append(index)
        offset = collected.order.count
      }
    case .extra, .group: break
    }
    switch group.nodes[node].content {
    case .extra: break
    case .alternative(let index): collected.values[index].alternative = value
    case .value(let index):
      let binding = context.layout.bindings[index]
      if let first = collected.values[index].line {
        return reportRepeated(value, after: first, context, here(), field: binding.field)
      }
      if let members = membersOfText(value, binding) {
        let members = collectAttributes(members, group, node, binding, context, path, &collected)
        collected.values[index].value = text(
          of: members, value.line, context, here(), field: binding.field)
      } else {
        collected.values[index].value = value
      }
    case .second(let index):
      let binding = context.layout.bindings[index]
      if let first = collected.values[index].alternative?.line {
        return reportRepeated(value, after: first, context, here(), field: binding.field)
      }
      var number = value
      if let members = membersOfText(value, binding) {
        number = text(of: members, value.line, context, here(), field: binding.field)
      }
      collected.values[index].alternative = number
    case .elements(let index, let names):
      let binding = context.layout.bindings[index]
      if format == .xml {
        let element = indexed(here(), collected.values[index].elements.count + 1)
        if var found = descend(value, names[...], context, element) {
          if var members = membersOfText(found, binding) {
            members = collectAttributes(members, group, node, binding, context, path, &collected)
            let path = names.reduce(element) { joined($0, $1) }
            found = text(of: members, found.line, context, path, field: binding.field)
          }
          collected.values[index].elements.append(found)
          collected.values[index].hasElements = true
        }
      } else if collected.values[index].hasElements {
        let first = collected.values[index].elements.first?.line
        reportRepeated(value, after: first, context, here(), field: binding.field)
      } else if case .array(let elements) = value.content {
        collected.values[index].hasElements = true
        for (number, element) in elements.enumerated() {
          let path = indexed(here(), number)
          guard let found = descend(element, names[...], context, path) else { continue }
          collected.values[index].elements.append(found)
        }
      } else if value.isNull {
        collected.values[index].value = value
      } else {
        report(
          "expected an array, found \(value.display)", context, here(), value.line,
          field: binding.field)
      }
    case .entries(let index):
      if let first = collected.values[index].line {
        return reportRepeated(
          value, after: first, context, here(), field: context.layout.bindings[index].field)
      }
      collected.values[index].value = value
    case .group(let inner):
      if value.isNull { return setNull(inner, value, &collected) }
      guard let members = members(of: value) else {
        return report("expected an object, found \(value.display)", context, here(), value.line)
      }
      var unmapped: [ForeignValue.Member] = []
      collect(members, inner, context, here(), &collected, &unmapped)
      if !unmapped.isEmpty {
        rest.append(
          ForeignValue.Member(group.nodes[node].name, ForeignValue(.object(unmapped))))
      }
    }
  }

  /// Returns whether an element has child elements.
  private func hasElements(_ members: [ForeignValue.Member]) -> Bool {
    members.contains { !$0.name.hasPrefix("@") && $0.name != MapPath.text }
  }

  /// Reports text between XML elements, and elements with different names that alternate. Their
  /// order would be lost in a `json` field, because the JSON of an element does not contain it.
  ///
  /// - Parameters:
  ///   - value: The element, or a list of elements.
  ///   - field: The field, or nil for the field that stores unmapped values.
  mutating func checkOrder(
    of value: ForeignValue, _ context: Context, _ path: String, field: String?
  ) {
    if case .array(let elements) = value.content {
      for (number, element) in elements.enumerated() {
        checkOrder(of: element, context, indexed(elementsOf: path, number), field: field)
      }
      return
    }
    guard case .object(let members) = value.content else { return }
    let elements = members.filter { !$0.name.hasPrefix("@") && $0.name != MapPath.text }
    if !elements.isEmpty, let text = members.first(where: { $0.name == MapPath.text }) {
      reportMixedContent(text.value, context, path, field: field)
    }
    var completed: Set<[UInt8]> = []
    for (index, element) in elements.enumerated() {
      if index > 0, !element.isNamed(elements[index - 1].name) {
        completed.insert(Array(elements[index - 1].name.utf8))
        if completed.contains(Array(element.name.utf8)) {
          report(
            "interleaved elements cannot be stored as json: "
              + "\(Excerpt.truncated(element.name)) follows "
              + Excerpt.truncated(elements[index - 1].name),
            context, joined(path, element.name), element.value.line, field: field)
          break
        }
      }
    }
    for element in elements {
      checkOrder(of: element.value, context, joined(path, element.name), field: field)
    }
  }

  private mutating func reportMixedContent(
    _ text: ForeignValue, _ context: Context, _ path: String, field: String? = nil
  ) {
    report(
      "mixed content cannot be stored as json: \(text.display) and elements", context, path,
      text.line, field: field)
  }

  /// Returns the members of an XML element with attributes, if the field stores only the text of
  /// the element. Returns nil in all other cases. While a schema is inferred, an element without
  /// text is not reduced to its text, because nothing would remain.
  private func membersOfText(
    _ value: ForeignValue, _ binding: RecordLayout.Binding
  ) -> [ForeignValue.Member]? {
    guard case .object(let members) = value.content, format == .xml, !binding.isElement,
      binding.type != nil || binding.converter.form != nil
        || !hasElements(members) && members.contains(where: { $0.name == MapPath.text }),
      binding.converter.place(in: value) == nil
    else { return nil }
    return members
  }

  /// Collects the attributes of an element with text that are fields by the rule for names, such as
  /// `title_type` for the attribute `type` of `title`. They are read like an element next to it.
  /// Returns the other members.
  private mutating func collectAttributes(
    _ members: [ForeignValue.Member], _ group: RecordLayout.Group, _ node: Int,
    _ binding: RecordLayout.Binding, _ context: Context, _ path: String,
    _ collected: inout Collected
  ) -> [ForeignValue.Member] {
    let layout = context.layout
    guard group.hasOtherFields, group.nodes[node].isByRule, let rule = layout.rule else {
      return members
    }
    var rest: [ForeignValue.Member] = []
    for member in members {
      guard let field = Self.field(ofAttribute: member.name, of: binding.field),
        let index = group.index(of: rule.name(of: field, isKey: false)),
        group.nodes[index].isByRule, case .value(let found) = group.nodes[index].content,
        layout.bindings[found].field == field, found != layout.key
      else {
        rest.append(member)
        continue
      }
      var ignored: [ForeignValue.Member] = []
      collect(member.value, group, index, context, path, &collected, &ignored)
    }
    return rest
  }

  /// Returns the name of the field for an attribute of an element with text: `title_type` for the
  /// attribute `type` of `title`. Returns nil for other members, and for names of system fields.
  static func field(ofAttribute name: String, of field: String) -> String? {
    guard let name = XMLName(name), name.isAttribute,
      let suffix = Names.suggested(for: name.local)
    else { return nil }
    let field = "\(field)_\(suffix)"
    return SystemField(named: field) == nil && Names.suggested(for: field) == field ? field : nil
  }

  /// Returns the text of an element with attributes. Child elements are reported, because their
  /// text would be lost.
  private mutating func text(
    of members: [ForeignValue.Member], _ line: Int, _ context: Context, _ path: String,
    field: String
  ) -> ForeignValue {
    var text = ForeignValue(.text(""), line: line)
    for member in members {
      if member.name == MapPath.text {
        text = member.value
      } else if !member.name.hasPrefix("@") {
        report(
          "expected text, found the element \(Excerpt.truncated(member.name))", context, path,
          member.value.line, field: field)
      } else if context.layout.unknown == .error {
        reportUnknown(member, context, path)
      }
    }
    return text
  }

  /// Returns the value at a path within an element of an array.
  private mutating func descend(
    _ value: ForeignValue, _ names: ArraySlice<String>, _ context: Context, _ path: String
  ) -> ForeignValue? {
    guard let name = names.first else { return value }
    guard let members = members(of: value) else {
      report("expected an object, found \(value.display)", context, path, value.line)
      return nil
    }
    var found: ForeignValue?
    let choice = format == .xml ? XMLChoice(name) : nil
    for member in members {
      let isElement = choice.map { member.isNamed($0.element) } ?? false
      let member = isElement ? XMLChoice.chosen(member, by: choice?.attribute ?? "") : member
      if member.name.utf8.elementsEqual(name.utf8) {
        if let found {
          reportRepeated(member.value, after: found.line, context, joined(path, name))
        }
        found = member.value
      } else if context.layout.unknown == .error {
        reportUnknown(member, context, path)
      }
    }
    guard let found else {
      report("missing", context, joined(path, name), value.line)
      return nil
    }
    return descend(found, names.dropFirst(), context, joined(path, name))
  }

  private func setNull(
    _ group: RecordLayout.Group, _ null: ForeignValue, _ collected: inout Collected
  ) {
    for node in group.nodes {
      switch node.content {
      case .value(let index), .elements(let index, _), .entries(let index):
        collected.values[index].value = null
      case .second(let index): collected.values[index].alternative = null
      case .group(let inner): setNull(inner, null, &collected)
      case .alternative, .extra: break
      }
    }
  }

  private mutating func unknown(
    _ member: ForeignValue.Member, _ group: RecordLayout.Group, _ context: Context,
    _ path: String, _ collected: inout Collected, _ rest: inout [ForeignValue.Member]
  ) {
    let layout = context.layout
    if group.ignoresOthers { return }
    if layout.rest != nil {
      rest.append(member)
    } else if layout.schema == nil, group.hasOtherFields, let rule = layout.rule {
      let field = rule.inferredField(of: member.name, keyName: layout.keyName)
      if let field, !layout.listsSystemFields || SystemField(named: field) == nil {
        collected.others.append((member.name, field, member.value))
      } else if !member.value.isNull {
        report(
          "the rule for names produces no field name for \(Excerpt.quoted(member.name))", context,
          joined(path, member.name), member.value.line, hint: "add it to the fields of the map")
      }
    } else if member.value.isNull, group.hasOtherFields {
      // No field is inferred from a key that has only nulls, and a null contains nothing that could
      // be lost.
      return
    } else if layout.unknown == .error {
      if member.name == MapPath.text {
        report("unexpected text \(member.value.display)", context, path, member.value.line)
      } else {
        reportUnknown(member, context, path)
      }
    }
  }

  mutating func reportRepeated(
    _ value: ForeignValue, after first: Int?, _ context: Context, _ path: String,
    field: String? = nil
  ) {
    let place = first.map { $0 == value.line ? "" : ", first in line \($0)" } ?? ""
    report("given twice\(place)", context, path, value.line, field: field)
  }

  private mutating func reportUnknown(
    _ member: ForeignValue.Member, _ context: Context, _ path: String
  ) {
    let kind =
      switch format {
      case .json: "key"
      case .csv: "column"
      case .xml: member.name.hasPrefix("@") ? "attribute" : "element"
      }
    report(
      "no field of \(context.layout.schemaName) is mapped to the \(kind) "
        + Excerpt.quoted(member.name),
      context, joined(path, member.name), member.value.line,
      hint: "add it to the map, or set \"unknown\": \"ignore\" in the map")
  }

  /// Returns the path of a member of the value at `path`.
  func joined(_ path: String, _ name: String) -> String {
    guard buildsPaths else { return "" }
    return switch format {
    case .json: "\(path).\(name)"
    case .xml: "\(path)/\(name)"
    case .csv: name
    }
  }

  /// Returns the path of a field of the record at `path`.
  func joined(_ path: String, _ binding: RecordLayout.Binding) -> String {
    buildsPaths ? joined(path, binding.path?.text(format) ?? binding.field) : ""
  }

  /// Returns the path of an element of the list at `path`.
  private func indexed(_ path: String, _ index: Int) -> String {
    buildsPaths ? "\(path)[\(index)]" : ""
  }

  /// Returns the path of an element of a list: inserts the index into the `[]` of the given path.
  func indexed(elementsOf path: String, _ index: Int) -> String {
    guard buildsPaths else { return "" }
    // A path within the element may follow the brackets.
    return path.split(separator: "[]", omittingEmptySubsequences: false)
      .joined(separator: "[\(format == .xml ? index + 1 : index)]")
  }

  mutating func report(
    _ message: String, _ context: Context, _ path: String, _ line: Int, field: String? = nil,
    hint: String? = nil
  ) {
    guard issues.count < Self.maxIssues else { return }
    issues.append(
      Issue(
        message: message, hint: hint,
        record: context.location < 0 ? nil : "$.\(locations.name(at: Int(context.location)))",
        field: field, path: path, line: line, offset: offset))
  }
}

extension [MappedRecordReader.FieldLocation] {
  /// Returns the name of a location, such as `title`, or `steps[1].text` for a field of a nested
  /// record.
  func name(at index: Int) -> String {
    let location = self[index]
    let name =
      location.index < 0 ? location.field : "\(location.field)[\(location.index)]"
    return location.parent < 0 ? name : "\(self.name(at: Int(location.parent))).\(name)"
  }
}
