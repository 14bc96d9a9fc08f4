/// A kind of generated record in the schema `record`.
struct Shape {
  enum FieldType: String {
    case text
    case integer
    case number
    case boolean
    case datetime
    case texts = "text+"
    case json
    /// A relation to the same schema.
    case record
  }

  struct Field {
    let name: String
    let type: FieldType
    var isRequired = false
    let value: (inout RandomCells) -> Cell
  }

  enum Format: String {
    case ndjson
    case csv
  }

  let name: String
  let fields: [Field]
  var format = Format.ndjson
  /// Returns the id of the record with the given number, if records have explicit ids.
  var id: ((Int) -> String)?

  /// The fields in the syntax of `schema create`, quoted for the shell.
  var declaration: String {
    fields.map { "'\($0.name):\($0.type.rawValue)\($0.isRequired ? "!" : "")'" }
      .joined(separator: " ")
  }

  /// Returns the line of the data file with the given number; in CSV the first line is the header.
  func line(_ number: Int, _ random: inout RandomCells) -> String {
    switch format {
    case .ndjson:
      let own = id.map { ["\"record_id\":\"\($0(number))\""] } ?? []
      let members = fields.map { "\"\($0.name)\":\($0.value(&random).json)" }
      return "{" + (own + members).joined(separator: ",") + "}"
    case .csv:
      if number == 0 { return fields.map(\.name).joined(separator: ",") }
      return fields.map { $0.value(&random).csv }.joined(separator: ",")
    }
  }
}

extension Shape {
  /// Eight fields of mixed types, typical of real records.
  static var eight: Shape {
    Shape(
      name: "",
      fields: [
        Field(name: "title", type: .text, isRequired: true) { $0.text(3) },
        Field(name: "note", type: .text) { $0.text(4) },
        Field(name: "price", type: .number) { $0.number() },
        Field(name: "stock", type: .integer) { $0.integer(below: 100_000) },
        Field(name: "done", type: .boolean) { $0.boolean() },
        Field(name: "due", type: .datetime) { $0.time() },
        Field(name: "tags", type: .texts) { Cell("[\($0.text(1).json),\"x\"]") },
        Field(name: "extra", type: .json) {
          Cell("{\"a\":\($0.next(below: 9)),\"b\":[true,null]}")
        },
      ])
  }

  /// The same eight fields as CSV.
  static var csv: Shape {
    Shape(name: "as CSV", fields: eight.fields, format: .csv)
  }

  /// Sixty fields, a third of whose values are null.
  static var wide: Shape {
    let types: [FieldType] = [.text, .integer, .number, .text, .boolean, .datetime]
    return Shape(
      name: "of 60 fields",
      fields: (0..<60).map { number in
        let type = types[number % types.count]
        return Field(name: "field\(number)", type: type) { random in
          if random.next(below: 3) == 0 { return Cell(plain: "", json: "null") }
          switch type {
          case .text, .texts, .json, .record: return random.text(2)
          case .integer: return random.integer(below: 1_000_000)
          case .number: return random.number()
          case .boolean: return random.boolean()
          case .datetime: return random.time()
          }
        }
      })
  }

  /// Two texts of two hundred words each.
  static var long: Shape {
    Shape(
      name: "of long texts",
      fields: ["title", "body"].map { Field(name: $0, type: .text) { $0.text(200) } })
  }

  static var escaped: Shape {
    Shape(
      name: "of many escapes",
      fields: ["title", "body"].map { Field(name: $0, type: .text) { $0.escapes(100) } })
  }

  /// Records that refer to each other, half of them to later records.
  static func related(_ size: Int) -> Shape {
    Shape(
      name: "with relations",
      fields: [
        Field(name: "title", type: .text) { $0.text(2) },
        Field(name: "next", type: .record) { Cell("\"r\($0.next(below: size))\"") },
      ], id: { "r\($0)" })
  }

  /// JSON with fifty nested objects and fifty nested arrays.
  static var deep: Shape {
    Shape(
      name: "of deep JSON",
      fields: [
        Field(name: "tree", type: .json) { random in
          let depth = 50
          let beginning = (0..<depth).map { _ in "{\"a\":\(random.next(below: 99)),\"b\":[" }
          return Cell(beginning.joined() + String(repeating: "]}", count: depth))
        }
      ])
  }
}
