package import DataModel
package import JSONText

/// One operation of a batch, as parsed from a line of NDJSON. It has not been validated against the
/// schemas yet.
package struct BatchOperation: Sendable {
  package enum Verb: String, CaseIterable, Sendable {
    case save, delete, check, get
  }

  /// A reference to the record of an earlier operation. `{"$ref": NAME}` is replaced with the id of
  /// that record, and `{"$ref": NAME, "field": FIELD}` with the value of one of its fields.
  package struct Reference: Hashable, Sendable {
    package var name: String
    package var field: String?
  }

  /// A value that is given in the operation itself, or a reference to a value of an earlier
  /// operation.
  package enum Operand<Value: Sendable>: Sendable {
    case value(Value)
    case reference(Reference)
  }

  package var verb: Verb
  package var schema: String
  /// The name that later operations use to refer to the record of this operation.
  package var name: String?
  package var id: Operand<String>?
  package var condition: String?
  package var parameters: [String: Operand<JSONValue>] = [:]
  package var record: BatchRecord?
  package var mode = SavePolicy.Mode.createOrChange
  package var acceptsAnyRevision = false
  /// Whether the record contains records in place of ids, which are saved too.
  package var isDeep = false
  package var ignoresMissing = false
  package var selectsAll = false
  package var revision: Int64?
  /// The number of records that must match the condition of a check.
  package var count: Int?
  package var fields: String?
  package var expansion: String?
  /// The number of the operation, starting at 1. `line` is the number of its line in the input.
  package let number: Int
  package let line: Int

  /// The references in the `id` and in the parameters of the operation. The references in the
  /// record are in `record.placeholders`.
  package var references: [Reference] {
    var found: [Reference] = []
    if case .reference(let reference) = id { found.append(reference) }
    for parameter in parameters.values {
      if case .reference(let reference) = parameter { found.append(reference) }
    }
    return found
  }
}

/// The record of a save operation, as JSON text.
package struct BatchRecord: Sendable {
  /// A reference in the record, and its byte range in the JSON text.
  package struct Placeholder: Sendable {
    package var reference: BatchOperation.Reference
    /// The key of the record whose value is the reference, or contains the reference.
    package var key: String
    fileprivate var range: Range<Int>
  }

  private let text: [UInt8]
  private let members: Range<Int>
  /// All objects in the record that have the form of a reference, in the order in which they occur.
  /// In a `json` field, such an object is data, so it must not be replaced. Only the schema shows
  /// which fields are `json` fields.
  package let placeholders: [Placeholder]
  /// The keys whose value is an object with the key `$ref`, but not a valid reference. This is an
  /// error, except in a `json` field, where such an object is data.
  package let keysOfInvalidReferences: [String]
  /// The keys of the record. If the value of a key is a string, `text` is this string.
  package let texts: [(key: String, text: String?)]

  fileprivate init(_ node: JSONNode, _ nodes: [JSONNode.Member], in line: [UInt8]) {
    text = Array(line[node.range])
    members = 1..<text.count - 1
    let start = node.range.lowerBound
    var placeholders: [Placeholder] = []
    var invalid: [String] = []
    func add(_ value: JSONNode, of key: String) {
      if let reference = BatchOperation.Reference(value) {
        let range = value.range.lowerBound - start..<value.range.upperBound - start
        placeholders.append(Placeholder(reference: reference, key: key, range: range))
      } else if value.resemblesReference {
        invalid.append(key)
      } else if case .array(let elements) = value.content {
        for element in elements { add(element, of: key) }
      } else if case .object(let operations) = value.content {
        // The operations `$append` and `$remove` contain ids.
        for operation in operations where operation.name.hasPrefix("$") {
          add(operation.value, of: key)
        }
      }
    }
    for member in nodes { add(member.value, of: member.name) }
    self.placeholders = placeholders
    keysOfInvalidReferences = invalid
    texts = nodes.map { member in
      if case .text(let text) = member.value.content {
        (member.name, text)
      } else {
        (member.name, nil)
      }
    }
  }

  /// Appends the record as a line of NDJSON.
  ///
  /// - Parameters:
  ///   - first: A member to insert at the start of the object, such as the id, or nil.
  ///   - value: A closure that takes a reference and returns the JSON text to write in its place.
  ///     If the closure returns nil, the object that looks like a reference is written unchanged.
  package func append(
    inserting first: (key: String, text: String)?, to output: inout [UInt8],
    replacing value: (Placeholder) throws(DataError) -> String?
  ) throws(DataError) {
    output.append(UInt8(ascii: "{"))
    if let first {
      JSONQuote.append(first.key.utf8.span, to: &output)
      output.append(UInt8(ascii: ":"))
      JSONQuote.append(first.text.utf8.span, to: &output)
      if !texts.isEmpty { output.append(UInt8(ascii: ",")) }
    }
    var position = members.lowerBound
    for placeholder in placeholders {
      guard let value = try value(placeholder) else { continue }
      output += text[position..<placeholder.range.lowerBound]
      output += Array(value.utf8)
      position = placeholder.range.upperBound
    }
    output += text[position..<members.upperBound]
    output += Array("}\n".utf8)
  }
}

