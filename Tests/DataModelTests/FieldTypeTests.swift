import DataModel
import TestSupport
import Testing

@Suite("Field types")
struct FieldTypeTests {
  @Test("lists the name of each type")
  func names() {
    #expect(FieldType.names == FieldType.samples.map(\.name))
  }

  @Test("says which rules each type has, how values are compared, and the store format it needs")
  func facts() {
    let facts = FieldType.samples.map { type in
      let descriptor = type.descriptor
      let rules = descriptor.rules
      return [
        type.name, "\(rules.bounds)", rules.hasChoices ? "choices" : "-",
        rules.hasDefault ? "default" : "-", descriptor.isOrdered ? "ordered" : "-",
        descriptor.family.map { "\($0)" } ?? "-", "\(descriptor.storeFormat)",
      ].joined(separator: " ")
    }
    #expect(
      facts == [
        "id none - - ordered text 1",
        "text lengths choices default ordered text 1",
        "integer values choices default ordered number 1",
        "number values choices default ordered number 1",
        "decimal values choices default ordered number 3",
        "boolean none - default ordered - 1",
        "date values choices default ordered time 2",
        "datetime values choices default ordered time 1",
        "geopoint none - default - - 1",
        "file none - - - - 1",
        "json none - default - - 1",
        "password passwordLength - - - - 1",
        "relation none - - ordered text 1",
        "[text] lengths choices default - - 1",
        "[integer] lengths choices default - - 1",
        "[number] lengths choices default - - 1",
        "[boolean] lengths choices default - - 1",
        "[date] lengths choices default - - 2",
        "[datetime] lengths choices default - - 1",
      ])
  }

  @Test("says which conversions are possible, and which of them may fail or lose information")
  func conversions() {
    let conversions = FieldType.samples.map { type in
      let targets = FieldType.names.compactMap { name in
        type.descriptor.conversion(name).map { effect in
          switch effect {
          case .lossless: name
          case .mayFail: "\(name)?"
          case .lossy: "\(name)~"
          }
        }
      }
      return ([type.name + ":"] + targets).joined(separator: " ")
    }
    #expect(
      conversions == [
        "id:",
        "text: integer? number~ decimal~ boolean? date? datetime? json relation?",
        "integer: text number~ decimal~ boolean? json",
        "number: text integer~ decimal~ json",
        "decimal: text integer~ number~ json",
        "boolean: text integer json",
        "date: text datetime json",
        "datetime: text date~ json",
        "geopoint:",
        "file:",
        "json:",
        "password:",
        "relation: text",
        "[text]: json",
        "[integer]: json",
        "[number]: json",
        "[boolean]: json",
        "[date]: json",
        "[datetime]: json",
      ])
  }

  @Test(
    "suggests the type that other systems call by another name",
    arguments: [
      ("uuid", "id"), ("varchar", "text"), ("email", "text"), ("bigint", "integer"),
      ("double", "number"), ("bool", "boolean"), ("day", "date"), ("timestamp", "datetime"),
      ("location", "geopoint"), ("blob", "file"), ("jsonb", "json"), ("reference", "relation"),
      ("list", "[text]"),
    ])
  func synonyms(_ word: String, _ name: String) {
    #expect(FieldType.hint(for: word) == "did you mean \(name)?")
  }

  @Test("suggests digits that can be declared, for a decimal without digits")
  func decimalExample() {
    #expect(FieldType.hint(for: "decimal") == "for example decimal:12,2")
  }

  /// Returns the messages about a record with one value, and the hints.
  private func messages(
    _ field: Field, _ conversions: ValueConversions = ValueConversions(),
    _ set: (inout RowChanges, Int) -> Void
  ) throws -> [String] {
    var draft = SchemaDraft(name: "todo")
    draft.fields = [.init(Field("todo_id", .id)), .init(field)]
    if field.type == .password {
      draft.kind = .user
    }
    var changes = RowChanges(for: try Schema(checking: draft), conversions: conversions)
    changes.beginRecord(line: 1)
    changes.set(0, text: "a".utf8.span)
    set(&changes, 1)
    return changes.endRecord().map { problem in
      problem.message + (problem.hint.map { "; \($0)" } ?? "")
    }
  }

  @Test(
    "checks the minimum and the maximum of each ordered type, which are allowed themselves",
    arguments: [
      (FieldType.integer, ["2", "3", "5", "6"], "at least 3", "at most 5"),
      (.number, ["2.5", "3", "5", "5.5"], "at least 3", "at most 5"),
      (.decimal(digits: 4, scale: 1), ["2.9", "3.0", "5.0", "5.1"], "at least 3.0", "at most 5.0"),
      (
        .date, ["2026-11-19", "2026-11-20", "2026-11-22", "2026-11-23"],
        "a date no earlier than 2026-11-20", "a date no later than 2026-11-22"
      ),
      (
        .datetime,
        [
          "2026-11-20T00:00:00.000Z", "2026-11-20T00:00:01.000Z", "2026-11-20T00:00:05.000Z",
          "2026-11-20T00:00:06.000Z",
        ],
        "a datetime no earlier than 2026-11-20T00:00:01.000Z",
        "a datetime no later than 2026-11-20T00:00:05.000Z"
      ),
    ])
  func bounds(_ type: FieldType, _ values: [String], _ least: String, _ most: String) throws {
    let parsed = try values.map { try type.descriptor.parse($0.utf8.span) }
    let field = Field("value", type, minimum: parsed[1], maximum: parsed[2])
    let found = try values.map { value in
      try messages(field) { changes, slot in
        if type.isTime {
          changes.set(slot, text: value.utf8.span)
        } else {
          changes.set(slot, number: value.utf8.span)
        }
      }
    }
    #expect(
      found == [
        ["expected \(least), found \(values[0])"], [], [],
        ["expected \(most), found \(values[3])"],
      ])
  }

  @Test("limits the digits of a decimal before and after the point, and keeps its sign")
  func decimalDigits() throws {
    let field = Field("value", .decimal(digits: 4, scale: 1))
    for (number, expected) in [
      ("-999.9", []), ("999.9", []), ("1e2", []), ("-12.50", []),
      ("1000.0", ["expected at most 3 digits before the point, found 1000.0"]),
      (
        "12.55",
        [
          "expected at most 1 digit after the point, found 12.55; "
            + "pass --round-decimals to round to the nearest decimal"
        ]
      ),
    ] {
      #expect(try messages(field) { $0.set($1, number: number.utf8.span) } == expected)
    }
    let rounding = ValueConversions(roundsDecimals: true)
    #expect(try messages(field, rounding) { $0.set($1, number: "12.55".utf8.span) } == [])
    #expect(
      try messages(field, rounding) { $0.set($1, number: "999.95".utf8.span) }.count == 1)
  }

  @Test("stores decimals of fields with different digits as integers of their own scales")
  func decimalScales() throws {
    var draft = SchemaDraft(name: "todo")
    draft.fields = [
      .init(Field("todo_id", .id)), .init(Field("a", .decimal(digits: 12, scale: 2))),
      .init(Field("b", .decimal(digits: 8, scale: 2))),
      .init(Field("c", .decimal(digits: 10, scale: 4))),
    ]
    let schema = try Schema(checking: draft)
    var changes = RowChanges(for: schema)
    changes.beginRecord(line: 1)
    changes.set(0, text: "a".utf8.span)
    for slot in 1...3 { changes.set(slot, number: "-12.5".utf8.span) }
    #expect(changes.endRecord() == [])
    let cells = (1...3).map { changes.rows[0, $0] }
    #expect(cells.map(\.integer) == [-1250, -1250, -125_000])
    let values = (1...3).map { changes.rows.value(cells[$0 - 1], of: schema.type(of: $0)) }
    #expect(values.map(\.text) == ["-12.50", "-12.50", "-12.5000"])
    #expect(try messages(schema.fields[2]) { $0.set($1, number: "9999999".utf8.span) }.count == 1)
    #expect(try messages(schema.fields[1]) { $0.set($1, number: "9999999".utf8.span) } == [])
  }

  @Test("a decimal field includes the values of a field with no more digits on each side")
  func inclusion() throws {
    let digits = try #require(DecimalDigits(digits: 6, scale: 2))
    for (other, scale, isIncluded) in [
      (6, 2, true), (5, 2, true), (4, 0, true), (5, 1, true), (7, 2, false), (5, 0, false),
      (6, 3, false), (3, 3, false),
    ] {
      let other = try #require(DecimalDigits(digits: other, scale: scale))
      #expect(digits.includes(other) == isIncluded, "\(other)")
    }
    #expect(DecimalDigits(digits: 3, scale: 3) != nil)
    #expect(DecimalDigits(digits: 3, scale: 4) == nil)
    #expect(DecimalDigits(digits: 19, scale: 0) == nil)
    #expect(DecimalDigits.computed(scale: 38)?.scale == 38)
    #expect(DecimalDigits.computed(scale: 39) == nil)
  }

  @Test("finds the decimals of a field that surround a number")
  func neighbors() throws {
    let digits = try #require(DecimalDigits(digits: 2, scale: 1))
    let found = ["1.25", "-1.25", "9.9", "9.95", "-9.95", "1e9", "-1e9"].map { text in
      switch digits.neighbors(of: DecimalValue(text).map(Value.decimal) ?? .null) {
      case nil: "none"
      case .equal(let value): "\(value)"
      case .around(let below, let above):
        "\(below.map { "\($0)" } ?? "-") \(above.map { "\($0)" } ?? "-")"
      }
    }
    #expect(found == ["1.2 1.3", "-1.3 -1.2", "9.9", "9.9 -", "- -9.9", "9.9 -", "- -9.9"])
  }

  @Test("adds and subtracts numbers of the type, and no number that overflows")
  func summands() throws {
    for (type, text, plus, minus) in [
      (FieldType.integer, "3", Value.integer(3), Value.integer(-3)),
      (.number, "0.5", .number(0.5), .number(-0.5)),
      (.decimal(digits: 4, scale: 2), "0.5", .integer(50), .integer(-50)),
    ] {
      let summand = try #require(type.descriptor.summand)
      for (sign, expected) in [(RowChanges.Sign.plus, plus), (.minus, minus)] {
        let cell = try summand(text.utf8.span, sign)
        #expect(
          (type == .number ? .number(cell.number) : .integer(cell.integer)) == expected)
      }
    }
    let least = "\(Int64.min)"
    #expect(throws: SummandError.self) {
      _ = try FieldType.integer.descriptor.summand?(least.utf8.span, .minus)
    }
  }

  @Test(
    "accepts an empty string as null with --lenient",
    arguments: [
      FieldType.integer, .number, .decimal(digits: 4, scale: 2), .boolean, .date, .datetime,
      .geopoint,
    ])
  func emptyText(_ type: FieldType) throws {
    let field = Field("value", type)
    let lenient = ValueConversions(isLenient: true)
    #expect(try messages(field, lenient) { $0.set($1, text: "".utf8.span) } == [])
    #expect(try messages(field) { $0.set($1, text: "".utf8.span) }.count == 1)
  }

  @Test(
    "accepts grouped digits in text with --lenient",
    arguments: [FieldType.integer, .number, .decimal(digits: 6, scale: 2)])
  func groupedDigits(_ type: FieldType) throws {
    let field = Field("value", type)
    let lenient = ValueConversions(isLenient: true)
    #expect(try messages(field, lenient) { $0.set($1, text: "1'234".utf8.span) } == [])
    #expect(try messages(field) { $0.set($1, text: "1'234".utf8.span) }.count == 1)
  }

  @Test("rejects a number with too many digits for a double, if digits are kept")
  func lostDigits() throws {
    let keeping = ValueConversions(keepsDigits: true)
    let number = "0.12345678901234567890123"
    let field = Field("value", .number)
    #expect(try messages(field) { $0.set($1, number: number.utf8.span) } == [])
    #expect(try messages(field, keeping) { $0.set($1, number: number.utf8.span) }.count == 1)
  }

  @Test("compares integers beyond 2^53 with numbers exactly")
  func exactNumbers() throws {
    let literal = try #require(FieldType.number.descriptor.literal)
    #expect(try literal("9007199254740992".utf8.span) == .number(0x1p53))
    #expect(try literal("9007199254740993".utf8.span) == .integer(9_007_199_254_740_993))
    #expect(try literal("12".utf8.span) == .number(12))
    #expect(try FieldType.id.descriptor.literal?("12".utf8.span) == .text("12"))
    #expect(throws: NumberTextError.self) {
      try FieldType.json.descriptor.literal?("1e999".utf8.span)
    }
  }

  @Test("reads the values of cells, but no password")
  func values() throws {
    var rows = Rows(width: 1)
    let text = rows.store("secret".utf8.span)
    #expect(rows.value(text, of: .text) == .text("secret"))
    #expect(rows.value(text, of: .password) == .null)
    // A sum of integers that does not fit in 64 bits.
    #expect(rows.value(.number(.infinity), of: .integer) == .number(.infinity))
    #expect(rows.value(.integer(3), of: .integer) == .integer(3))
  }

  @Test("rejects NUL in a list of texts, and invalid ids in a to-many relation")
  func elements() throws {
    func problems(_ type: FieldType, _ text: String) throws -> [String] {
      try messages(Field("value", type)) { changes, slot in
        changes.openList(slot)
        changes.append(text: text.utf8.span)
        changes.closeList()
      }
    }
    let relation = FieldType.relation(Relation(to: "todo", isMany: true))
    #expect(try problems(.array(.text), "a\u{1}b") == [])
    #expect(
      try problems(.array(.text), "a\0b") == ["expected text without NUL, found one at byte 2"])
    #expect(try problems(relation, "a") == [])
    #expect(
      try problems(relation, "a\u{1}b") == [
        "expected ids of 1 to 255 bytes without control characters, found \"a\\u0001b\""
      ])
  }

  @Test("accepts passwords of the least and the greatest length in one line")
  func passwords() throws {
    let field = Field("value", .password, minimum: .integer(10))
    let most = Schema.maxPasswordLength
    for (password, isAccepted) in [
      (String(repeating: "a", count: 10), true), (String(repeating: "a", count: 9), false),
      (String(repeating: "a", count: most), true), (String(repeating: "a", count: most + 1), false),
      ("0123456789\n", false), ("0123456789\r", false), ("", false),
    ] {
      let found = try messages(field) { $0.set($1, text: password.utf8.span) }
      #expect(found.isEmpty == isAccepted, "\(password.prefix(12)): \(found)")
    }
  }

  @Test("names the formats of dates and times that are accepted instead")
  func hints() throws {
    let date = try messages(Field("value", .date)) { $0.set($1, text: "20.11.2026".utf8.span) }
    #expect(date.first?.contains("map") == true, "\(date)")
    let time = try messages(Field("value", .datetime)) {
      $0.set($1, text: "2026-11-20T03:05:00".utf8.span)
    }
    #expect(time.first?.hasSuffix(", or pass --assume-zone to save") == true, "\(time)")
    let short = try messages(Field("value", .datetime)) {
      $0.set($1, text: "2026-11-20 03:05".utf8.span)
    }
    #expect(short.first?.hasSuffix(", or pass --lenient to save") == true, "\(short)")
    // Not the number of seconds that --lenient accepts.
    let seconds = try messages(Field("value", .datetime)) {
      $0.set($1, text: "1732060800".utf8.span)
    }
    #expect(seconds.first?.contains("--lenient") == false, "\(seconds)")
    let precise = "2026-11-20T03:05:00.1234567Z"
    let rounding = ValueConversions(roundsTimes: true)
    #expect(
      try messages(Field("value", .datetime), rounding) { $0.set($1, text: precise.utf8.span) }
        == [])
    do throws(ValueTextError) {
      _ = try FieldType.datetime.descriptor.parse(precise.utf8.span)
      Issue.record("a datetime with seven digits is accepted")
    } catch {
      guard case .invalid(_, hint: nil) = error else { throw error }
    }
    let longitude = try messages(Field("value", .geopoint)) { $0.set($1, text: "1,181".utf8.span) }
    #expect(longitude.first?.contains("-180 ≤ lon ≤ 180") == true, "\(longitude)")
  }

  @Test("names arrays in TypeScript after their elements")
  func typeScript() {
    #expect(FieldType.array(.text).descriptor.typeScript == .builtIn("string[]"))
    #expect(FieldType.array(.number).descriptor.typeScript == .builtIn("number[]"))
  }
}
