internal import ClientCore
internal import RecordText

/// A byte source that serializes drafts as NDJSON for the record reader.
///
/// Thus the same code validates records from programs and records from files.
struct DraftText: ByteSource {
  let drafts: [Draft]
  private let schema: Schema
  /// The model type that the drafts were encoded from; nil for other drafts.
  private let model: CheckedModel?
  private var index = 0

  init(_ drafts: [Draft], for schema: Schema) {
    self.drafts = drafts
    self.schema = schema
    model = nil
  }

  /// Creates a source of drafts that were encoded from a model type. Their relations can contain
  /// records instead of ids.
  init(_ drafts: [Draft], of model: CheckedModel) {
    self.drafts = drafts
    schema = model.schema
    self.model = model
  }

  /// Whether the relations in the drafts can contain records instead of ids.
  var isTree: Bool { model?.isTree ?? false }

  mutating func read(into buffer: inout [UInt8], atMost count: Int) -> Int {
    let start = buffer.count
    while index < drafts.count, buffer.count - start < count {
      append(drafts[index], to: &buffer)
      index += 1
    }
    return buffer.count - start
  }

  private func append(_ draft: Draft, to output: inout [UInt8]) {
    DraftValue(form: .object(members(of: draft.entries, schema, type: 0))).append(to: &output)
    output.append(UInt8(ascii: "\n"))
  }

  /// Returns the names and values of a record's fields. Property names are replaced by field names,
  /// and values that are not saved are omitted.
  ///
  /// - Parameter type: The index in `CheckedModel.types` of the record's model type.
  private func members(of entries: [Draft.Entry], _ schema: Schema, type: Int) -> [Draft.Entry] {
    entries.compactMap { entry in
      guard let slot = schema.slot(ofProperty: entry.name) else {
        guard let (name, nested) = inverse(entry.name, ofType: type) else { return entry }
        // A missing list leaves the records alone.
        if case .none = entry.value.form { return nil }
        return Draft.Entry(name: name, value: tree(entry.value, type: nested))
      }
      let kind = schema.slots[slot].kind
      if case .none = entry.value.form {
        if kind.isOmittedWhenNil { return nil }
        // A to-many relation is never null.
        if kind == .references {
          return Draft.Entry(name: schema.name(of: slot), value: DraftValue(form: .list([])))
        }
      }
      if let nested = model?.types[type].type(inSlot: slot) {
        return Draft.Entry(
          name: schema.name(of: slot), value: tree(entry.value, type: nested))
      }
      if problem(of: entry.value, in: kind, type: type) != nil { return nil }
      return Draft.Entry(name: schema.name(of: slot), value: entry.value)
    }
  }

  /// Returns the name of the inverse for a property, and the model type of its records. Returns nil
  /// if the property is not that of an inverse.
  private func inverse(_ property: String, ofType type: Int) -> (name: String, type: Int)? {
    guard let outer = model?.types[type], let slot = outer.slot(ofProperty: property),
      let nested = outer.type(inSlot: slot)
    else { return nil }
    return (outer.name(of: slot), nested)
  }

  /// Returns the problem that prevents saving a value, or nil if there is none. Problems that the
  /// record reader finds in the JSON of the value are not included.
  private func problem(of value: DraftValue, in kind: Slot.Kind, type: Int) -> Problem? {
    if let message = value.problem(in: kind) { return Problem(.invalid, message) }
    guard let last = model?.types[type].lastKnownProperty,
      kind == .reference || kind == .references, value.containsObject
    else { return nil }
    return Problem(
      .invalid,
      "cannot save nested records: decoding a sample failed after the property \(last)",
      hint: "make the type of \(last) CaseIterable")
  }

  /// Returns a copy of the value of a relation, in which the property names of nested records are
  /// replaced by field names.
  private func tree(_ value: DraftValue, type: Int) -> DraftValue {
    switch value.form {
    case .object(let entries):
      let schema = model?.types[type].schema ?? schema
      return DraftValue(form: .object(members(of: entries, schema, type: type)))
    case .list(let elements):
      return DraftValue(form: .list(elements.map { tree($0, type: type) }))
    case .value, .none, .upload, .tree, .record, .add, .edit:
      return value
    }
  }

