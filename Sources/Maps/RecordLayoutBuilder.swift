import DataModel
import JSONText
import RecordText

/// Matches the entries of a map to the fields of a schema. Collects all problems instead of
/// throwing the first one.
struct RecordLayoutBuilder {
  /// The schema against which a map is checked, or the name of the schema to infer.
  struct Target {
    /// The schema, or nil if it is to be inferred.
    var schema: Schema?
    var catalog: Catalog
    var name: String

    var keyName: String { schema?.key.name ?? name + "_id" }
  }

  /// A field of the schema, with the entry of the map for it and its path in the document.
  struct Placed {
    var field: DataMap.MappedField
    var name: String
    var slot: Int?
    /// The schema of the records in the list of an inverse; nil for a field.
    var inverse: Schema?
    var path: MapPath?
    var isByRule = false
    /// The name of the field if it is also accepted as a member name, in place of the name that the
    /// naming rule gives. If not, nil.
    var alias: String?
  }

  let map: DataMap
  let fieldMap: DataMap.FieldMap
  let target: Target
  let isNested: Bool
  let isEntry: Bool
  private(set) var problems: [Problem] = []
  /// The paths in the map for fields that the schema does not have.
  private var ignored: [MapPath] = []
  /// The paths that the map specifies for the geopoint field (`$place`), if the schema has no such
  /// field. Documents are written with null at these paths.
  private var missingPlaces: [MapPath] = []
  private(set) var bindings: [RecordLayout.Binding] = []

  init(
    _ map: DataMap, _ fieldMap: DataMap.FieldMap, _ target: Target, isNested: Bool, isEntry: Bool
  ) {
    self.map = map
    self.fieldMap = fieldMap
    self.target = target
    self.isNested = isNested
    self.isEntry = isEntry
  }

  mutating func layout() -> RecordLayout {
    var root = RecordLayout.Group()
    let placed = placedFields()
    let extras: [(path: MapPath, value: JSONValue?, line: Int)] =
      ignored.map { ($0, nil, fieldMap.line) } + missingPlaces.map { ($0, .null, fieldMap.line) }
      + fieldMap.extra.map { ($0.path, constant($0.value), $0.line) }
    for extra in extras where extra.value ?? .null != .null { insert(extra, in: &root) }
    for placed in placed {
      guard let binding = binding(placed) else { continue }
      let index = bindings.count
      bindings.append(binding)
      if let path = binding.path, path.steps != [.name(MapPath.entryKey)] {
        insert(.value(index), path.steps[...], at: placed, in: &root)
      }
      if let path = binding.second {
        insert(.second(index), path.steps[...], at: placed, in: &root)
      }
      for path in placed.field.alternatives {
        insert(.alternative(index), path.steps[...], at: placed, in: &root)
      }
    }
    for extra in extras where extra.value ?? .null == .null { insert(extra, in: &root) }
    if let names = fieldMap.names { markContainer(names.container.steps[...], in: &root) }
    checkMarkup(in: root)
    let isKeyed = bindings.contains { $0.path?.steps == [.name(MapPath.entryKey)] }
    if isEntry, !isKeyed {
      report(
        "no field stores the member names of the records", fieldMap.line,
        hint: "add a field with the path {}key")
    }
    root.buildNames()
    return RecordLayout(self, bindings: bindings, root: root)
  }

  /// Returns the value of an extra path. `$class` is replaced with the name of the schema as a type.
  private func constant(_ value: JSONValue?) -> JSONValue? {
    value == .text("$class") ? .text(Names.typeName(for: target.name)) : value
  }

  mutating func report(
    _ message: String, _ line: Int, hint: String? = nil, field: String? = nil
  ) {
    problems.append(
      Problem(
        .invalidConfiguration, message, hint: hint, schema: target.name, field: field,
        file: map.file, line: map.file == nil ? nil : line))
  }
}

