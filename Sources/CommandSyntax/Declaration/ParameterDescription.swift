/// The description of an operand for help, the manual and completions.
@usableFromInline package struct OperandDescription: Sendable, Equatable {
  /// The placeholder of the operand in help, such as `SCHEMA`.
  package let name: String
  package let kind: ValueKind
  package let count: Count
  /// A description of the operand. Help adds notes, such as the allowed values, to its first
  /// sentence.
  package let summary: String

  /// The number of words that an operand takes.
  @usableFromInline package enum Count: Sendable, Equatable {
    case one
    case optional
    /// All remaining words. There must be at least this many of them.
    case many(atLeast: Int)
  }

  init(_ name: String, kind: ValueKind, count: Count, _ summary: String) {
    self.name = name
    self.kind = kind
    self.count = count
    self.summary = summary
  }
}

extension OperandDescription {
  var isRequired: Bool { minimum > 0 }

  var minimum: Int {
    switch count {
    case .one: 1
    case .optional: 0
    case .many(let least): least
    }
  }

  /// The operand as shown in a usage line, such as `[ID…]`.
  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .many(let least): least > 0 ? "\(name)…" : "[\(name)…]"
    }
  }
}

/// The description of an option for help, the manual and completions.
@usableFromInline package struct OptionDescription: Sendable {
  /// The long name with its dashes, such as `--limit`.
  package let name: String
  /// The letter of the short form, such as `l` for `-l`, or nil if there is none.
  package let letter: Character?
  /// The description of the option's value; nil for a flag, which has no value.
  package let value: Value?
  /// A description of the option. Help adds notes, such as the default, to its first sentence.
  package let summary: String

  /// The description of an option's value: its placeholder, its kind, and how often the option can
  /// be given.
  package struct Value: Sendable {
    /// The placeholder of the value in help, such as `N`.
    package let placeholder: String
    package let kind: ValueKind
    package let presence: Presence
  }

  /// How often an option with a value can occur on a command line.
  @usableFromInline package enum Presence: Sendable {
    case optional
    case required
    case repeated
    /// The option may be omitted, and then has a default value, which the closure returns.
    case defaulted(@Sendable () -> String)
  }

  init(_ name: String, letter: String? = nil, value: Value? = nil, _ summary: String) {
    precondition(name.hasPrefix("--"), "an option's name begins with two dashes: \(name)")
    self.name = name
    precondition(letter?.count ?? 1 == 1, "a short form is one letter: \(letter ?? "")")
    self.letter = letter?.first
    self.value = value
    self.summary = summary
  }
}

extension OptionDescription {
  static let help = OptionDescription("--help", letter: "h", "Print help and exit.")
  static let version = OptionDescription("--version", "Print the version and exit.")

  var isRequired: Bool { if case .required = value?.presence { true } else { false } }
  package var isRepeated: Bool { if case .repeated = value?.presence { true } else { false } }

  /// The short form, such as `-l`, or nil if there is none.
  var short: String? { letter.map { "-\($0)" } }

  /// The value that the option has if it is not given, or nil if there is no default.
  var defaultValue: String? {
    guard case .defaulted(let text) = value?.presence else { return nil }
    return text()
  }
}

/// The kind of a value, such as the name of a schema. It determines completions and notes in help.
public enum ValueKind: Sendable, Equatable {
  /// Any text, without completions.
  case text
  /// An integer within the range.
  case integer(ClosedRange<Int>)
  /// One of the given words.
  case choice([String])
  /// The name of a schema.
  case schema
  /// The name of a schema, or a field in the form `SCHEMA.FIELD`.
  case schemaOrField
  /// The name of a field. The schema of the field is the value of another operand of the command.
  case field
  /// Field names separated by commas. A `-` before a name excludes the field.
  case fields
  /// The name of a field that can be used for the given purpose, such as sorting.
  case fieldFor(FieldPurpose)
  /// The names of fields that can be used for the given purpose, separated by commas. A `-` before
  /// a name has a meaning that depends on the purpose, such as descending order.
  case fieldsFor(FieldPurpose)
  /// The columns to sort a query by, separated by commas: fields or, if other options specify
  /// groups, the columns of the groups. A `-` before a column means descending order.
  case order
  /// Names of relations separated by commas.
  case relations
  /// A condition. Completion offers the names of fields in it.
  case condition
  /// A condition on groups. Completion offers the columns of the groups, which other options of the
  /// command specify.
  case groupCondition
  /// The name of a time zone.
  case timeZone
  /// `FIELD=VALUE`, `FIELD:=JSON`, `FIELD@=PATH`, `FIELD+=VALUE` or `FIELD-=VALUE`.
  case assignment
  /// `FIELD=VALUE`, a condition that selects records.
  case equality
  /// `FIELD:TYPE`, where the type is one of `types` or the name of a schema.
  case declaration(types: [String])
  /// The id of a record.
  case id
  /// The id of a stored function.
  case function
  /// The path of a file that is read.
  case file
  /// The path of a file that is read, or of a folder of schema files.
  case schemaFiles
  /// The path of a file that is written.
  case outputFile
  /// The path of a folder.
  case folder
  /// The address or the name of a store.
  case store
  /// The name of a help topic.
  case topic
  /// The name of a command or a help topic.
  case command
}

/// A purpose for which only some fields are suitable, such as sorting. Completion offers only
/// suitable fields.
public enum FieldPurpose: Sendable, Equatable {
  /// Sorting records.
  case order
  /// Computing a sum or an average.
  case adding
  /// Dividing records into sections.
  case sections
  /// Selecting one record by a unique value.
  case identifying
  /// Changing the field or its value. This is possible for all fields except system fields.
  case writing
}

extension ValueKind {
  /// Whether the value is a path. An empty path is an error, because it usually results from an
  /// unset variable in a script.
  package var isPath: Bool {
    self == .file || self == .schemaFiles || self == .outputFile || self == .folder
  }

  /// The name of the kind in `help --json`.
  var name: String {
    switch self {
    case .text: "text"
    case .integer: "integer"
    case .choice: "choice"
    case .schema, .schemaOrField: "schema"
    case .field, .fieldFor: "field"
    case .fields, .fieldsFor, .order: "fields"
    case .relations: "relations"
    case .condition, .groupCondition: "condition"
    case .timeZone: "zone"
    case .assignment, .equality: "assignment"
    case .declaration: "declaration"
    case .id: "id"
    case .function: "function"
    case .file, .schemaFiles, .outputFile: "file"
    case .folder: "folder"
    case .store: "store"
    case .topic: "topic"
    case .command: "command"
    }
  }
}
