/// What distinguishes a type of field from the other types. Each type has one file with its
/// descriptor.
///
/// It is a class, so that a value that refers to a descriptor is copied without copying its members.
package final class TypeDescriptor: Sendable {
  /// The name of the type in schema files.
  package let name: String
  /// Names of the type in other systems, for which an error suggests this type.
  let synonyms: [String]
  package let declaration: Declaration
  /// The first format of stores that can have fields of the type.
  package let storeFormat: Int64
  /// How a value is stored in a cell and in a column.
  package let storage: Storage
  /// The number of digits after the point of a fraction that is stored as an integer; nil for other
  /// types.
  package let scale: Int?
  /// How a value is written in JSON.
  package let textForm: TextForm
  /// How the values in the input are read.
  package let kind: Slot.Kind
  /// Values are compared by their order with values of the types in the same family. Nil if values
  /// cannot be compared with values of other types.
  package let family: Family?
  /// Whether records can be sorted by a field of the type.
  package let isOrdered: Bool
  /// The rules that a field of the type can have.
  package let rules: Rules
  /// The size of a value in an index entry in bytes, or 0 if the type cannot be indexed.
  let indexSize: Int
  package let phrases: Phrases
  /// An arbitrary value of the type.
  package let sample: Value

  /// Sets a field in the record that is being built to a value that is given as text. The offset is
  /// that of the text in the input; if it is nil, the text must be copied.
  let setText: @Sendable (inout RowChanges, _ slot: Int, Span<UInt8>, _ offset: Int?) -> Void
  /// Sets a field in the record that is being built to a value that is given as a JSON number.
  let setNumber: @Sendable (inout RowChanges, _ slot: Int, Span<UInt8>) -> Void
  /// Converts text in a format that is accepted only with `--lenient` to JSON. Returns nil for
  /// other text.
  let lenientJSON: @Sendable (Span<UInt8>, Lenience) -> [UInt8]?
  /// Creates the cell of a number that is added to the stored value; nil if the type has no sums.
  package let summand: (@Sendable (Span<UInt8>, RowChanges.Sign) throws(SummandError) -> Cell)?
  /// How elements of arrays are read; nil if there are no arrays of the type.
  package let element: Element?
  /// Parses the text form of a value, without the quotes of JSON.
  package let parse: @Sendable (Span<UInt8>) throws(ValueTextError) -> Value
  /// Returns the value that a number in a condition stands for; nil if values are no numbers.
  package let literal: (@Sendable (Span<UInt8>) throws(NumberTextError) -> Value)?
  /// Returns the effect of a conversion to the type with the given name, or nil if values cannot be
  /// converted to it.
  package let conversion: @Sendable (String) -> ConversionEffect?
  /// Returns the value of a cell that has one, or null if its bytes are invalid.
  let value: @Sendable (Rows, Cell) -> Value

  /// The type of the column in PostgreSQL.
  package let postgresType: String
  /// The JSON Schema of the values in the output.
  package let jsonSchema: String
  /// The JSON Schema of the values in the input of a save.
  package let writtenJSONSchema: String
  package let typeScript: TypeScript
  package let equivalents: Equivalents

  init(
    name: String,
    synonyms: [String],
    declaration: Declaration,
    storeFormat: Int64,
    storage: Storage,
    scale: Int?,
    textForm: TextForm,
    kind: Slot.Kind,
    family: Family?,
    isOrdered: Bool,
    rules: Rules,
    indexSize: Int,
    phrases: Phrases,
    sample: Value,
    setText:
      @escaping @Sendable (inout RowChanges, _ slot: Int, Span<UInt8>, _ offset: Int?) -> Void,
    setNumber: @escaping @Sendable (inout RowChanges, _ slot: Int, Span<UInt8>) -> Void,
    lenientJSON: @escaping @Sendable (Span<UInt8>, Lenience) -> [UInt8]?,
    summand: (@Sendable (Span<UInt8>, RowChanges.Sign) throws(SummandError) -> Cell)?,
    element: Element?,
    parse: @escaping @Sendable (Span<UInt8>) throws(ValueTextError) -> Value,
    literal: (@Sendable (Span<UInt8>) throws(NumberTextError) -> Value)?,
    conversion: @escaping @Sendable (String) -> ConversionEffect?,
    value: @escaping @Sendable (Rows, Cell) -> Value,
    postgresType: String,
    jsonSchema: String,
    writtenJSONSchema: String,
    typeScript: TypeScript,
    equivalents: Equivalents
  ) {
    self.name = name
    self.synonyms = synonyms
    self.declaration = declaration
    self.storeFormat = storeFormat
    self.storage = storage
    self.scale = scale
    self.textForm = textForm
    self.kind = kind
    self.family = family
    self.isOrdered = isOrdered
    self.rules = rules
    self.indexSize = indexSize
    self.phrases = phrases
    self.sample = sample
    self.setText = setText
    self.setNumber = setNumber
    self.lenientJSON = lenientJSON
    self.summand = summand
    self.element = element
    self.parse = parse
    self.literal = literal
    self.conversion = conversion
    self.value = value
    self.postgresType = postgresType
    self.jsonSchema = jsonSchema
    self.writtenJSONSchema = writtenJSONSchema
    self.typeScript = typeScript
    self.equivalents = equivalents
  }
}