extension BatchOperation.Reference {
  /// Creates a reference from an object with the key `$ref`, and optionally the key `field`.
  /// Returns nil for any other value.
  fileprivate init?(_ node: JSONNode) {
    guard case .object(let members) = node.content,
      case .text(let name)? = members.first(where: { $0.name == "$ref" })?.value.content
    else { return nil }
    self.init(name: name)
    guard let other = members.first(where: { $0.name != "$ref" }) else { return }
    guard other.name == "field", members.count == 2, case .text(let field) = other.value.content
    else { return nil }
    self.field = field
  }

  /// Returns the error for an object with the key `$ref` that is not a valid reference.
  ///
  /// - Parameter key: The key whose value contains the object.
  package static func invalid(in key: String) -> DataError {
    DataError(
      .syntax, "invalid reference in \(Excerpt.quoted(key))",
      hint: "write {\"$ref\": NAME} or {\"$ref\": NAME, \"field\": FIELD}")
  }
}

extension JSONNode {
  /// Whether the value is an object with the key `$ref`. It may still be an invalid reference.
  fileprivate var resemblesReference: Bool {
    guard case .object(let members) = content else { return false }
    return members.contains { $0.name == "$ref" }
  }
}

extension BatchOperation {
  /// Parses one line of a batch, which must contain one operation as a JSON object.
  ///
  /// - Parameters:
  ///   - line: The text of the line, without the newline.
  ///   - number: The number of the operation.
  ///   - lineNumber: The number of the line.
  ///   - file: The file name that problems contain.
  package init(
    parsing line: [UInt8], number: Int, line lineNumber: Int, file: String
  ) throws(DataError) {
    do throws(DataError) {
      try self.init(
        try Self.object(in: line, file: file), in: line, number: number, line: lineNumber)
    } catch {
      throw error.modifyingProblems { problem in
        problem.file = file
        problem.line = lineNumber
        problem.operation = number
      }
    }
  }

  private static func object(in line: [UInt8], file: String) throws(DataError) -> JSONNode {
    do throws(DataError) {
      return try JSONNode.read(line, file: file, code: .syntax)
    } catch {
      throw error.modifyingProblems { problem in
        problem.hint =
          problem.hint
          ?? "write one operation per line, as a JSON object: {\"save\": SCHEMA, \"record\": {…}}"
      }
    }
  }

  private init(
    _ node: JSONNode, in line: [UInt8], number: Int, line lineNumber: Int
  ) throws(DataError) {
    guard case .object(let members) = node.content else {
      throw DataError(.syntax, "expected an operation: an object in braces, found \(node.kind)")
    }
    let verbs = members.compactMap { Verb(rawValue: $0.name) }
    guard let verb = verbs.first, verbs.count == 1 else {
      throw DataError(
        .syntax,
        verbs.isEmpty
          ? "expected one of the keys save, delete, check and get, found none of them"
          : "expected only one of the keys save, delete, check and get, found \(verbs.count)",
        hint: "for example, write {\"save\": SCHEMA, \"record\": {…}}")
    }
    self.verb = verb
    schema = ""
    self.number = number
    self.line = lineNumber
    var seen: Set<String> = []
    for member in members {
      guard seen.insert(member.name).inserted else {
        throw DataError(.syntax, "\(Excerpt.quoted(member.name)) occurs twice")
      }
      try read(member, in: line)
    }
    try checkCombination()
  }

  /// The keys that the operation can have in addition to the key that names it, such as `save`.
  private var keys: [String] {
    switch verb {
    case .save: ["as", "id", "record", "mode", "where", "param", "any_revision", "deep"]
    case .delete: ["id", "where", "param", "all", "if_exists", "revision"]
    case .check: ["id", "where", "param", "count"]
    case .get: ["as", "id", "fields", "expand"]
    }
  }

