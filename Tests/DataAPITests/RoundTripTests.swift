import DataAPI
import DataModel
import TestSupport
import Testing

/// Decoding an encoded value gives the same value.
@Suite("Words of the API", .tags(.random))
struct RoundTripTests {
  private static let texts = [
    "", "a", "todo", "ünï 👍", "a b+c%2F", "x=1&y=2", "\u{0}\n\r\t\"\\", "e\u{301}", ";q=0.5,", "-",
  ]

  @Test(
    "restores the parameters of a request from their encoded text",
    arguments: Seeds.count(test: 200, all: 2_000))
  func parameters(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let list = (0..<random.number(0...5)).map { _ in
      Parameters.Parameter("n" + random.pick(Self.texts), random.pick(Self.texts))
    }
    let parameters = Parameters(list)
    #expect(try Parameters(parsing: parameters.text.utf8) == parameters)
  }

  @Test(
    "restores entity tags and If-Match conditions from their encoded text",
    arguments: Seeds.count(test: 200, all: 2_000))
  func tags(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    func tag() -> EntityTag {
      let revision: Int64? = random.chance(70) ? Int64(random.number(1...Int.max)) : nil
      let hash = EntityTag(of: [UInt8(random.number(0...255))]).hash
      return EntityTag(
        revision: revision, hash: revision == nil || random.chance(70) ? hash : nil,
        isCompressed: random.chance(30))
    }
    let first = tag()
    #expect(EntityTag(first.text) == first)
    let condition = EntityCondition.tags([first, tag(), tag()])
    #expect(EntityCondition(condition.text, comparison: .strong) == condition)
    #expect(condition.matches(EntityTag(revision: first.revision, hash: first.hash)))
    #expect(EntityCondition("*", comparison: .strong) == .exists)
  }

  @Test(
    "restores the accepted media types from their encoded text",
    arguments: Seeds.count(test: 100, all: 1_000))
  func acceptedTypes(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let names = ResponseFormat.allCases.map(\.mediaType) + ["*/*", "text/*", "image/png"]
    let types = AcceptedTypes(
      (0..<random.number(0...6)).map { _ in
        .init(random.pick(names), weight: random.number(0...1_000))
      })
    #expect(AcceptedTypes(types.text) == types)
    for format in ResponseFormat.allCases {
      #expect(ResponseFormat(contentType: format.contentType) == format)
    }
  }

  @Test(
    "restores the accepted content codings from their encoded text",
    arguments: Seeds.count(test: 100, all: 1_000))
  func acceptedCodings(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let codings = AcceptedCodings(
      (0..<random.number(0...6)).map { _ in
        .init(
          random.pick(["gzip", "x-gzip", "identity", "*", "br"]), weight: random.number(0...1_000))
      })
    #expect(AcceptedCodings(codings.text) == codings)
  }

  @Test(
    "recognizes in Accept-Encoding whether a client accepts gzip",
    arguments: [
      ("gzip", true), ("GZIP", true), ("br, x-gzip;q=0.5", true), ("*", true), ("*;q=0.1", true),
      ("gzip;q=0", false), ("gzip;q=0, *", false), ("identity", false), ("", false), ("br", false),
      ("gzip;q=0.5, identity;q=0.8", false), ("gzip;q=0.5, identity;q=0.5", true),
      ("gzip;q=x", false),
    ])
  func gzip(header: String, isAccepted: Bool) {
    #expect(AcceptedCodings(header).includesGzip == isAccepted)
  }

  @Test(
    "restores the counts of saved and deleted records from their encoded text",
    arguments: Seeds.count(test: 50, all: 500))
  func counts(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let saved = SaveSummary(
      created: random.number(0...9), changed: random.number(0...9),
      same: random.number(0...Int.max),
      rejected: random.number(0...2))
    #expect(SaveSummary(header: saved.header) == saved)
  }

  @Test(
    "restores problem documents (RFC 9457) from their encoded text",
    arguments: Seeds.count(test: 200, all: 2_000))
  func problems(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    func text() -> String? { random.chance(50) ? random.pick(Self.texts) : nil }
    func number() -> Int? { random.chance(50) ? random.number(0...Int.max) : nil }
    let problems = (0..<random.number(1...4)).map { _ in
      var problem = Problem(
        random.pick(ErrorCode.allCases), random.pick(Self.texts), hint: text(), schema: text(),
        id: text(), field: text(), file: text(), line: number(), column: number())
      problem.path = text()
      return problem
    }
    // The parser of JSON does not accept NUL.
    let isValid = problems.allSatisfy { !"\($0)".contains("\u{0}") && !$0.json.contains("\\u0000") }
    let document = ProblemDocument(
      status: random.number(400...599), request: "r1", problems: problems,
      omitted: random.number(0...1))
    let json = document.json
    #expect(ProblemDocument(parsing: json.span) == (isValid ? document : nil))
  }

  @Test("restores documents about logins, sessions, passwords and callers from their encoded text")
  func sessions() throws {
    for user in Self.texts where user != Self.texts[6] {
      let logIn = LogInDocument(user: user, password: "p", days: 3)
      let text = logIn.json
      #expect(try LogInDocument(parsing: text.span) == logIn)
      let session = SessionDocument(token: "t", user: user, expires: .latest)
      let sessionText = session.json
      #expect(try SessionDocument(parsing: sessionText.span) == session)
      let password = PasswordDocument(old: nil, new: "n", user: user)
      let passwordText = password.json
      #expect(try PasswordDocument(parsing: passwordText.span) == password)
      let caller = UserDocument(user: user, expires: .latest)
      let callerText = caller.json
      #expect(try UserDocument(parsing: callerText.span) == caller)
    }
  }
}