/// How a value is stored in a cell, and in the column of a table.
package enum Storage: Hashable, BitwiseCopyable, Sendable {
  /// UTF-8 bytes.
  case bytes
  /// A 64-bit integer.
  case integer
  /// The integer 0 or 1.
  case boolean
  /// The text of a date, such as `2026-11-20`.
  case date
  /// The number of microseconds since the Unix epoch.
  case datetime
  /// A double.
  case number
  /// Two doubles, the latitude first.
  case point
}

extension TypeDescriptor {
  /// What the declaration of a field has besides the name of its type.
  package enum Declaration: Sendable {
    case nothing
    /// A target schema.
    case target
    /// Integers under keys of their own, all of which are required.
    case integers(Integers)
  }

  /// The integers in the declaration of a field, such as the digits of a decimal.
  package struct Integers: Sendable {
    /// A key and the limits of its value. The limits are no range, because each command would look
    /// up the conformances of the type of a range at its start.
    package struct Key: Sendable {
      package let name: String
      package let least: Int
      package let greatest: Int
    }

    package let keys: [Key]
    /// The integers of this type.
    package let values: [Int]
    /// An example of integers that can be declared.
    package let example: [Int]
    /// The message for integers that are not allowed.
    package let rule: String
    /// Returns the type with other integers, or nil if they are not allowed.
    package let type: @Sendable ([Int]) -> FieldType?
  }

  /// How a value is written in JSON.
  package enum TextForm: Hashable, BitwiseCopyable, Sendable {
    /// As a string.
    case quoted
    /// As a number, `true` or `false`.
    case bare
    /// As an object, an array, or any other JSON text.
    case json
  }

  /// Types whose values can be compared with each other.
  package enum Family: Hashable, Sendable {
    case text
    case number
    case time
  }

  /// The rules that fields of a type can have.
  package struct Rules: Sendable {
    /// What `min` and `max` restrict.
    package enum Bounds: Hashable, Sendable {
      case values
      /// The number of characters or elements.
      case lengths
      /// The number of characters of a password, which has only a minimum.
      case passwordLength
      case none
    }

    package let bounds: Bounds
    /// Whether the field can have `one_of`, the list of allowed values.
    package let hasChoices: Bool
    package let hasDefault: Bool
  }

  /// Whether a conversion to another type can fail or lose information.
  package enum ConversionEffect: Hashable, Sendable {
    /// Every value has an equivalent in the new type.
    case lossless
    /// Some values may have no equivalent in the new type. The user has to change them first.
    case mayFail
    /// Some values may be rounded, and lists may be reduced to their first element. Some values may
    /// have no equivalent in the new type.
    case lossy
  }

  /// How messages refer to values of a type.
  package struct Phrases: Sendable {
    /// The name of the type with an article.
    let withArticle: String
    /// What is expected in a record, with an example for structured types.
    let expectation: String
    /// What is expected in a condition.
    package let operand: String
    /// The words before a minimum and a maximum in messages, such as `at least`.
    let bounds: (lower: String, upper: String)
  }

  /// How elements of arrays are read.
  package struct Element: Sendable {
    /// Appends an element that is given as text.
    let appendText: @Sendable (inout RowChanges, _ slot: Int, Span<UInt8>) -> Void
    /// Appends an element that is given as a JSON number.
    let appendNumber:
      @Sendable (inout RowChanges, _ slot: Int, Span<UInt8>) throws(NumberTextError) -> Void
    /// An array in JSON as an example in hints; nil if the found text is the example.
    package let example: String?
  }

  /// The type of values in TypeScript. The names of types that are not built in are chosen by the
  /// export, because they must differ from the names of schemas.
  package enum TypeScript: Hashable, Sendable {
    case builtIn(String)
    case point
    case file
    case json
  }

  /// The names of a type in other systems and languages.
  package struct Equivalents: Sendable {
    let json: String
    package let swift: String
    let sqlite: String
    let postgres: String
    let telerik: String
    let stackMob: String
    let backendless: String
    let coreData: String
  }
}

/// The reason why a number cannot be added to a stored value.
package struct SummandError: Error {
  let message: String
}

/// The reason why text is not a value of a type.
package enum ValueTextError: Error, Sendable {
  /// The text is no value of the type.
  case mismatch
  /// The text resembles a value of the type, but is not valid.
  case invalid(String, hint: String?)
}
