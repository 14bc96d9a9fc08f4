public import DataModel
import JSONText
import RecordText

extension DataMap {
  /// Parses a map file. If there are problems, throws an error that contains all of them, each with
  /// its line.
  package init(parsing bytes: [UInt8], file: String?) throws(DataError) {
    try self.init(parsing: bytes, file: file, isBuiltIn: false)
  }

  init(parsing bytes: [UInt8], file: String?, isBuiltIn: Bool) throws(DataError) {
    let node = try JSONNode.read(bytes, file: file, code: .invalidConfiguration)
    var reader = MapFileReader(bytes, file: file, isBuiltIn: isBuiltIn)
    let map = reader.read(node)
    if let error = DataError(reader.problems) { throw error }
    self = map
  }

  /// Returns the map that an argument contains or names: the JSON of a map, or the name of a
  /// built-in map. Returns nil for other arguments, which name files.
  package init?(argument: String) throws(DataError) {
    if argument.utf8.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "{") {
      try self.init(parsing: Array(argument.utf8), file: nil)
    } else if let map = DataMap.builtIn(named: argument) {
      self = map
    } else {
      return nil
    }
  }

  /// The argument for this map: the name of a built-in map, or the JSON of another map.
  package var argument: String { isBuiltIn ? name : String(decoding: text, as: UTF8.self) }

  /// Parses a map.
  ///
  /// - Parameter text: The JSON text of the map, as in a map file.
  /// - Throws: An error that contains all problems of the map, each with its line.
  public init(parsing text: String) throws(DataError) {
    try self.init(parsing: Array(text.utf8), file: nil)
  }
}

/// Parses a map file. Collects all problems instead of throwing the first one.
private struct MapFileReader {
  private let bytes: [UInt8]
  private let file: String?
  private let isBuiltIn: Bool
  private let lines: LineStarts
  private var format = DataMap.Format.json
  /// Whether the format in the map file is unknown. If so, paths are not parsed, because their
  /// syntax depends on the format.
  private var hasUnknownFormat = false
  private var namespaces: [(prefix: String, uri: String)] = []
  private(set) var problems: [Problem] = []

  init(_ bytes: [UInt8], file: String?, isBuiltIn: Bool) {
    self.bytes = bytes
    self.file = file
    self.isBuiltIn = isBuiltIn
    lines = LineStarts(bytes)
  }

  mutating func read(_ node: JSONNode) -> DataMap {
    var members: [JSONNode.Member] = []
    if case .object(let all) = node.content {
      members = unique(all, among: MapFileKey.allCases.map(\.rawValue), of: "a map")
    } else {
      report("expected a map: an object in braces, found \(node.kind)", node.range)
    }
    func member(_ key: MapFileKey) -> JSONNode.Member? {
      members.first { $0.name == key.rawValue }
    }
    if let found = member(.format) {
      let known: DataMap.Format? = choice(found)
      format = known ?? .json
      hasUnknownFormat = known == nil
    }
    if let found = member(.namespaces) { readNamespaces(found) }
    if member(.map) == nil, case .object = node.content {
      report("\"map\" is missing", node.range)
    }
    if member(.fields) == nil, member(.names) == nil, !members.isEmpty {
      report("\"fields\" or \"names\" is missing", node.range)
    }
    var records = MapPath()
    var recordsLine = 1
    var hasInvalidRecords = member(.records) != nil
    if let found = member(.records), let path = path(found.value, isAbsolute: format == .xml) {
      records = path
      hasInvalidRecords = false
      recordsLine = line(of: found.position)
      if format == .csv { report("a map for CSV cannot have \"records\"", found.value.range) }
      if format == .xml, path.names.last.map({ $0.hasPrefix("@") || $0 == MapPath.text }) == true {
        report("expected a path to elements, not to attributes", found.value.range)
      }
      if format == .xml, path.names.contains(where: { XMLChoice($0) != nil }) {
        report("the path to the records cannot choose by an attribute", found.value.range)
      }
    } else if format == .xml, member(.records) == nil, !members.isEmpty {
      report(
        "\"records\" is missing: XML requires the path to the elements of the records", node.range)
    }
    let isRootList = records.steps.first == .elements
    let wrapper = wrapper(of: &records, line: recordsLine)
    var separator = UInt8(ascii: ",")
    if let found = member(.separator), let word = text(found.value, as: "separator") {
      if format == .csv, let byte = TextForm.separator(word), Self.canSeparateCells(byte) {
        separator = byte
      } else if !hasUnknownFormat {
        report(
          "expected one character between the cells of CSV, such as \";\"", found.value.range)
      }
    }
    var fields = fieldMap(members, inheriting: DataMap.FieldMap())
    if !wrapper.steps.isEmpty { fields.nest(in: wrapper) }
    return DataMap(
      name: member(.map).flatMap { text($0.value, as: "map") } ?? "",
      doc: member(.doc).flatMap { text($0.value, as: "doc") }, format: format,
      schemaName: member(.schema).flatMap { text($0.value, as: "schema") }, file: file,
      text: bytes, isBuiltIn: isBuiltIn, namespaces: namespaces,
      records: records, isRootList: isRootList,
      frame: member(.frame).map {
        frame($0.value, around: records, hasInvalidRecords: hasInvalidRecords)
      } ?? [],
      separator: separator, fields: fields)
  }

