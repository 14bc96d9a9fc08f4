import DataModel
import Testing
import datactl

@Suite("Error formatting")
struct ErrorFormatterTests {
  private func text(_ problem: Problem) -> String {
    ErrorFormatter(DataError(problem)).formatted(as: .text)
  }

  @Test("prints location and message on the first line and the hint below")
  func placed() {
    #expect(
      text(
        Problem(
          .invalid, "required", schema: "todo", id: "7", field: "title", file: "a.ndjson", line: 350
        ))
        == "datactl: a.ndjson:350: title: required\n")
    #expect(
      text(
        Problem(
          .invalid, "expected integer, found text \"4 euro\"", hint: "write 4", schema: "todo",
          field: "price"))
        == "datactl: todo.price: expected integer, found text \"4 euro\"\n  write 4\n")
    #expect(
      text(Problem(.notFound, "there is no such record", schema: "todo", id: "7"))
        == "datactl: todo 7: there is no such record\n")
    #expect(
      text(Problem(.syntax, "a comma is missing", file: "-", line: 2, column: 9))
        == "datactl: standard input:2:9: a comma is missing\n")
    #expect(
      text(Problem(.schemaNotFound, "no schema tdo", hint: "did you mean todo?", schema: "tdo"))
        == "datactl: no schema tdo\n  did you mean todo?\n")
  }

  @Test("prints a repeated hint once, and the number of omitted problems")
  func many() {
    let problems = (1...32).map { Problem(.invalid, "wrong", hint: "mend it", file: "a", line: $0) }
    let lines = ErrorFormatter(DataError(problems) ?? DataError(.failed, "")).formatted(as: .text)
      .split(separator: "\n")
    #expect(lines.count == 22)
    #expect(lines[19] == "datactl: a:20: wrong")
    #expect(lines[20] == "  mend it")
    #expect(lines[21] == "datactl: and 12 more problems")
  }

  @Test("prints similar problems of more than three records as one")
  func similar() {
    func referenced(_ id: Int, to target: String = "games") -> Problem {
      var problem = Problem(
        .referenced, "cannot be deleted: product \"\(id)\" refers to it", schema: "section",
        id: target)
      problem.referrer = Problem.Referrer(schema: "product", id: "\(id)", field: "section")
      return problem
    }
    func text(_ problems: [Problem]) -> String? {
      DataError(problems).map { ErrorFormatter($0).formatted(as: .text) }
    }
    #expect(
      text((1...1_100).map { referenced($0) } + [referenced(1, to: "toys")])
        == """
        datactl: 1,100 records of product refer to section games: 1, 2, 3 and 1,097 more
        datactl: and 1 more problem

        """)
    #expect(
      text([1, 2, 3].map { referenced($0) } + [1, 2, 3, 4].map { referenced($0, to: "toys") })
        == """
        datactl: section games: cannot be deleted: product "1" refers to it
        datactl: section games: cannot be deleted: product "2" refers to it
        datactl: section games: cannot be deleted: product "3" refers to it
        datactl: 4 records of product refer to section toys: 1, 2, 3 and 1 more

        """)
    var dangling = (1...5).map { (line: Int) in
      Problem(
        .danglingReference, "there is no section \"x\"", hint: "save it", schema: "product",
        id: "p\(line)", field: "section", file: "a", line: line)
    }
    dangling.append(Problem(.invalid, "required", id: "p9", field: "name", file: "a", line: 9))
    #expect(
      text(dangling)
        == """
        datactl: a:1: section: there is no section "x" (5 records: p1, p2, p3 and 2 more)
          save it
        datactl: a:9: name: required

        """)
    let missing = DataError(
      (1...30).map { Problem(.notFound, "there is no such record", schema: "todo", id: "\($0)") })
    #expect(
      missing.map { ErrorFormatter($0).formatted(as: .text) }
        == "datactl: todo: there is no such record (30 records: 1, 2, 3 and 27 more)\n")
    let json = missing.map { ErrorFormatter($0).formatted(as: .json) }?.split(separator: "\n") ?? []
    #expect(json.count == 21)
    #expect(
      json[20] == """
        {"code":"not_found","message":"and 10 more problems","hint":null,"schema":null,"id":null,\
        "field":null,"file":null,"line":null,"column":null,"count":10}
        """)
  }

  @Test("prints after the problems and their count up to which line the records were saved")
  func partialCommit() {
    let problems = (1...22).map { Problem(.invalid, "wrong", file: "a", line: $0) }
    var error = DataError(problems) ?? DataError(.failed, "")
    error.partialCommit = Problem(.stopped, "everything is saved up to line 20", line: 20)
    #expect(error.code == .invalid)
    #expect(
      ErrorFormatter(error).formatted(as: .text).hasSuffix(
        "datactl: and 2 more problems\ndatactl: everything is saved up to line 20\n"))
    #expect(
      ErrorFormatter(error).formatted(as: .json).hasSuffix(
        """
        {"code":"stopped","message":"everything is saved up to line 20","hint":null,\
        "schema":null,"id":null,"field":null,"file":null,"line":20,"column":null}

        """))
  }

  @Test("escapes control characters")
  func control() {
    #expect(
      text(Problem(.usage, "found \u{1B}]0;x\u{7}", hint: "a\u{9B}b"))
        == "datactl: found \\u001b]0;x\\u0007\n  a\\u009bb\n")
  }

  @Test("places the caret under the right character even after wide characters")
  func carets() {
    #expect(
      text(Problem(.usage, "wrong", hint: "名 = '日本' x\n         ^\nmend it"))
        == "datactl: wrong\n  名 = '日本' x\n              ^\n  mend it\n")
    #expect(
      text(Problem(.usage, "wrong", hint: "a = 1 x\n      ^"))
        == "datactl: wrong\n  a = 1 x\n        ^\n")
  }

  @Test("prints an error as a JSON object in which missing values are null")
  func json() {
    #expect(
      ErrorFormatter(DataError(Problem(.notUnique, "a \"b\"", schema: "todo", line: 3))).formatted(
        as: .json)
          == """
          {"code":"not_unique","message":"a \\"b\\"","hint":null,"schema":"todo","id":null,\
          "field":null,"file":null,"line":3,"column":null}

          """)
  }

  @Test("exits with a documented nonzero status for every error code")
  func statuses() {
    let allowed: Set<Int32> = [1, 2, 3, 4, 5, 6, 7, 130]
    for code in ErrorCode.allCases {
      #expect(allowed.contains(code.exitStatus), "\(code)")
    }
    #expect(Set(ErrorCode.allCases.map(\.exitStatus)) == allowed)
    let store = ErrorCode.allCases.filter { $0.exitStatus == 7 }
    #expect(
      store == [
        .storeNotFound, .storeUnreachable, .outcomeUnknown, .notAStore, .storeTooNew,
        .unfinishedCopy, .storeDamaged, .storeBusy, .storeReadOnly, .storeFull, .fileFailed,
      ])
    let other = ErrorCode.allCases.filter { $0.exitStatus == 1 }
    #expect(
      other == [.libraryMissing, .outputFailed, .stopped, .findings, .declined, .failed])
  }
}
