import DataModel
import Inference
import JSONText
import RecordText

/// The fields of a schema, each with its path in a document, as a map specifies them.
final class RecordLayout: Sendable {
  /// A field that the map binds to a path in the document, with the conversion of its values.
  ///
  /// It is a class, so that the code that reads a value retains a single object instead of all
  /// properties of the binding.
  final class Binding: Sendable {
    /// The name of the field in the schema.
    let field: String
    /// The name of the field as the name of a JSON member: `"title":`.
    let memberName: [UInt8]
    let converter: ValueConverter
    /// The path of the value. Nil for a constant, and for the field that stores all values that the
    /// map does not assign to another field.
    let path: MapPath?
    /// The path of the second number of a geopoint whose numbers are two values of the record.
    let second: MapPath?
    let constant: JSONValue?
    /// The layout of the nested records, or nil if the field does not contain records.
    let nested: RecordLayout?

    init(
      field: String, converter: ValueConverter, path: MapPath?, second: MapPath?,
      constant: JSONValue?, nested: RecordLayout?
    ) {
      self.field = field
      memberName = JSONQuote.memberName(of: field)
      self.converter = converter
      self.path = path
      self.second = second
      self.constant = constant
      self.nested = nested
    }

    var type: FieldType? { converter.type }
    var isMany: Bool {
      path?.hasList == true || type?.relation?.isMany == true
    }

    /// Whether the value is an XML element with attributes and child elements, instead of text.
    var isElement: Bool {
      switch converter.form {
      case .pairObject: true
      case nil: nested != nil || type == .json
      case .time, .pairText, .pairList, .geoJSON, .lenient, .base64, .jsonText, .xmlText: false
      }
    }

    /// What the map says about the field, for schema inference. A map does not contain types, but a
    /// notation, a list or nested records can require a certain type.
    fileprivate var declaredField: DeclaredField {
      if let nested {
        return DeclaredField(
          name: field, type: .relation(Relation(to: nested.schemaName, isMany: isMany)),
          role: .always, nested: (nested.schemaName, nested.splitting))
      }
      let isRest = path == nil && constant == nil
      if isRest { return DeclaredField(name: field, type: .json, role: .always) }
      let form = converter.form
      return DeclaredField(
        name: field, type: form?.declaredType(isMany: isMany) ?? (isMany ? .array(.text) : .text),
        role: form == nil ? .withoutValues : form == .lenient ? .scalars : .always)
    }
  }

  /// The mapped members of a JSON object, or the mapped attributes and child elements of an XML
  /// element.
  struct Group: Sendable {
    var nodes: [Node] = []
    /// For each name in `nodes`, its index. Nil after `names` was built.
    private var indexes: [[UInt8]: Int]? = [:]
    /// For each name of a mapped member, its index in `nodes`.
    var names = NameTable([])
    /// For each element that steps choose by the value of an attribute, the name of the attribute.
    private(set) var choices: [String: String] = [:]
    /// Whether the fields that the map does not list are read from and written to this object.
    var hasOtherFields = false
    /// Whether members that the map does not list are ignored.
    var ignoresOthers = false

    /// Returns the index in `nodes` of the mapped member with the given name, or nil if there is
    /// none.
    func index(of name: String) -> Int? {
      if let indexes { return indexes[Array(name.utf8)] }
      return names[name.utf8.span]
    }

    mutating func append(_ node: Node) {
      indexes?[Array(node.name.utf8)] = nodes.count
      nodes.append(node)
    }

    /// Adds the attribute by which a step chooses elements. Returns false if another step chooses
    /// the same elements by another attribute.
    mutating func add(_ choice: XMLChoice) -> Bool {
      let known = choices.updateValue(choice.attribute, forKey: choice.element)
      return known == nil || known == choice.attribute
    }