  private mutating func readNamespaces(_ member: JSONNode.Member) {
    guard format == .xml || hasUnknownFormat else {
      return report("a map for \(format.rawValue) cannot have \"namespaces\"", member.range)
    }
    let reserved = [XMLName.xmlNamespace, XMLName.declarationNamespace]
    for entry in object(member.value, as: "namespaces") {
      let uri = text(entry.value, as: entry.name) ?? ""
      if entry.name == "xml" || entry.name == "xmlns" || reserved.contains(uri) {
        report(
          "\(entry.name) or its namespace is reserved by XML", entry.range,
          hint: "the prefix xml can be used without a declaration")
      } else if !XMLName.isLocal(entry.name) {
        report("\(Excerpt.quoted(entry.name)) is not a prefix", entry.range)
      } else if uri.utf8.contains(where: { byte in
        !(0x21...0x7E).contains(byte) || "{}<>\"|\\^`".utf8.contains(byte)
      }) {
        report("\(Excerpt.quoted(uri)) is not a namespace", entry.range)
      }
      // Also an invalid entry declares its prefix, so that the paths with it are no further errors.
      namespaces.append((entry.name, uri))
    }
  }

  /// Shortens the path to the records so that it ends at the list of records, and returns the
  /// removed steps. In the path `items[].node`, the list is `items`. The result is `node`, the
  /// object that contains the fields of each record.
  private mutating func wrapper(of records: inout MapPath, line: Int) -> MapPath {
    let suffixes = records.steps.indices.filter { index in
      records.steps[index] == .elements || records.steps[index] == .entries
    }
    switch format {
    case .csv: return MapPath()
    case .xml:
      // In XML, all elements at the path are records, so the path needs no `[]`.
      if !suffixes.isEmpty {
        problems.append(problem("the path to the records cannot contain []", line: line))
      }
      return MapPath()
    case .json: break
    }
    if suffixes.count > 1 {
      problems.append(problem("expected a path to one list of records", line: line))
    }
    guard let suffix = suffixes.last else { return MapPath() }
    let wrapper = MapPath(Array(records.steps[(suffix + 1)...]))
    records.steps.removeSubrange((suffix + 1)...)
    if records.steps.last == .elements { records.steps.removeLast() }
    return wrapper
  }

  private mutating func fieldMap(
    _ members: [JSONNode.Member], inheriting outer: DataMap.FieldMap
  ) -> DataMap.FieldMap {
    var map = DataMap.FieldMap()
    (map.unknown, map.nulls, map.missing) = (outer.unknown, outer.nulls, outer.missing)
    (map.forms, map.systemFields) = (outer.forms, outer.systemFields)
    map.names = outer.names.map { DataMap.NameConvention(rule: $0.rule, container: MapPath()) }
    for member in members {
      switch member.name {
      case "unknown": map.unknown = choice(member) ?? map.unknown
      case "missing": map.missing = choice(member) ?? map.missing
      case "nulls": map.nulls = choice(member) ?? map.nulls
      case "names": map.names = names(member)
      case "types": map.forms = forms(member)
      case "system": map.systemFields = systemFields(member)
      case "extra":
        for extra in object(member.value, as: "extra") {
          guard let path = path(extra.name, at: extra) else { continue }
          let value = JSONValue(extra.value, of: bytes.span)
          checkConstant(value, at: path, extra.range)
          map.extra.append((path, value == .null ? .none : .some(value), line(of: extra.position)))
        }
      default: break
      }
    }
    for member in members where member.name == "fields" {
      map.line = line(of: member.position)
      for field in object(member.value, as: "fields") {
        if let found = self.field(field, in: map) { map.fields.append(found) }
      }
    }
    return map
  }

