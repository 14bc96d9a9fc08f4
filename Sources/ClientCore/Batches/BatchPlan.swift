package import DataModel
internal import DataOutput
package import DataStore
internal import RecordText

/// A batch whose operations have been parsed and validated against the schemas of a store.
package struct BatchPlan: Sendable {
  let text: BatchText
  let stored: StoredCatalog
  /// The schemas that the operations use, owners before their parts, sorted by name.
  private let schemas: [Schema]
  /// The schemas whose records a `check` operation counts.
  private let countedSchemas: [Schema]
  /// The records that are locked before the first operation, because an operation that contains
  /// their id changes, checks or deletes them. Empty if there is only one operation.
  private let recordLocks: [RecordLock]
  /// For each named operation, the fields of its record that later operations need:
  /// `neededFields[operation][field]` is the slot of the field (its index in the schema).
  let neededFields: [String: [String: Int]]

  /// The maximum number of records that are locked before the first operation. This limits the
  /// memory for the ids of these records. Further records are locked when an operation uses them.
  private static let maxLockedRecords = 10_000

  /// Parses all operations. Throws an error for the first invalid operation.
  package init(_ text: BatchText, in stored: StoredCatalog) throws(DataError) {
    self.text = text
    self.stored = stored
    var used: [String: Schema] = [:]
    var counted: [String: Schema] = [:]
    var named: [String: Schema] = [:]
    var neededFields: [String: [String: Int]] = [:]
    var lockPurposes: [String: [[UInt8]: RecordLock.Purpose]] = [:]
    var operationCount = 0
    var lockedCount = 0
    var operations = text.operations()
    while let operation = try operations.next() {
      try operation.locatingErrors(in: text.file) { () throws(DataError) in
        let schema = try stored.catalog.schema(operation.schema)
        used[schema.name] = schema
        for related in try operation.expansion(of: schema, in: stored.catalog).schemas {
          used[related.name] = related
        }
        for related in operation.isDeep ? schema.treeSchemas(in: stored.catalog) : [] {
          used[related.name] = related
        }
        if operation.count != nil { counted[schema.name] = schema }
        operationCount += 1
        if let (id, purpose) = operation.lockedRecord(of: schema),
          lockedCount < Self.maxLockedRecords, IDs.isValid(id.utf8.span)
        {
          let bytes = Array(id.utf8)
          let other = lockPurposes[schema.name]?[bytes]
          if other == nil { lockedCount += 1 }
          if other != .deletion { lockPurposes[schema.name, default: [:]][bytes] = purpose }
        }
        let invalidKey = operation.record?.keysOfInvalidReferences.first { key in
          schema.acceptsReference(inValueOf: key)
        }
        if let invalidKey { throw BatchOperation.Reference.invalid(in: invalidKey) }
        var references = operation.references
        for placeholder in operation.record?.placeholders ?? []
        where schema.acceptsReference(inValueOf: placeholder.key) {
          references.append(placeholder.reference)
        }
        for reference in references {
          guard let target = named[reference.name] else {
            let nearest = nearest(reference.name, among: Array(named.keys))
            throw DataError(
              .syntax, "no earlier operation is named \(Excerpt.quoted(reference.name))",
              hint: nearest.map { "did you mean \"\($0)\"?" }
                ?? "name an operation with \"as\"")
          }
          guard let field = reference.field else { continue }
          neededFields[reference.name, default: [:]][field] = try target.printedSlot(named: field)
        }
        guard let name = operation.name else { return }
        guard named[name] == nil else {
          throw DataError(
            .syntax, "two operations have the name \(Excerpt.quoted(name))",
            hint: "use a different name in \"as\"")
        }
        named[name] = schema
      }
    }
    let catalog = stored.catalog
    schemas = used.values.sorted {
      (catalog.ownerDepth(of: $0), $0.name) < (catalog.ownerDepth(of: $1), $1.name)
    }
    countedSchemas = counted.values.sorted { $0.name < $1.name }
    self.neededFields = neededFields
    recordLocks = operationCount > 1 ? RecordLock.sorted(lockPurposes, in: schemas) : []
  }

  package var isEmpty: Bool { schemas.isEmpty }

  /// Returns a request to execute the operations in one transaction. The request lists the locks
  /// that the operations need.
  package func request(
    stamp: Stamp, wait: WriteWait = WriteWait(), end: WriteRequest.End = .commit
  ) -> WriteRequest {
    var request = WriteRequest(
      to: schemas, versions: stored.versions(concerning: schemas), stamp: stamp, wait: wait,
      end: end)
    request.lockedSchemas = countedSchemas
    request.recordLocks = recordLocks
    return request
  }
}

extension Schema {
  /// Returns whether the given key can have a reference to an earlier operation as its value:
  /// `{"$ref": NAME}`. In a `json` field, such an object is ordinary data.
  func acceptsReference(inValueOf key: String) -> Bool {
    slot(ofProperty: key).map { type(of: $0) != .json } ?? true
  }
}

extension BatchOperation {
  /// Returns the id of the record that the operation changes, checks or deletes, and the purpose of
  /// the lock on this record. Returns nil if the operation does not specify an id, or only reads.
  fileprivate func lockedRecord(of schema: Schema) -> (id: String, purpose: RecordLock.Purpose)? {
    let purpose: RecordLock.Purpose
    switch verb {
    case .save, .check: purpose = .change
    case .delete: purpose = .deletion
    case .get: return nil
    }
    if case .value(let id) = id { return (id, purpose) }
    let key = record?.texts.first { schema.slot(ofProperty: $0.key) == schema.keySlot }
    return key?.text.map { ($0, purpose) }
  }

  /// Calls a closure. If it throws an error, adds the number and the line of this operation to the
  /// problems that have no line.
  func locatingErrors<Result>(
    in file: String, _ body: () throws(DataError) -> Result
  ) throws(DataError) -> Result {
    do throws(DataError) {
      return try body()
    } catch {
      throw error.modifyingProblems { problem in
        if problem.line == nil { locate(&problem, in: file) }
      }
    }
  }

  /// Adds the file, line and number of this operation to a problem. If the hint of the problem
  /// names an option, such as `--any-revision`, changes the hint to name the key of the operation.
  func locate(_ problem: inout Problem, in file: String) {
    problem.file = file
    problem.line = line
    problem.operation = number
    problem.column = nil
    problem.hint = problem.hint.map(Self.hint)
  }

  /// Returns a hint in which options are replaced by keys of an operation, such as `--any-revision`
  /// by `any_revision`.
  private static func hint(_ hint: String) -> String {
    if hint.contains("--deep") {
      return "add \"deep\": true to the operation"
    }
    if hint.contains("--param ") {
      return "add the parameter to the operation: \"param\": {NAME: VALUE}"
    }
    return hint.replacing(
      "pass --any-revision", with: "add \"any_revision\": true to the operation")
  }
}