    /// Returns an XML element with the name of the step that chooses it. Returns the unchanged
    /// element if no step does.
    func chosen(_ member: ForeignValue.Member) -> ForeignValue.Member {
      guard let attribute = choices[member.name] else { return member }
      let chosen = XMLChoice.chosen(member, by: attribute)
      return index(of: chosen.name) == nil ? member : chosen
    }

    /// Removes and returns the group in a node, which the caller then puts back. If the node also
    /// referred to the group, each change would copy it. Returns nil if the node has no group.
    mutating func takeGroup(at index: Int) -> Group? {
      guard case .group(let inner) = nodes[index].content else { return nil }
      nodes[index].content = .extra(nil)
      return inner
    }

    /// Builds the table of names for `index(of:)`, in this group and all groups inside it.
    mutating func buildNames() {
      var names: [(String, Int)] = []
      for index in nodes.indices {
        names.append((nodes[index].name, index))
        guard case .group(var inner) = nodes[index].content else { continue }
        inner.buildNames()
        nodes[index].content = .group(inner)
      }
      for (index, node) in nodes.enumerated() {
        guard let alias = node.alias, self.index(of: alias) == nil else { continue }
        indexes?[Array(alias.utf8)] = index
        names.append((alias, index))
      }
      self.names = NameTable(names)
      indexes = nil
    }

    fileprivate var allNames: [String] {
      nodes.flatMap { node in
        switch node.content {
        case .group(let group): [node.name] + group.allNames
        case .elements(_, let path): [node.name] + path
        case .value, .second, .alternative, .entries, .extra: [node.name]
        }
      }
    }
  }

  struct Node: Sendable {
    let name: String
    var content: Content
    /// The line of the map file for problems with the name.
    var line: Int
    /// Whether the name results from a naming rule. If not, the map contains the name.
    var isByRule: Bool
    /// Another name that is accepted when a document is read: the name of the field itself.
    var alias: String?
  }

  indirect enum Content: Sendable {
    /// The value of a field, given by its index in `bindings`.
    case value(Int)
    /// The second number of a geopoint that is read from two values.
    case second(Int)
    /// The value of a field at an alternative path. It is read if there is no value at the main
    /// path.
    case alternative(Int)
    /// An array whose elements each contain a value of a field, at the given path within the
    /// element.
    case elements(Int, path: [String])
    /// An object whose values are the nested records of a field.
    case entries(Int)
    case group(Group)
    /// A value that the map does not assign to a field. It is ignored when a record is read. If a
    /// constant is given, the constant is written with each record.
    case extra(JSONValue?)
  }

  let format: DataMap.Format
  /// The schema of the records, or nil if it is to be inferred.
  let schema: Schema?
  let schemaName: String
  let unknown: DataMap.Unknown
  let nulls: DataMap.Nulls
  let rule: NameRule?
  /// The converter for fields that the map does not list. While a schema is inferred, it recognizes
  /// values that are geographic points.
  let otherConverter: ValueConverter
  /// Whether the map has entries for system fields. If so, the naming rule does not apply to system
  /// fields.
  let listsSystemFields: Bool
  /// For each field in `bindings`, whether a missing value is read as null, so that a save deletes
  /// the old value.
  ///
  /// This is needed for nested records whose ids are derived from their positions. If the positions
  /// change, an id refers to a different stored record, whose old values must not remain.
  let readsMissingAsNull: [Bool]
  let bindings: [Binding]
  let root: Group
  /// The index of the primary key in `bindings`; nil if the map does not contain it.
  let key: Int?
  /// The name of the primary key as the name of a JSON member: `"todo_id":`.
  let keyMemberName: [UInt8]
  /// The index in `bindings` of the field that stores all values that the map does not assign to
  /// another field; nil if there is none.
  let rest: Int?
  /// The index in `bindings` of the field with the path `{}key`; nil if there is none. If the
  /// records are the values of an object, this field contains the member name of each record.
  let entryKey: Int?