/// Finds the field and the path for each entry of the map.
extension RecordLayoutBuilder {
  private mutating func placedFields() -> [Placed] {
    var placed: [Placed] = []
    var listed: Set<String> = []
    for field in fieldMap.fields {
      guard let resolved = resolve(field) else { continue }
      if !listed.insert(resolved.name).inserted {
        report("\(resolved.name) is given twice", field.line, field: resolved.name)
      } else {
        placed.append(resolved)
      }
    }
    let system = systemFields(except: listed)
    if let rule = fieldMap.names, let schema = target.schema {
      let taken = listed.union(system.map(\.name))
      for slot in schema.knownFieldSlots {
        let field = schema.fields[slot]
        if taken.contains(field.name) { continue }
        placed.append(
          Placed(
            field: DataMap.MappedField(selector: .name(field.name), line: fieldMap.line),
            name: field.name, slot: slot,
            path: rule.path(of: field.name, keyName: target.keyName, in: schema),
            isByRule: true))
      }
    }
    for index in placed.indices where placed[index].isByRule {
      guard placed[index].name == target.keyName, let names = fieldMap.names,
        let rule = names.rule.lenientKeyRule
      else { continue }
      let other = names.container + MapPath([.name(rule.name(of: target.keyName, isKey: true))])
      if other != placed[index].path { placed[index].field.alternatives.append(other) }
    }
    for index in placed.indices where placed[index].isByRule {
      placed[index].alias = alias(of: placed[index].name)
    }
    // The primary key comes first, so that documents begin with it.
    if let key = placed.firstIndex(where: { $0.name == target.keyName && $0.isByRule }) {
      placed.insert(placed.remove(at: key), at: 0)
    }
    return placed + system
  }

  /// Returns the field and the path of a map entry. If the entry is invalid, reports a problem and
  /// returns nil.
  ///
  /// A built-in map can contain fields that the schema does not have. They are ignored: the result
  /// is nil, without a problem. The same applies to the entry `$place` if the schema has no
  /// geopoint field.
  private mutating func resolve(_ field: DataMap.MappedField) -> Placed? {
    var name: String
    switch field.selector {
    case .name(let given): name = given
    case .key: name = target.keyName
    case .place:
      let places =
        target.schema.map { schema in
          schema.knownFieldSlots.filter { schema.type(of: $0) == .geopoint }
            .map { schema.name(of: $0) }
        } ?? ["place"]
      guard let place = places.first else {
        if map.format == .json { missingPlaces += field.paths } else { ignored += field.paths }
        return nil
      }
      guard places.count == 1 else {
        report(
          "$place needs a schema with one geopoint; \(target.name) has "
            + places.joined(separator: ", "), field.line)
        return nil
      }
      name = place
    }
    var slot: Int?
    if field.nested != nil,
      let inverse = target.schema.flatMap({ schema in
        target.catalog.declaredInverses(of: schema).first { $0.name == name }
      })
    {
      return Placed(field: field, name: name, inverse: inverse.source, path: field.path)
    }
    if let schema = target.schema {
      guard let found = schema.slot(named: name), found < schema.fields.count else {
        if map.isBuiltIn {
          ignored += field.paths
          return nil
        }
        let isSystem = SystemField(named: name) != nil
        report(
          isSystem ? "\(name) is a system field" : "no field \(name)",
          field.line,
          hint: isSystem
            ? "move the entry to \"system\""
            : nearest(name, among: schema.knownFieldNames).map { "did you mean \($0)?" })
        return nil
      }
      (slot, name) = (found, schema.fields[found].name)
    }
    var placed = Placed(field: field, name: name, slot: slot, path: field.path)
    if field.path == nil, field.constant == nil, !field.isRest {
      guard let names = fieldMap.names else {
        report("\(name) needs \"at\", because the map has no rule for names", field.line)
        return nil
      }
      placed.path = names.path(of: name, keyName: target.keyName, in: target.schema)
      placed.isByRule = true
    }
    return placed
  }

  /// Returns the name of the field if it is also accepted as a member name, in place of the name
  /// that the naming rule gives. If not, returns nil.
  ///
  /// If a document has such a member, schema inference creates a field with the same name. Reading
  /// with the inferred schema must then accept the member.
  private func alias(of field: String) -> String? {
    guard let rule = fieldMap.names?.rule, fieldMap.unknown == .error,
      !fieldMap.fields.contains(where: \.isRest)
    else { return nil }
    let isAccepted = rule.inferredField(of: field, keyName: target.keyName) == field
    return isAccepted ? field : nil
  }

