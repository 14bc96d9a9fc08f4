import DataAPI
import DataModel
import Testing

@Suite("Parsing requests")
struct ParsingTests {
  @Test("rejects parameters with invalid escapes or bytes that are not UTF-8")
  func invalidParameters() {
    for text in ["a=%", "a=%4", "a=%zz", "%=1"] {
      #expect(throws: Parameters.ParseError.invalidEscape) { try Parameters(parsing: text.utf8) }
    }
    #expect(throws: Parameters.ParseError.notUTF8) { try Parameters(parsing: "a=%FF".utf8) }
    #expect(throws: Parameters.ParseError.notUTF8) {
      try PercentEncoding.decode("%C3".utf8, as: .path)
    }
  }

  @Test("decodes a plus sign as a space in forms, but not in paths")
  func plus() throws {
    #expect(try Parameters(parsing: "a+b=c+d".utf8).list == [.init("a b", "c d")])
    #expect(try PercentEncoding.decode("a+b%2Fc".utf8, as: .path) == "a+b/c")
  }

  @Test("rejects invalid entity tags")
  func invalidTags() {
    for text in [
      "", "\"\"", "\"-\"", "1", "\"x\"", "\"0\"", "\"-1\"", "\"01\"", "\"1-ABCDEF01\"",
      "\"1-abcdef012\"", "\"1-abcdef0g\"", "\"+1\"",
    ] {
      #expect(EntityTag(text) == nil, "\(text)")
    }
    let tag = EntityTag(revision: 3, hash: "00c0ffee")
    func matches(_ header: String, _ comparison: EntityCondition.Comparison = .strong) -> Bool {
      EntityCondition(header, comparison: comparison).matches(tag)
    }
    #expect(matches("\"3\"") && !matches("\"2\""))
    #expect(matches("\"3-00c0ffee\"") && !matches("\"3-00c0ffed\""))
    #expect(matches("W/\"3-00c0ffee\"", .weak) && !matches("W/\"3-00c0ffee\""))
    #expect(matches("W/\"3\"", .weak) && !matches("W/\"3\""))
    #expect(EntityCondition("junk", comparison: .weak) == .tags([]))
    let both = EntityCondition("\"3\", \"2-00c0ffee\"", comparison: .weak)
    #expect(both.withoutRevisions.text == "\"2-00c0ffee\"")
  }

  @Test("chooses the accepted format with the highest q in Accept, or the first of equal formats")
  func formats() {
    let offered: [ResponseFormat] = [.ndjson, .json, .csv]
    let cases: [(String, ResponseFormat?)] = [
      ("application/json", .json), ("text/csv;q=0.5, application/json;q=0.4", .csv),
      ("*/*", .ndjson), ("text/*", .csv), ("image/png", nil), ("application/json;q=0", nil),
      ("*/*, application/x-ndjson;q=0", .json), ("APPLICATION/JSON", .json), (",;,", nil),
      ("application/json;q=2", nil), ("application/json;q=0.1234", nil),
    ]
    for (header, format) in cases {
      #expect(AcceptedTypes(header).preferred(among: offered) == format, "\(header)")
    }
  }

  @Test(
    "gives each error code an HTTP status that corresponds to the exit status, such as 404 for 3")
  func statuses() {
    let expected: [Int32: Set<Int>] = [
      1: [500], 2: [400], 3: [404], 4: [401, 403, 429], 5: [409], 6: [422], 7: [500, 503],
      130: [503],
    ]
    for code in ErrorCode.allCases {
      #expect(expected[code.exitStatus]?.contains(code.httpStatus) == true, "\(code)")
    }
    #expect(ErrorCode.throttled.httpStatus == 429)
    #expect(ErrorCode.storeBusy.httpStatus == 503)
    #expect(ErrorCode.storeDamaged.httpStatus == 500)
  }

  @Test("reveals only the id of the request when an internal error occurs")
  func internalErrors() {
    for code in ErrorCode.allCases where code.isInternal {
      let error = DataError(
        Problem(code, "canary", hint: "canary", schema: "canary", file: "canary"))
      let document = ProblemDocument(error, request: "r42")
      let json = String(decoding: document.json, as: UTF8.self)
      #expect(!json.contains("canary"), "\(json)")
      #expect(json.contains("r42"))
      #expect(document.status == 500)
    }
  }

  @Test("names parameters and routes of the API in errors, instead of options and commands")
  func words() {
    let cases: [(String, String)] = [
      ("--limit is given twice", "limit is given twice"),
      ("pass --allow-loss post", "pass allow_loss post"),
      (
        "read the record again, or pass --any-revision",
        "read the record again, or pass any_revision"
      ),
      ("--where, --order: x", "where, order: x"),
      ("from the output of -o page", "from the output of output=page"),
      (
        "expected a, found \"--any-revision -o page\"",
        "expected a, found \"--any-revision -o page\""
      ),
      ("a -- b --- c well-known 3-o 4", "a -- b --- c well-known 3-o 4"),
    ]
    for (text, expected) in cases {
      let document = ProblemDocument(DataError(.usage, text, hint: text), request: "r")
      #expect(document.problems == [Problem(.usage, expected, hint: expected)], "\(text)")
    }
    let hints: [(String, String?)] = [
      ("log in: datactl login", "log in: POST /v1/login"),
      ("change it: datactl passwd", "change it: POST /v1/password"),
      ("see datactl schema show todo", "see GET /v1/schemas/todo"),
      ("a --b = \"\n  ^\npass --where", "a --b = \"\n  ^\npass where"),
      ("list all functions: datactl list function", nil),
    ]
    for (text, expected) in hints {
      let document = ProblemDocument(DataError(.usage, "m", hint: text), request: "r")
      #expect(document.problems[0].hint == expected, "\(text)")
    }
  }

  @Test("rejects unknown keys and wrong types in request bodies, without showing their values")
  func bodies() {
    for text in [
      #"{"user":"ann","pasword":"canary"}"#, #"{"user":"ann"}"#, #"["canary"]"#,
      #"{"user":"ann","password":{"canary":1}}"#, #"{"user":"ann","password":"p","days":"canary"}"#,
    ] {
      let bytes = Array(text.utf8)
      do throws(DataError) {
        _ = try LogInDocument(parsing: bytes.span)
        Issue.record("\(text) was accepted")
      } catch {
        #expect(!"\(error)".contains("canary"))
      }
    }
    let both = Array(#"{"old":"a","new":"b","user":"c"}"#.utf8)
    #expect(throws: DataError.self) { try PasswordDocument(parsing: both.span) }
  }
}