  private mutating func read(_ member: JSONNode.Member, in line: [UInt8]) throws(DataError) {
    let value = member.value
    if member.name == verb.rawValue {
      schema = try value.text(of: member.name)
      return
    }
    guard keys.contains(member.name) else {
      let nearest = nearest(member.name, among: keys)
      throw DataError(
        .syntax, "\(verb.rawValue) has no key \(Excerpt.quoted(member.name))",
        hint: nearest.map { "did you mean \"\($0)\"?" }
          ?? "the keys of \(verb.rawValue) are \(keys.joined(separator: ", "))")
    }
    switch member.name {
    case "as": name = try value.text(of: "as")
    case "id":
      if let reference = Reference(value) {
        id = .reference(reference)
      } else if value.resemblesReference {
        throw Reference.invalid(in: "id")
      } else {
        id = .value(try value.text(of: "id"))
      }
    case "record":
      guard case .object(let members) = value.content else {
        throw value.unexpected("an object", of: "record")
      }
      record = BatchRecord(value, members, in: line)
    case "mode": mode = try value.mode()
    case "where": condition = try value.text(of: "where")
    case "param": parameters = try value.parameters(in: line)
    case "any_revision": acceptsAnyRevision = try value.boolean(of: member.name)
    case "deep": isDeep = try value.boolean(of: member.name)
    case "if_exists": ignoresMissing = try value.boolean(of: member.name)
    case "all": selectsAll = try value.boolean(of: member.name)
    case "revision": revision = Int64(try value.count(of: member.name, in: line))
    case "count": count = try value.count(of: member.name, in: line)
    case "fields": fields = try value.text(of: "fields")
    default: expansion = try value.text(of: "expand")
    }
  }

  /// Throws an error if a key is missing, or if two keys exclude each other.
  private func checkCombination() throws(DataError) {
    func require(_ isValid: Bool, _ message: String) throws(DataError) {
      if !isValid { throw DataError(.syntax, message) }
    }
    try require(
      parameters.isEmpty || condition != nil, "\"param\" needs \"where\", which uses its values")
    switch verb {
    case .save:
      try require(record != nil, "save needs \"record\", an object with the fields to save")
      try require(id == nil || condition == nil, "save cannot have both \"id\" and \"where\"")
      try require(
        !isDeep || condition == nil, "save cannot have both \"deep\" and \"where\"")
      try require(
        condition == nil || mode == .createOrChange, "save cannot have both \"where\" and \"mode\"")
      try require(
        name == nil || condition == nil,
        "save cannot have both \"as\" and \"where\", which may select several records")
    case .delete:
      let selections = [id != nil, condition != nil, selectsAll].count { $0 }
      try require(selections == 1, "delete needs one of \"id\", \"where\" and \"all\"")
      try require(
        id != nil || revision == nil && !ignoresMissing,
        "\"revision\" and \"if_exists\" need \"id\"")
    case .check:
      try require(
        (id != nil) != (count != nil),
        "check needs either \"id\" or \"count\", the number of records to expect")
    case .get: try require(id != nil, "get needs \"id\"")
    }
  }
}

extension JSONNode {
  fileprivate func unexpected(_ expected: String, of key: String) -> DataError {
    DataError(.syntax, "\"\(key)\": expected \(expected), found \(kind)")
  }

  fileprivate func text(of key: String) throws(DataError) -> String {
    guard case .text(let text) = content else { throw unexpected("text", of: key) }
    return text
  }

  fileprivate func boolean(of key: String) throws(DataError) -> Bool {
    guard case .boolean(let boolean) = content else { throw unexpected("true or false", of: key) }
    return boolean
  }

  fileprivate func count(of key: String, in line: [UInt8]) throws(DataError) -> Int {
    guard case .number = content else { throw unexpected("a whole number of at least 0", of: key) }
    let number = line.span.extracting(range)
    guard let integer = try? NumberText.integer(number), let count = Int(exactly: integer),
      count >= 0
    else {
      throw DataError(
        .syntax,
        "\"\(key)\": expected a whole number of at least 0, "
          + "found \(Excerpt.truncated(String(decoding: number)))")
    }
    return count
  }

  fileprivate func mode() throws(DataError) -> SavePolicy.Mode {
    switch try text(of: "mode") {
    case "save": .createOrChange
    case "create": .create
    case "update": .update
    case "replace": .replace
    case let other:
      throw DataError(
        .syntax,
        "\"mode\": expected create, update, replace or save, found \(Excerpt.quoted(other))")
    }
  }

  fileprivate func parameters(
    in line: [UInt8]
  ) throws(DataError) -> [String: BatchOperation.Operand<JSONValue>] {
    guard case .object(let members) = content else { throw unexpected("an object", of: "param") }
    var parameters: [String: BatchOperation.Operand<JSONValue>] = [:]
    for member in members {
      if let reference = BatchOperation.Reference(member.value) {
        parameters[member.name] = .reference(reference)
      } else if member.value.resemblesReference {
        throw BatchOperation.Reference.invalid(in: member.name)
      } else {
        let text = line.span.extracting(member.value.range)
        parameters[member.name] = .value(try JSONValue(parsing: text))
      }
    }
    return parameters
  }
}