  private mutating func forms(
    _ member: JSONNode.Member
  ) -> [(type: FieldType, form: ValueForm)] {
    let types: [FieldType] = [
      .id, .text, .integer, .number, .boolean, .date, .datetime, .geopoint, .file, .json,
    ]
    var forms: [(type: FieldType, form: ValueForm)] = []
    for entry in object(member.value, as: "types") {
      guard let type = types.first(where: { $0.name == entry.name }) else {
        report(
          "\(Excerpt.quoted(entry.name)) is not a type that can have a notation", entry.range,
          hint: FieldType.hint(for: entry.name))
        continue
      }
      let parts = unique(object(entry.value, as: entry.name), among: ["as"], of: "a type of a map")
      guard let part = parts.first, let form = form(part.value) else { continue }
      guard form.allows(type) else {
        report("\(type.nameWithArticle) cannot be \(form.expectation)", part.range)
        continue
      }
      forms.append((type, form))
    }
    return forms
  }

  private mutating func names(_ member: JSONNode.Member) -> DataMap.NameConvention? {
    guard case .object(let all) = member.value.content else {
      return choice(member).map { DataMap.NameConvention(rule: $0, container: MapPath()) }
    }
    let members = unique(all, among: ["rule", "in"], of: "\"names\"")
    let rule: NameRule? = members.first { $0.name == "rule" }.flatMap { choice($0) }
    if !members.contains(where: { $0.name == "rule" }) {
      report("\"rule\" is missing", member.value.range)
    }
    let container = members.first { $0.name == "in" }.flatMap { path($0.value) }
    return rule.map { DataMap.NameConvention(rule: $0, container: container ?? MapPath()) }
  }

  private mutating func systemFields(_ member: JSONNode.Member) -> [DataMap.MappedField] {
    var fields: [DataMap.MappedField] = []
    for entry in object(member.value, as: "system") {
      guard SystemField(named: entry.name) != nil else {
        let known = SystemField.allCases.map(\.name)
        report(
          "no system field \(Excerpt.quoted(entry.name))", entry.range,
          hint: nearest(entry.name, among: known).map { "did you mean \($0)?" }
            ?? "the system fields are \(known.joined(separator: ", "))")
        continue
      }
      guard let field = field(entry, in: DataMap.FieldMap()) else { continue }
      guard field.path != nil, field.nested == nil, field.constant == nil, !field.isRest else {
        report("expected a path for a system field", entry.range)
        continue
      }
      fields.append(field)
    }
    return fields
  }

  private mutating func field(
    _ member: JSONNode.Member, in map: DataMap.FieldMap
  ) -> DataMap.MappedField? {
    let selector: DataMap.MappedField.Selector
    switch member.name {
    case "$key": selector = .key
    case "$place": selector = .place
    default: selector = .name(member.name)
    }
    var field = DataMap.MappedField(selector: selector, line: line(of: member.position))
    if case .text(let text) = member.value.content {
      if text == "*" {
        field.isRest = true
      } else {
        guard let path = path(member.value) else { return nil }
        field.path = path
      }
      return field
    }
    guard case .object(let all) = member.value.content else {
      report("expected a path or an object, found \(member.value.kind)", member.value.range)
      return nil
    }
    let members = unique(all, among: MapFieldKey.allCases.map(\.rawValue), of: "a field of a map")
    for part in members {
      switch MapFieldKey(rawValue: part.name) {
      case .at:
        guard case .array(let elements) = part.value.content else {
          field.path = path(part.value)
          continue
        }
        guard elements.count == 2, members.contains(where: { $0.name == "as" }) else {
          report("a list in \"at\" needs two paths and \"as\": \"lat,lon\"", part.range)
          return nil
        }
        let found = paths(part.value)
        guard found.count == 2 else { return nil }
        (field.path, field.second) = (found[0], found[1])
      case .or: field.alternatives = paths(part.value)
      case .as: field.form = form(part.value)
      case .constant: field.constant = JSONValue(part.value, of: bytes.span)
      case .fields: field.nested = fieldMap(members, inheriting: map)
      case .schema: field.nestedSchema = text(part.value, as: "schema")
      case .names, .unknown, .missing, .nulls, .extra, nil: break
      }
    }
    let others = members.map(\.name).filter { $0 != "constant" }
    if field.constant != nil, let other = others.first {
      report("a field with \"constant\" cannot have \"\(other)\"", member.value.range)
    } else if field.nested == nil,
      let other = others.first(where: { !["at", "or", "as", "constant"].contains($0) })
    {
      report("\"\(other)\" requires \"fields\"", member.value.range)
    } else if field.nested != nil, !others.contains("at") || field.form != nil {
      report("a field with \"fields\" requires \"at\", and cannot have \"as\"", member.value.range)
    } else if members.isEmpty {
      report("expected \"at\" or \"constant\"", member.value.range)
    }
    return field
  }

