/// A schema that has not been validated, from a schema file or the command line.
package struct SchemaDraft: Sendable {
  package var name: String
  /// The previous name of a renamed schema, whose records are kept under the new name; nil if the
  /// schema is not renamed.
  package var was: String?
  package var doc: String?
  package var kind = Schema.Kind.records
  package var fields: [FieldDraft] = []
  package var indexes: [IndexDraft] = []
  package var properties: [PropertyDraft] = []
  package var access = AccessRules()
  /// The lines of the file at which the access rules begin: one for each operation, in the order of
  /// `AccessVerb.allCases`, or 0 if the operation has no rules. This is not a dictionary, because
  /// creating the dictionary type at run time takes 200,000 instructions.
  private var accessLines: [Int] = []
  /// The name of the field with the roles of a user.
  package var roles: String?
  /// The name of the field that is true for disabled users.
  package var disabled: String?
  /// The path of the schema file, for error messages.
  package var file: String?
  /// The line of the schema's name in the file.
  package var line: Int?

  package struct FieldDraft: Sendable {
    package var field: Field
    /// The previous name of a renamed field, whose values are kept under the new name; nil if the
    /// field is not renamed.
    package var was: String?
    package var line: Int?

    package init(_ field: Field, was: String? = nil, line: Int? = nil) {
      self.field = field
      self.was = was
      self.line = line
    }
  }

  package struct IndexDraft: Sendable {
    package var terms: [OrderTerm]
    package var line: Int?

    package init(_ terms: [OrderTerm], line: Int? = nil) {
      self.terms = terms
      self.line = line
    }
  }

  package struct PropertyDraft: Sendable {
    package var name: String
    package var field: String
    package var line: Int?

    package init(_ name: String, field: String, line: Int? = nil) {
      self.name = name
      self.field = field
      self.line = line
    }
  }

  package init(name: String, file: String? = nil, line: Int? = nil) {
    self.name = name
    self.file = file
    self.line = line
  }
}

extension SchemaDraft {
  /// Creates a draft from a schema, so that it can be modified.
  package init(_ schema: Schema) {
    self.init(name: schema.name)
    doc = schema.doc
    kind = schema.kind
    fields = schema.fields.map { FieldDraft($0) }
    indexes = schema.indexes.map { IndexDraft($0.terms) }
    properties = schema.properties.map { PropertyDraft($0.name, field: $0.field) }
    access = schema.access
    roles = schema.roles
    disabled = schema.disabled
  }
}

extension SchemaDraft {
  /// Sets the access rules for an operation. The rules begin at the given line of the file.
  package mutating func setAccess(_ verb: AccessVerb, _ rules: [AccessRule], line: Int) {
    access[verb] = rules
    if accessLines.isEmpty { accessLines = AccessVerb.allCases.map { _ in 0 } }
    accessLines[verb.index] = line
  }

  /// Returns the line at which the access rules for an operation begin. Returns nil if no file
  /// contains rules for the operation.
  package func line(of verb: AccessVerb) -> Int? {
    accessLines.isEmpty || accessLines[verb.index] == 0 ? nil : accessLines[verb.index]
  }
}

extension AccessVerb {
  fileprivate var index: Int {
    switch self {
    case .read: 0
    case .create: 1
    case .update: 2
    case .delete: 3
    case .history: 4
    }
  }
}

extension SchemaDraft {
  /// The problems with the previous names (`was`) of the schema and its fields.
  ///
  /// Cyclic renames, such as two fields that swap their names, are rejected: applying the same
  /// schema again would swap the values back.
  var formerNameProblems: [Problem] {
    var problems: [Problem] = []
    func report(_ message: String, hint: String? = nil, field: FieldDraft? = nil) {
      problems.append(
        Problem(
          .invalidSchema, message, hint: hint, schema: name, field: field?.field.name, file: file,
          line: field == nil ? line : field?.line))
    }
    if let was {
      if let message = Names.problem(ofSchema: was) { report("was: \(message)") }
      if was == name {
        report("was: expected the previous name of the schema, found its current name")
      }
    }
    if !fields.contains(where: { $0.was != nil }) { return problems }
    var taken: Set<String> = []
    let cyclicNames = RenameMap.cyclicNames(of: fields.map { ($0.field.name, $0.was) })
    for entry in fields {
      guard let was = entry.was else { continue }
      if let message = Names.problem(ofField: was) {
        report("was: \(message)", field: entry)
      } else if was == entry.field.name {
        report("was: expected the previous name of the field, found its current name", field: entry)
      } else if !taken.insert(was).inserted {
        report("was: another field also has the previous name \(was)", field: entry)
      } else if cyclicNames.contains(entry.field.name) {
        report(
          "was: the renames form a cycle",
          hint: "first give one of the fields a temporary name with datactl schema rename",
          field: entry)
      }
    }
    return problems
  }
}
