import DataModel
import Inference
import RecordText
import TestSupport
import Testing

@Suite("Schema inference: types")
struct TypeInferenceTests {
  @Test("infers the narrowest type that accepts all JSON values")
  func types() throws {
    #expect(try type(of: "true", "false", "null") == "boolean")
    #expect(try type(of: "1", "-9223372036854775808", "9223372036854775807") == "integer")
    #expect(try type(of: "1", "2.5") == "number")
    #expect(try type(of: "1.0", "2.0") == "number")
    #expect(try type(of: "0.1", "1e-7", "1E+20") == "number")
    #expect(try type(of: "\"007\"") == "text")
    #expect(try type(of: "\"42\"") == "text")
    #expect(try type(of: "\"\"") == "text")
    #expect(try type(of: "\"2026-11-20\"", "\"2026-11-20T10:00:00+01:00\"") == "datetime")
    #expect(try type(of: "\"2026-11-20\"", "\"2024-02-29\"") == "date")
    #expect(try type(of: "\"2026-11-20\"", "\"soon\"") == "text")
    #expect(try type(of: "\"2013-02-31\"") == "text")
    #expect(try type(of: "\"2026-11-20T10:00:00\"") == "text")
    #expect(try type(of: #"{"lat":47.37,"lon":8.54}"#, #"{"lon":1,"lat":2}"#) == "geopoint")
    #expect(try type(of: #"{"lat":91,"lon":8.54}"#) == "json")
    #expect(try type(of: #"{"lat":1,"lon":2,"alt":3}"#) == "json")
    #expect(try type(of: #"{"lat":1,"lat\u0020":2}"#) == "json")
    #expect(try type(of: "{}") == "json")
  }

  @Test("infers boolean from yes, no, 0 and 1 when conversions are lenient")
  func lenientBooleans() throws {
    func type(_ text: String, _ format: RecordFormat) throws -> FieldType? {
      var form = TextForm(format)
      form.lenience = Lenience()
      return try SchemaInference(
        BytesInMemory(Array(text.utf8)), schema: "thing", form, file: InferenceFile("in"),
        splitting: .none
      ).schema().findings.last?.field?.type
    }
    #expect(try type("a,b\nx,yes\nx,1\nx,0\n", .csv) == .boolean)
    #expect(try type("a,b\nx,yes\nx,1\nx,2\n", .csv) == .text)
    #expect(try type("a,b\nx,1\nx,0\n", .csv) == .integer)
    #expect(try type(#"{"b":"no"}{"b":1}{"b":"0"}{"b":true}"#, .json) == .boolean)
  }

  @Test("infers an array type for arrays of scalars of one kind, and json for other arrays")
  func arrays() throws {
    #expect(try type(of: #"["a","b"]"#, "[]") == "[text]")
    #expect(try type(of: "[1,2]", "[2.5]") == "[number]")
    #expect(try type(of: "[true]") == "[boolean]")
    #expect(try type(of: #"["2026-11-20"]"#) == "[date]")
    #expect(try type(of: #"["2026-11-20","2026-11-20T03:05:00Z"]"#) == "[datetime]")
    #expect(try type(of: #"["2026-11-20","x"]"#) == "[text]")
    #expect(try type(of: "[1]", #"["a"]"#) == "json")
    #expect(try type(of: "[1,null]") == "json")
    #expect(try type(of: "[[1]]") == "json")
    #expect(try type(of: "[]") == "json")
    #expect(try type(of: "[1]", "1") == "json")
  }

  @Test("infers json for values of different kinds, and no field when all values are null")
  func mixtures() throws {
    #expect(try type(of: "1", "\"1\"") == "json")
    #expect(try type(of: "true", "1") == "json")
    #expect(try type(of: "{}", "[]", "1") == "json")
    #expect(try type(of: "null") == "none")
  }