  private mutating func form(_ node: JSONNode) -> ValueForm? {
    if case .array(let keys) = node.content {
      var names: [String] = []
      for key in keys {
        guard case .text(let name) = key.content else { continue }
        guard format == .xml, name.contains(":") else {
          names.append(name)
          continue
        }
        guard let path = path(key) else { return nil }
        names.append(path.text(format))
      }
      if names.count == 2, keys.count == 2, names[0] != names[1] {
        return .pairObject(latitude: names[0], longitude: names[1])
      }
      report(
        "expected the two keys of a geopoint, such as [\"latitude\", \"longitude\"]", node.range)
      return nil
    }
    guard let word = text(node, as: "as") else { return nil }
    if let form = ValueForm(word) { return form }
    let hint =
      ["yy", "MM", "dd"].contains { word.contains($0) }
      ? "a pattern consists of \(TimeForm.partNames); put other letters and digits in apostrophes"
      : nearest(word, among: ValueForm.names).map { "did you mean \($0)?" }
        ?? "notations are \(ValueForm.names.joined(separator: " ")), and patterns such as dd.MM.yyyy"
    report("unknown notation \(Excerpt.quoted(word))", node.range, hint: hint)
    return nil
  }

  /// Returns whether a byte can separate the cells of CSV. It must be an ASCII character other than
  /// a letter, a digit, a quote, a line break or the null character.
  private static func canSeparateCells(_ byte: UInt8) -> Bool {
    let character = Unicode.Scalar(byte)
    return byte < 0x80 && byte != 0 && !"\"\r\n".utf8.contains(byte)
      && !character.properties.isAlphabetic && character.properties.numericType == nil
  }

  private mutating func frame(
    _ node: JSONNode, around records: MapPath, hasInvalidRecords: Bool
  ) -> [(path: MapPath, value: JSONValue)] {
    var frame: [(path: MapPath, value: JSONValue)] = []
    let recordPath = MapPath(records.names.map { .name($0) })
    var wholePaths: [[[UInt8]]: MapPath] = [:]
    /// For each beginning of a path, the first path that begins with it.
    var extensions: [[[UInt8]]: MapPath] = [:]
    for member in object(node, as: "frame") {
      guard let path = path(member.name, at: member, isAbsolute: format == .xml) else { continue }
      guard !path.steps.contains(.elements), !path.steps.contains(.entries), format != .csv else {
        report("expected a path without a list", member.range)
        continue
      }
      guard !records.names.isEmpty else {
        if !hasInvalidRecords {
          report("\"frame\" needs \"records\", a path to the records", member.range)
        }
        continue
      }
      if format == .xml, path.names.first != records.names.first || path.names.count == 1 {
        report("expected a path in the element /\(records.names[0])", member.range)
        continue
      }
      let names = path.names.map { Array($0.utf8) }
      let beginnings = names.indices.map { Array(names[...$0]) }
      let other =
        extensions[names] ?? beginnings.lazy.compactMap { wholePaths[$0] }.first
        ?? (recordPath.meets(path) ? recordPath : nil)
      if let other {
        let text = (format == .xml ? "/" : "") + other.text(format)
        report("the path overlaps the path \(Excerpt.quoted(text))", member.range)
        continue
      }
      let value = JSONValue(member.value, of: bytes.span)
      checkConstant(value, at: path, member.range)
      frame.append((path, value))
      wholePaths[names] = path
      for beginning in beginnings where extensions[beginning] == nil {
        extensions[beginning] = path
      }
    }
    return frame
  }

  /// Reports a constant if XML cannot contain it at the given path.
  private mutating func checkConstant(_ value: JSONValue, at path: MapPath, _ range: Range<Int>) {
    guard format == .xml else { return }
    let isElement = path.names.last.map { XMLName($0)?.isAttribute == false } ?? false
    let isScalar =
      switch value {
      case .null, .boolean, .number, .text: true
      case .array, .object: false
      }
    if !isScalar, !isElement || !ForeignValue(value).hasOnlyXMLNames {
      report("XML cannot contain this value", range)
    }
  }
}