  init(_ builder: RecordLayoutBuilder, bindings: [Binding], root: Group) {
    format = builder.map.format
    schema = builder.target.schema
    schemaName = builder.target.name
    (unknown, nulls) = (builder.fieldMap.unknown, builder.fieldMap.nulls)
    rule = builder.fieldMap.names?.rule
    otherConverter = ValueConverter(
      field: "", slot: nil, type: nil, form: nil, format: builder.map.format,
      inferredPlace: builder.fieldMap.inferredPlace)
    listsSystemFields = builder.fieldMap.systemFields != nil
    self.bindings = bindings
    self.root = root
    let keyName = builder.target.keyName
    keyMemberName = JSONQuote.memberName(of: keyName)
    key = bindings.firstIndex { $0.field == keyName }
    rest = bindings.firstIndex { $0.path == nil && $0.constant == nil }
    entryKey = bindings.firstIndex { $0.path?.steps == [.name(MapPath.entryKey)] }
    let hasPositionalIDs = builder.isNested && !builder.isEntry && key == nil
    readsMissingAsNull = bindings.map { binding in
      if binding.field == keyName || SystemField(named: binding.field) != nil { return false }
      guard builder.fieldMap.missing == .missing else { return true }
      let field = builder.target.schema?.fields.first { $0.name == binding.field }
      return hasPositionalIDs && field?.isRequired == false && field?.hasDefault == false
    }
  }

  /// The name of the column with the primary key; nil if the map does not contain it.
  var keyColumn: String? { key.flatMap { bindings[$0].path?.names.first } }

  var keyName: String { schema?.key.name ?? schemaName + "_id" }

  var relations: [[String]] {
    bindings.flatMap { binding -> [[String]] in
      guard let nested = binding.nested else { return [] }
      return [[binding.field]] + nested.relations.map { [binding.field] + $0 }
    }
  }

  var splitting: SchemaSplitting {
    .declared(
      bindings.compactMap { binding in
        if binding.field == keyName || SystemField(named: binding.field) != nil { return nil }
        return binding.declaredField
      })
  }

  var allNames: [String] {
    root.allNames + bindings.flatMap { $0.nested?.allNames ?? [] }
  }

  /// The paths of the elements whose content is read as XML (`xml_text`).
  var markupPaths: [[String]] {
    bindings.flatMap { binding in
      if let nested = binding.nested {
        return nested.markupPaths.map { (binding.path?.names ?? []) + $0 }
      }
      let paths = binding.converter.form == .xmlText ? [binding.path?.names ?? []] : []
      return paths.map { $0.last == MapPath.text ? Array($0.dropLast()) : $0 }
    }
  }

  /// Returns whether an object contains the value of at least one field.
  func hasValues(in value: ForeignValue) -> Bool {
    guard case .object(let members) = value.content else { return false }
    return members.contains { member in
      guard let index = root.index(of: member.name) else {
        return rest != nil || schema == nil && root.hasOtherFields
      }
      if case .extra = root.nodes[index].content { return false }
      return true
    }
  }

  /// Returns the field with the given name, with its path and its conversion.
  func binding(of field: String) -> Binding? { bindings.first { $0.field == field } }

  /// The nested records of the trees that the map converts documents to.
  var tree: TreeLayout {
    var nested: [String: TreeLayout] = [:]
    for binding in bindings { nested[binding.field] = binding.nested?.tree }
    return TreeLayout(hasKey: key != nil, nested: nested)
  }
}

extension ValueForm {
  /// Returns the field type that the notation requires. If it does not require one, returns the
  /// type `text`, or an array of texts.
  fileprivate func declaredType(isMany: Bool) -> FieldType {
    switch self {
    case .time: isMany ? .array(.datetime) : .datetime
    case .pairText, .pairList, .pairObject, .geoJSON: .geopoint
    case .base64: .file
    case .jsonText: .json
    case .lenient, .xmlText: isMany ? .array(.text) : .text
    }
  }
}
