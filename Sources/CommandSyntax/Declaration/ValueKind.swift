/// Says what a value stands for, so that help can name it and completions can offer it.
package enum ValueKind: Sendable, Equatable {
  /// Anything; nothing can be offered.
  case text
  /// A whole number within the range.
  case integer(ClosedRange<Int>)
  /// One word of a closed list.
  case choice([String])
  /// The name of a schema.
  case schema
  /// The name of a field of the schema that the command's schema operand names.
  case field
  /// Such fields with commas between them; a `-` may stand before each.
  case fields
  /// A field of that schema that a purpose takes.
  case fieldFor(FieldPurpose)
  /// Such fields with commas between them; a `-` may stand before each.
  case fieldsFor(FieldPurpose)
  /// Relations of that schema with commas between them.
  case relations
  /// A text in which names of such fields stand among other words.
  case condition
  /// `FIELD=VALUE`, `FIELD:=JSON`, `FIELD@=PATH`, `FIELD+=VALUE` or `FIELD-=VALUE`.
  case assignment
  /// `FIELD:TYPE`, where the type is one of a list or the name of a schema.
  case declaration(types: [String])
  /// The id of a record.
  case id
  /// The id of a stored function.
  case function
  /// A path of a file.
  case file
  /// A path of a folder.
  case folder
  /// The address or the name of a store.
  case store
  /// The name of a help topic.
  case topic
  /// The name of a command or of a help topic.
  case command
}

/// What a field is named for, where not every one will do.
package enum FieldPurpose: Sendable, Equatable {
  case order
  case adding
  case sections
  case identifying
}

extension ValueKind {
  /// Whether it is a path, which an empty word is not: a variable of a script may be unset.
  var isPath: Bool { self == .file || self == .folder }

  /// The word for this kind in `help --json`.
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
