/// The meaning of a value, for help and completions.
package enum ValueKind: Sendable, Equatable {
  /// Any text, without completions.
  case text
  /// An integer within the range.
  case integer(ClosedRange<Int>)
  /// One word of a closed list.
  case choice([String])
  /// The name of a schema.
  case schema
  /// The name of a field of the schema that the schema operand names.
  case field
  /// Field names separated by commas, each optionally after a `-`.
  case fields
  /// The name of a field that is suitable for a purpose.
  case fieldFor(FieldPurpose)
  /// Names of such fields separated by commas, each optionally after a `-`.
  case fieldsFor(FieldPurpose)
  /// Names of relations separated by commas.
  case relations
  /// A condition, which contains field names.
  case condition
  /// `FIELD=VALUE`, `FIELD:=JSON`, `FIELD@=PATH`, `FIELD+=VALUE` or `FIELD-=VALUE`.
  case assignment
  /// `FIELD:TYPE`, where the type is one of a list or the name of a schema.
  case declaration(types: [String])
  /// The id of a record.
  case id
  /// The id of a stored function.
  case function
  /// The path of a file.
  case file
  /// The path of a folder.
  case folder
  /// The address or the name of a store.
  case store
  /// The name of a help topic.
  case topic
  /// The name of a command or a help topic.
  case command
}

/// The use of a field, where only some fields are suitable.
package enum FieldPurpose: Sendable, Equatable {
  case order
  case adding
  case sections
  case identifying
}

extension ValueKind {
  /// Whether the value is a path. An empty path is an error, often an unset variable of a script.
  var isPath: Bool { self == .file || self == .folder }

  /// The name of the kind in `help --json`.
  var name: String {
    switch self {
    case .text: "text"
    case .integer: "integer"
    case .choice: "choice"
    case .schema: "schema"
    case .field, .fieldFor: "field"
    case .fields, .fieldsFor: "fields"
    case .relations: "relations"
    case .condition: "condition"
    case .assignment: "assignment"
    case .declaration: "declaration"
    case .id: "id"
    case .function: "function"
    case .file: "file"
    case .folder: "folder"
    case .store: "store"
    case .topic: "topic"
    case .command: "command"
    }
  }
}
