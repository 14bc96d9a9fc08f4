import ClientCore
import DataModel
import DataStore
import JSONText
import SchemaText

/// A schema plan in a file: the target schemas, the steps, and a fingerprint of the schemas in the
/// store.
///
/// The steps in the file are only for review, and are never executed. When the file is applied, the
/// plan is computed again from the schemas in the store. It is executed only if it has the same
/// steps as the file.
struct PlanFile: Sendable {
  private static let version = "1"
  private static let keys = ["version", "program", "reading", "from", "schemas", "steps"]

  private let path: String?
  let files: DeclaredFiles
  /// A digest of the schemas that were in the store when the plan was created. If the schemas in
  /// the store have another digest, they have changed since.
  private let fingerprint: String
  private let steps: JSONValue

  init(_ plan: SchemaPlan, to files: DeclaredFiles, from stored: StoredCatalog) {
    path = nil
    self.files = files
    fingerprint = stored.catalog.fingerprint
    steps = .array(plan.steps.map { (try? JSONValue(parsing: $0.json)) ?? .null })
  }

  /// The text of the plan file, as JSON.
  var text: String {
    let schemas = files.schemas.map { SchemaFile.text($0).withoutTrailingNewline }
    let steps = if case .array(let steps) = steps { steps.map { "    \($0)" } } else { [String]() }
    return """
      {
        "version": \(Self.version),
        "program": "datactl \(Program.version)",
        "reading": "\(files.reading.rawValue)",
        "from": "\(fingerprint)",
        "schemas": [
      \(schemas.joined(separator: ",\n"))
        ],
        "steps": [
      \(steps.joined(separator: ",\n"))
        ]
      }

      """
  }

  /// Computes the plan from the schemas of the store, and returns it. The plan is empty if the
  /// store already has the target schemas.
  ///
  /// - Throws: An error if the schemas of the store have changed since the plan was created, or if
  ///   the computed steps differ from those in the file.
  func plan(from stored: StoredCatalog) throws(DataError) -> SchemaPlan {
    guard stored.catalog.fingerprint == fingerprint else {
      if let rest = try? SchemaPlan(from: stored, to: files.schemas, reading: files.reading),
        rest.isEmpty
      {
        return rest
      }
      throw DataError(
        Problem(
          .schemaChanged, "the schemas of the store have changed since the plan was created",
          hint: "create a new plan: datactl schema plan -o json", file: path))
    }
    let plan = try SchemaPlan(from: stored, to: files.schemas, reading: files.reading)
    let computed = try JSONValue(parsing: SchemaPlan.Step.json(plan.steps))
    guard computed.withoutSentences == steps.withoutSentences else {
      throw DataError(
        Problem(
          .invalid, "the steps of the plan do not produce the schemas that the plan contains",
          hint: "create a new plan: datactl schema plan -o json", file: path))
    }
    return plan
  }
}

extension PlanFile {
  /// Reads a plan file. Validates the whole file, because a user may have edited it.
  init(reading path: String, with context: CommandContext) throws(DataError) {
    let bytes = try context.input(path, for: "a plan").readAll(atMost: 64 << 20)
    let node = try JSONNode.read(bytes, file: path, code: .invalid)
    guard case .object(let members) = node.content else {
      throw .invalidPlan(path, "not an object")
    }
    for member in members where !Self.keys.contains(member.name) {
      throw .invalidPlan(path, "a plan has no key \(Excerpt.quoted(member.name))")
    }
    func member(_ name: String) throws(DataError) -> JSONNode {
      let found = members.filter { $0.name == name }
      guard found.count == 1 else {
        throw .invalidPlan(path, "\"\(name)\" \(found.isEmpty ? "is missing" : "is given twice")")
      }
      return found[0].value
    }
    func text(_ name: String) throws(DataError) -> String {
      guard case .text(let text) = try member(name).content else {
        throw .invalidPlan(path, "expected text as \"\(name)\"")
      }
      return text
    }
    let version = String(decoding: bytes[try member("version").range], as: UTF8.self)
    guard version == Self.version else {
      throw .invalidPlan(path, "expected version 1, found \(Excerpt.quoted(version))")
    }
    _ = try text("program")
    guard let reading = SchemaPlan.Coverage(rawValue: try text("reading")) else {
      throw .invalidPlan(path, "expected \"schemas\" or \"store\" as \"reading\"")
    }
    guard case .array(let schemas) = try member("schemas").content else {
      throw .invalidPlan(path, "expected an array as \"schemas\"")
    }
    var declared: [DeclaredSchema] = []
    let lines = LineStarts(bytes)
    for schema in schemas {
      let draft = try SchemaFile.draft(of: schema, in: bytes, lines, file: path)
      declared.append(try DeclaredSchema(checking: draft))
    }
    self.path = path
    files = DeclaredFiles(schemas: declared, reading: reading)
    fingerprint = try text("from")
    steps = try JSONValue(
      parsing: String(decoding: bytes[try member("steps").range], as: UTF8.self))
  }
}

extension Catalog {
  /// A SHA-256 digest of the schemas, which is used to detect changes.
  fileprivate var fingerprint: String {
    var digest = SHA256()
    for schema in schemas { digest.update(SchemaFile.text(schema).utf8.span) }
    return digest.hexadecimal()
  }
}

extension DataError {
  fileprivate static func invalidPlan(_ path: String, _ message: String) -> DataError {
    DataError(
      Problem(
        .invalid, "not a valid plan: \(message)",
        hint: "create a plan: datactl schema plan -o json", file: path))
  }
}

extension String {
  fileprivate var withoutTrailingNewline: String { hasSuffix("\n") ? String(dropLast()) : self }
}

extension JSONValue {
  /// The steps without their descriptions, for comparing plans. The wording of the descriptions may
  /// differ between versions of the program.
  fileprivate var withoutSentences: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.withoutSentences))
    case .object(let members): .object(members.filter { !["text", "prints"].contains($0.name) })
    case .null, .boolean, .number, .text: self
    }
  }
}