  private func systemFields(except listed: Set<String>) -> [Placed] {
    let fields: [(DataMap.MappedField, MapPath?)]
    if let given = fieldMap.systemFields {
      fields = given.map { ($0, $0.path) }
    } else if let names = fieldMap.names, !isNested || target.schema != nil {
      fields = SystemField.allCases.map { field in
        (
          DataMap.MappedField(selector: .name(field.name), line: fieldMap.line),
          names.container + MapPath([.name(names.rule.name(of: field.name, isKey: false))])
        )
      }
    } else {
      fields = []
    }
    return fields.compactMap { field, path in
      guard case .name(let name) = field.selector, let system = SystemField(named: name) else {
        return nil
      }
      let isByRule = fieldMap.systemFields == nil
      let alias = isByRule ? alias(of: name) : nil
      // If the schema has a field such as `original_created_at`, a save stores the value there.
      if let slot = target.schema?.slot(named: system.originalName) {
        guard !listed.contains(system.originalName) else { return nil }
        return Placed(
          field: field, name: system.originalName, slot: slot, path: path, isByRule: isByRule,
          alias: alias)
      }
      return Placed(
        field: field, name: name, slot: target.schema?.slot(system), path: path,
        isByRule: isByRule, alias: alias)
    }
  }
}

/// Checks that the type of a field, its notation and its path can be used together.
extension RecordLayoutBuilder {
  private mutating func binding(_ placed: Placed) -> RecordLayout.Binding? {
    var field = placed.field
    let type =
      placed.slot.flatMap { slot in target.schema?.type(of: slot) }
      ?? placed.inverse.map { .relation(Relation(to: $0.name, isMany: true)) }
    if field.form == nil, field.constant == nil, !field.isRest, field.nested == nil, let type {
      field.form = fieldMap.forms.first { $0.type == type }?.form
    }
    func fail(_ message: String) {
      report(message, field.line, field: placed.name)
    }
    if let type, let form = field.form, !form.allows(type) {
      fail("\(type.nameWithArticle) cannot be \(form.expectation)")
      return nil
    }
    if field.isRest, let type, type != .json {
      fail(
        "only a json field can store unmapped values, but this field is \(type.nameWithArticle)")
      return nil
    }
    if isNested, field.form == .base64 {
      fail("nested records cannot contain the contents of files")
      return nil
    }
    if field.form == .jsonText, placed.path?.steps.contains(.elements) == true {
      fail("json_text is the notation of a whole list, so the path cannot contain []")
      return nil
    }
    if map.format == .csv, field.form.map(\.needsJSON) == true {
      fail("CSV cannot contain \(field.form?.expectation ?? "")")
      return nil
    }
    if field.form == .xmlText,
      map.format == .json || !field.alternatives.isEmpty
        || placed.path?.names.last?.hasPrefix("@") == true
    {
      fail("xml_text is the content of an element in XML, without \"or\"")
      return nil
    }
    if map.format == .xml, let form = field.form, !form.isPossibleInXML {
      fail("XML cannot contain \(form.expectation)")
      return nil
    }
    if let type, let constant = field.constant,
      let problem = problem(ofConstant: constant, type, placed.name)
    {
      fail(problem)
      return nil
    }
    var path = placed.path
    if map.format == .xml, type?.isList == true, field.form != .jsonText, let found = path,
      !found.steps.contains(.elements)
    {
      path = MapPath(found.steps + [.elements])
    }
    if let problem = path.flatMap({ problem(of: $0, type, placed) }) {
      fail(problem)
      return nil
    }
    if field.second != nil {
      guard case .pairText? = field.form, field.alternatives.isEmpty,
        field.paths.allSatisfy({ !$0.hasList && $0.steps != [.name(MapPath.entryKey)] })
      else {
        fail("two paths need \"as\": \"lat,lon\" or \"lon,lat\", no \"or\", and no list")
        return nil
      }
    }
    var nested: RecordLayout?
    if let nestedMap = field.nested {
      guard let layout = nestedLayout(nestedMap, placed, type) else { return nil }
      nested = layout
    }
    let binding = RecordLayout.Binding(
      field: placed.name,
      converter: ValueConverter(
        field: placed.name, slot: placed.slot, type: type, form: field.form, format: map.format,
        inferredPlace: fieldMap.inferredPlace),
      path: path, second: field.second, constant: field.constant, nested: nested)
    if map.format == .xml, binding.isElement, let last = path?.names.last,
      last == MapPath.text || last.hasPrefix("@")
    {
      fail("the value has attributes or child elements, so its path must be that of an element")
      return nil
    }
    return binding
  }