/// Parsing the values in a map file.
extension MapFileReader {
  private mutating func paths(_ node: JSONNode) -> [MapPath] {
    guard case .array(let elements) = node.content else { return [path(node)].compactMap(\.self) }
    var paths: [MapPath] = []
    for element in elements {
      if let path = path(element) { paths.append(path) }
    }
    return paths
  }

  private mutating func path(_ node: JSONNode, isAbsolute: Bool = false) -> MapPath? {
    guard case .text(let text) = node.content else {
      report("expected a path as text, found \(node.kind)", node.range)
      return nil
    }
    return path(text, node.range, isAbsolute: isAbsolute)
  }

  private mutating func path(
    _ text: String, at member: JSONNode.Member, isAbsolute: Bool = false
  ) -> MapPath? {
    path(text, member.range, isAbsolute: isAbsolute)
  }

  private mutating func path(
    _ text: String, _ range: Range<Int>, isAbsolute: Bool
  ) -> MapPath? {
    if hasUnknownFormat { return nil }
    do throws(MapPath.ParseError) {
      return try MapPath(parsing: text, format, namespaces, isAbsolute: isAbsolute)
    } catch {
      report(error.message, range, hint: error.hint)
      return nil
    }
  }

  private mutating func object(_ node: JSONNode, as name: String) -> [JSONNode.Member] {
    guard case .object(let members) = node.content else {
      report("expected an object as \"\(name)\", found \(node.kind)", node.range)
      return []
    }
    return unique(members, among: nil, of: "\"\(name)\"")
  }

  private mutating func text(_ node: JSONNode, as name: String) -> String? {
    if case .text(let text) = node.content, !text.isEmpty { return text }
    report("expected text as \"\(name)\", found \(node.kind)", node.range)
    return nil
  }

  private mutating func choice<Choice: RawRepresentable & CaseIterable>(
    _ member: JSONNode.Member
  ) -> Choice? where Choice.RawValue == String {
    guard let word = text(member.value, as: member.name) else { return nil }
    if let choice = Choice(rawValue: word) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    report(
      "expected \(words.joined(separator: ", ")) as \"\(member.name)\", found "
        + Excerpt.quoted(word), member.value.range,
      hint: nearest(word, among: words).map { "did you mean \($0)?" })
    return nil
  }

  /// Removes members with unknown or repeated keys, and reports them. Returns the remaining
  /// members.
  private mutating func unique(
    _ members: [JSONNode.Member], among keys: [String]?, of owner: String
  ) -> [JSONNode.Member] {
    var accepted: [JSONNode.Member] = []
    var names: Set<[UInt8]> = []
    for member in members {
      if let keys, !keys.contains(member.name) {
        report(
          "\(owner) has no key \(Excerpt.quoted(member.name))", member.range,
          hint: nearest(member.name, among: keys).map { "did you mean \($0)?" }
            ?? "known keys are " + keys.joined(separator: ", "))
      } else if !names.insert(Array(member.name.utf8)).inserted {
        report("\(Excerpt.quoted(member.name)) is given twice", member.range)
      } else {
        accepted.append(member)
      }
    }
    return accepted
  }

  private mutating func report(_ message: String, _ range: Range<Int>, hint: String? = nil) {
    var problem = problem(message, line: line(of: range.lowerBound))
    problem.hint = hint
    problem.column = lines.column(of: range.lowerBound)
    problems.append(problem)
  }

  private func problem(_ message: String, line: Int) -> Problem {
    Problem(.invalidConfiguration, message, file: file, line: line)
  }

  private func line(of offset: Int) -> Int { lines.line(of: offset) }
}

extension JSONNode.Member {
  /// The byte range of the member: its name and its value.
  fileprivate var range: Range<Int> { position..<value.range.upperBound }
}

extension DataMap.FieldMap {
  /// Prepends a path to the paths of all fields.
  fileprivate mutating func nest(in container: MapPath) {
    func nested(_ field: DataMap.MappedField) -> DataMap.MappedField {
      var field = field
      field.path = field.path.map { $0.steps == [.name(MapPath.entryKey)] ? $0 : container + $0 }
      field.second = field.second.map { container + $0 }
      field.alternatives = field.alternatives.map { container + $0 }
      return field
    }
    fields = fields.map(nested)
    systemFields = systemFields.map { $0.map(nested) }
    if let names {
      self.names = DataMap.NameConvention(rule: names.rule, container: container + names.container)
    }
    extra = extra.map { (container + $0.path, $0.value, $0.line) }
  }
}