  /// The drafts that cannot be written as text, with their problems.
  var rejections: [Rejection] {
    drafts.enumerated().compactMap { index, draft in
      var problems = problems(of: draft)
      for number in problems.indices { problems[number].line = index + 1 }
      return problems.isEmpty ? nil : Rejection(problems: problems)
    }
  }

  /// Returns the problems in a draft that cannot be detected in its JSON, such as an infinite
  /// number.
  func problems(of draft: Draft) -> [Problem] {
    problems(in: draft.entries, schema, type: 0, path: isTree ? "$" : nil)
  }

  /// Returns the problem of a draft without an id, or nil if it has one. A store rejects such a draft
  /// itself, but a server would assign an id.
  func missingID(in draft: Draft) -> Problem? {
    let hasID = draft.entries.contains { entry in
      guard schema.slot(ofProperty: entry.name) == schema.keySlot else { return false }
      if case .none = entry.value.form { return false }
      return true
    }
    if hasID { return nil }
    var problem = Problem(
      .invalid, "required", hint: schema.missingKeyHint, schema: schema.name,
      field: schema.key.name)
    problem.path = isTree ? "$" : nil
    return problem
  }

  private func problems(
    in entries: [Draft.Entry], _ schema: Schema, type: Int, path: String?
  ) -> [Problem] {
    entries.flatMap { entry -> [Problem] in
      guard let slot = schema.slot(ofProperty: entry.name) else {
        guard let (name, nested) = inverse(entry.name, ofType: type) else { return [] }
        return problems(inRelation: entry.value, type: nested, path: "\(path ?? "$").\(name)")
      }
      let field = schema.name(of: slot)
      if let nested = model?.types[type].type(inSlot: slot) {
        return problems(inRelation: entry.value, type: nested, path: "\(path ?? "$").\(field)")
      }
      guard var problem = problem(of: entry.value, in: schema.slots[slot].kind, type: type)
      else { return [] }
      problem.schema = schema.name
      problem.field = field
      problem.path = path
      return [problem]
    }
  }

  private func problems(
    inRelation value: DraftValue, type: Int, path: String
  ) -> [Problem] {
    switch value.form {
    case .object(let entries):
      problems(in: entries, model?.types[type].schema ?? schema, type: type, path: path)
    case .list(let elements):
      elements.enumerated().flatMap {
        problems(inRelation: $0.element, type: type, path: "\(path)[\($0.offset)]")
      }
    case .value, .none, .upload, .tree, .record, .add, .edit:
      []
    }
  }
}

extension Slot.Kind {
  /// Whether a property that is nil is omitted instead of saved as null. This is true for ids,
  /// which may not have been assigned yet; for passwords, which are never read; and for system
  /// fields.
  fileprivate var isOmittedWhenNil: Bool {
    self == .key || self == .password || self == .system
  }
}

extension DraftValue {
  /// Returns a message if the value cannot be represented as JSON in a field of the given kind, or
  /// nil if it can.
  fileprivate func problem(in kind: Slot.Kind) -> String? {
    switch form {
    case .value(.number(let number)):
      return number.isFinite ? nil : "expected a finite number, found \(number)"
    case .add(let amount): return kind == .json ? "expected json, found \(display)" : amount.problem
    case .upload, .edit: return kind == .json ? "expected json, found \(display)" : nil
    case .list(let values): return values.lazy.compactMap(\.problem).first
    case .object(let members): return members.lazy.compactMap(\.value.problem).first
    case .value, .none, .tree, .record: return nil
    }
  }

  /// Whether the value is an object or a list that contains an object.
  fileprivate var containsObject: Bool {
    switch form {
    case .object: true
    case .list(let values): values.contains(where: \.containsObject)
    case .value, .none, .upload, .tree, .record, .add, .edit:
      false
    }
  }

  /// The error message if this element of a list, or member of an object, cannot be represented as
  /// JSON; nil if it can.
  private var problem: String? { problem(in: .json) }
}