  @Test("infers json when the type number would lose digits")
  func longNumbers() throws {
    #expect(try type(of: "9223372036854775808") == "json")
    #expect(try type(of: "100000000000000000000") == "number")
    #expect(try type(of: "0.12345678901234568") == "number")
    #expect(try type(of: "0.12345678901234567") == "json")
    #expect(try type(of: "79791028006462.35") == "json")
    #expect(try type(of: "0.10000000000000001") == "number")
    #expect(try type(of: "0.1234567890123456789") == "json")
    #expect(try type(of: "1e400") == "json")
    #expect(try type(of: "1e-400") == "json")
    #expect(try type(of: "9007199254740993", "1.5") == "json")
    #expect(try type(of: "9007199254740993", "1.0") == "integer")
    #expect(try type(of: "9007199254740992", "1.5") == "number")
    #expect(try type(of: "-9223372036854775808", "1.5") == "json")
  }

  @Test("infers the type of a CSV column from its cells, and text if their types differ")
  func cells() throws {
    #expect(try column("1", "2", "") == "integer")
    #expect(try column("1", "2.5") == "number")
    #expect(try column("1.50", "2.25") == "decimal")
    #expect(try column("1.0", "2.25") == "number")
    #expect(try column("3.10", "3.1") == "text")
    #expect(try column("6.0", "7") == "text")
    #expect(try column("6.5", "7") == "number")
    #expect(try column("6.0", "1e+20") == "number")
    #expect(try column("007") == "text")
    #expect(try column("007", "8") == "text")
    #expect(try column("+1") == "text")
    #expect(try column("12E3") == "text")
    #expect(try column("1.5e-7", "6e+23", "1e16") == "number")
    #expect(try column("9223372036854775808") == "text")
    #expect(try column("true", "false") == "boolean")
    #expect(try column("true", "yes") == "text")
    #expect(try column("true", "1") == "text")
    #expect(try column("\"\"", "1") == "text")
    #expect(try column("\"1\"", "2") == "integer")
    #expect(try column("", "") == "text")
    #expect(try column("2026-11-20", "2026-11-21") == "date")
    #expect(try column("2026-11-20", "2026-11-21T03:05:00Z") == "datetime")
    #expect(try column("2026-11-20", "x") == "text")
    #expect(try column(#""{""lat"":1,""lon"":2}""#) == "geopoint")
    #expect(try column(#""[""a"",""b""]""#, "[]") == "[text]")
    #expect(try column(#""{""a"":1}""#, "[1]") == "json")
    #expect(try column("[draft]", "[1]") == "text")
    #expect(try column("{") == "text")
  }