  /// Returns the reason why a field cannot have a constant as its value, or nil if it can.
  private func problem(
    ofConstant constant: JSONValue, _ type: FieldType, _ name: String
  ) -> String? {
    guard let schema = target.schema else { return nil }
    let record = JSONValue.object([JSONValue.Member(name, constant)])
    var reader = RecordReader(
      BytesInMemory(ForeignValue(record).json), for: schema,
      TextForm(map.format == .json ? .ndjson : .xml), file: "")
    _ = try? reader.next(reusing: RowChanges(for: schema))
    return reader.rejected.flatMap(\.problems).first { $0.field == name }?.message
  }

  /// Returns the reason why a field cannot have a path, or nil if it can.
  private func problem(of path: MapPath, _ type: FieldType?, _ placed: Placed) -> String? {
    let lists = path.steps.count { $0 == .elements || $0 == .entries }
    if lists > 1 { return "the path has more than one list, so values could not be written to it" }
    if path.steps == [.name(MapPath.entryKey)], !isEntry {
      return "{}key requires records that are the values of an object"
    }
    if path.steps.contains(.entries) {
      guard placed.field.nested != nil, path.steps.last == .entries else {
        return "a path with {} must end with {}, and needs \"fields\" with the path {}key"
      }
    }
    if let type, lists > 0, !type.isList, type != .json {
      return "\(type.nameWithArticle) cannot have the path of a list"
    }
    if lists == 0, type?.relation?.isMany == true, placed.field.nested != nil {
      return "a to-many relation needs a path with [] or {}"
    }
    return nil
  }

  private mutating func nestedLayout(
    _ nested: DataMap.FieldMap, _ placed: Placed, _ type: FieldType?
  ) -> RecordLayout? {
    if map.format == .csv {
      report("CSV cannot contain nested records", placed.field.line, field: placed.name)
      return nil
    }
    var inner = target
    if let type {
      guard let name = type.relation?.target else {
        report(
          "\"fields\" requires a relation, but this field is \(type.nameWithArticle)",
          placed.field.line, field: placed.name)
        return nil
      }
      guard let schema = target.catalog[name] else {
        report("no schema \(name)", placed.field.line, field: placed.name)
        return nil
      }
      inner.schema = schema
      inner.name = name
    } else {
      inner.name = placed.field.nestedSchema ?? "\(target.name)_\(placed.name)"
    }
    var builder = RecordLayoutBuilder(
      map, nested, inner, isNested: true,
      isEntry: placed.path?.steps.contains(.entries) == true)
    let layout = builder.layout()
    problems += builder.problems
    if builder.problems.isEmpty, layout.key == nil, inner.schema?.requiresExplicitIDs == true {
      report(
        "the map has no path for \(inner.keyName), and the ids of users are never derived",
        placed.field.line, hint: "add \"$key\" to the fields of \(placed.name) in the map",
        field: placed.name)
    }
    return layout
  }
}

extension DataMap.NameConvention {
  /// Returns the path of a field that the map does not list.
  fileprivate func path(of field: String, keyName: String, in schema: Schema?) -> MapPath {
    let property = schema?.properties.first { $0.field == field }?.name
    let isKey = field == keyName
    return container + MapPath([.name(rule.name(of: field, isKey: isKey, property: property))])
  }
}

extension DataMap.FieldMap {
  /// The notation of geographic points if schema inference can recognize it: an object with certain
  /// keys. Nil for other notations, because a text or a list of two numbers need not be a point.
  var inferredPlace: ValueForm? {
    let form = forms.first { $0.type == .geopoint }?.form
    switch form {
    case .pairObject, .geoJSON: return form
    case .pairText, .pairList, .time, .lenient, .base64, .jsonText, .xmlText, nil: return nil
    }
  }
}

extension ValueForm {
  /// Whether values in this notation cannot be written in CSV, because they are lists, objects or
  /// contents of files.
  fileprivate var needsJSON: Bool {
    switch self {
    case .pairList, .pairObject, .geoJSON, .base64, .xmlText: true
    case .time, .pairText, .lenient, .jsonText: false
    }
  }

  /// Whether values in this notation can be read back from XML. A list of two numbers cannot,
  /// because all elements of a list have the same path.
  fileprivate var isPossibleInXML: Bool {
    switch self {
    case .pairList, .geoJSON: false
    case .pairObject(let latitude, let longitude):
      XMLName(latitude) != nil && XMLName(longitude) != nil
    case .time, .pairText, .lenient, .base64, .jsonText, .xmlText: true
    }
  }
}