  @Test("infers text for a number such as 1.200 if its point may separate thousands")
  func decimalCommas() throws {
    let table = "a;b;c;d;e\n1.200;4,50;1.25;7;-2.500\n900;1.234,56;0.75;8;1.000\n"
    let result = try InferenceResult(table, format: .csv)
    #expect(
      result.fields == "thing_id id, a text, b text, c decimal, d integer, e text")
    #expect(
      result.notes == [
        "thing_id: added as the primary key; save assigns each record a new id",
        "a: text, since 1.200 may be 1200: another column has decimal commas",
        "c: decimal, since all values have 2 digits after the point",
        "e: text, since -2.500 may be -2500: another column has decimal commas",
      ])
    // Without a column of decimal commas, the points are decimal points.
    for table in ["a;b\n1.250;x\n", "a;b\n1.250;4,50\n2.250;x\n", "a,b\n1.250,\"4,50\"\n"] {
      #expect(
        try InferenceResult(table, format: .csv).fields
          == "thing_id id, a decimal, b text", "\(table)")
    }
  }

  @Test("infers decimal for a column with the same two to four digits after the point")
  func decimals() throws {
    func column(_ values: String, _ format: RecordFormat = .csv) throws -> FieldType? {
      let text = "a\n" + values.replacing(" ", with: "\n") + "\n"
      return try schemas(text, format: format)[0].findings.last?.field?.type
    }
    let prices = FieldType.decimal(try #require(DecimalDigits(digits: 12, scale: 2)))
    #expect(try column("1.50 -20.25 0.00") == prices)
    #expect(try column("1.50 20.25", .tsv) == prices)
    #expect(try column("1.2345")?.digits == DecimalDigits(digits: 12, scale: 4))
    #expect(try column("123456789012.25 1.00")?.digits == DecimalDigits(digits: 14, scale: 2))
    for values in [
      "1.5 2.5", "1.25 2.255", "1.25 3", "1.25 1e2", "1.12345", "12345678901234567.25",
    ] {
      #expect(try column(values)?.digits == nil, "\(values)")
    }
    #expect(try type(of: "1.25", "2.25") == "number")
    let head = try SchemaInference(
      BytesInMemory(Array("a\n1.25\n".utf8)), schema: "thing", TextForm(.csv),
      file: InferenceFile("in"),
      extent: .head, splitting: .none)
    #expect(try head.schema().findings.last?.field?.type == .number)
    #expect(
      try InferenceResult("a\n1.25\n", format: .csv).notes.last
        == "a: decimal, since all values have 2 digits after the point")
    #expect(try schemas("a\n1.25\n", format: .csv)[0].findings.allSatisfy { $0.others.isEmpty })
  }

  @Test("infers a geopoint from two columns with its coordinates")
  func coordinates() throws {
    let table = "id,at.lat,n,at.lon\n1,47.10,2,8\n2,,3,\n"
    let object = #"{"id":1,"at.lat":47.1,"n":2,"at.lon":8}"#
    for (text, format) in [(table, RecordFormat.csv), (object, .json)] {
      let result = try InferenceResult(text, format: format)
      #expect(result.fields == "thing_id id, at geopoint, n integer", "\(text)")
    }
    let findings = try schemas(table, format: .csv)[0].findings
    #expect(findings.map(\.field?.name) == ["thing_id", "at", "n", "at"])
    #expect(findings.dropFirst().allSatisfy { $0.others.isEmpty })
    for (text, fields) in [
      ("id,at.lat\n1,2\n", "at_lat integer"),
      ("id,at.lat,at.lon\n1,x,2\n", "at_lat text, at_lon integer"),
      ("id,at,at.lat,at.lon\n1,2,3,4\n", "at integer, at_lat integer, at_lon integer"),
      ("id,At.lat,At.lon\n1,2,3\n", "at_lat integer, at_lon integer"),
    ] {
      #expect(try InferenceResult(text, format: .csv).fields == "thing_id id, \(fields)")
    }
    #expect(throws: DataError.self) { try InferenceResult(#"{"at.lat":47.1}"#, format: .json) }
  }

  @Test("explains in a note why a type was inferred when the reason is not obvious")
  func notes() throws {
    let result = try InferenceResult(
      """
      {"thing_id":"a","m":1,"t":"2026-11-20T10:00:00","f":"2026-11-20T10:00:00.123456789Z",\
      "e":[],"n":12345678901234567890,"x":null}
      {"thing_id":"b","m":"one","o":[{"a":1}],"d":"3.4.81","v":"1.2.3"}
      """)
    #expect(
      result.notes == [
        "m: json, which keeps integer and text unchanged",
        "t: text, since a datetime needs an offset, such as Z, unless --assume-zone is given",
        "f: text, since a datetime has at most six fractional digits",
        "e: json, since the elements of an empty array are unknown",
        "n: json, which keeps all digits: number would lose some",
        "o: json; schema infer --split makes records of these objects, which conditions can test",
        "d: text; if these are dates, pass --dates dmy, mdy or ymd, or use a map (datactl help maps)",
      ])
    let csv = try InferenceResult("thing_id,v,w\n1,3.10,\n2,3.9,\n3,x,\n", format: .csv)
    #expect(
      csv.notes == [
        "thing_id: integers become text, like all ids",
        "v: text, which keeps number and text unchanged",
        "w: text, since all values are empty",
      ])
  }

  @Test("counts the values of each JSON kind, and keeps one example of each kind")
  func findings() throws {
    let inferred = try schemas(
      """
      {"price":4}

      {"price":null}
      {"price":4.5,"PRICE_tag":"x"}
      {"price":5}
      """)[0]
    #expect(inferred.count == 4)
    #expect(
      inferred.findings == [
        InferredSchema.Finding(
          key: "price", field: Field("price", .number), nulls: 1, missing: 0,
          others: [InferredSchema.OtherValues(count: 2, kind: "integer", example: "4", line: 1)],
          example: "4.5"),
        InferredSchema.Finding(
          key: "PRICE_tag", field: Field("price_tag", .text), nulls: 0, missing: 3, others: [],
          example: "\"x\""),
      ])
  }
}
