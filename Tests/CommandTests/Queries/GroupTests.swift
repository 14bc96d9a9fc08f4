import ProgramHarness
import Testing

@Suite("Groups and distinct values on the command line", .onEveryStore)
struct GroupTests {
  private func library() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.saveLibrary()
    return folder
  }

  @Test("prints the number of distinct values, including null, with --distinct and --count")
  func distinctCount() throws {
    let folder = try library()
    #expect(try folder.run("list", "book", "--distinct", "pages").exits(0).lines.count == 3)
    try folder.run("list", "book", "--distinct", "pages", "--count").prints("3\n")
    try folder.run("list", "book", "--distinct", "pages", "--count", "-o", "json").prints(
      "{\"count\":3}\n")
    try folder.run("list", "book", "pages=7", "--distinct", "pages", "--count").prints("0\n")
    try folder.run("list", "book", "--distinct", "pages", "--count", "-o", "csv").exits(2)
    try folder.run("list", "book", "--distinct", "pages", "--count", "--order", "-pages").prints(
      "3\n")
    try folder.run("list", "book", "--distinct", "pages", "--count", "--order", "title").exits(2)
      .reports("cannot order distinct values of pages by title")
    try folder.run("list", "book", "--count", "--order", "pages").exits(2).reports(
      "--count and --order cannot be used together")
  }

  @Test("names the same sum in the error on every engine when two sums are too large")
  func largeSums() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "item", "i:integer", "f:number")
    let record = #"{"i":9223372036854775807,"f":1.7e308}"# + "\n"
    try folder.prepare("save", "item", "-o", "none", input: .text(record + record))
    try folder.run("list", "item", "--sum", "i,f").exits(6).printsNothing().reports(
      "sum_i: the sum does not fit in 64 bits")
    try folder.run("list", "item", "--avg", "f", "--sum", "f").exits(6).printsNothing().reports(
      "sum_f: the sum exceeds the range of a number")
  }

  @Test("lists the columns of the groups when --having or --order names an unknown column")
  func unknownColumns() throws {
    let folder = try library()
    let list = ["list", "book", "--group-by", "lent"]
    try folder.program.run(list + ["--having", "cuont > 1"]).exits(2).reports(
      "the groups have no column cuont", "did you mean count?")
    try folder.program.run(list + ["--having", "sum_pages > 1"]).exits(2).reports(
      "the groups have no column sum_pages",
      "the columns are lent, count; for this one, pass --sum pages")
    for condition in ["revision > 0", "createdAt > now()", "book_id = 'x'"] {
      try folder.program.run(list + ["--having", condition]).exits(2).reports(
        "the groups have no column", "the columns are lent, count")
    }
    try folder.program.run(list + ["--having", "count > pages"]).exits(2).reports(
      "the groups have no column pages", "the columns are lent, count")
    try folder.program.run(list + ["--order", "revision * 2"]).exits(2).reports(
      "the groups have no column revision")
    try folder.run("list", "book", "--group-by", "revision", "--having", "revision > 0").exits(0)
  }

  @Test("prints the counts of groups even without --count, but rejects --group-by with -o ids")
  func formats() throws {
    let folder = try library()
    try folder.run("list", "book", "--group-by", "pages,lent", "-o", "ids").exits(2)
      .printsNothing().reports("ids")
    try folder.run("list", "book", "--group-by", "pages", "-o", "page").exits(2)
    try folder.run("list", "book", "--distinct", "pages", "-o", "ids").exits(2).printsNothing()
    try folder.run("list", "book", "--group-by", "").exits(2).reports(
      "the name of a field of book is missing")
    let plain = try folder.run("list", "book", "--group-by", "pages").exits(0).output
    try folder.run("list", "book", "--group-by", "pages", "--count").prints(plain)
    try folder.run("list", "book", "--group-by", "pages", "--count", "--order", "-count,-pages")
      .prints(
        """
        {"pages":50,"count":2}
        {"pages":100,"count":1}
        {"pages":null,"count":1}

        """)
  }

  @Test("names both options in the error when two options exclude each other")
  func exclusions() throws {
    let folder = try library()
    for option in ["--sum", "--avg", "--median", "--min", "--max"] {
      for other in ["--distinct", "--section-by"] {
        try folder.run("list", "book", other, "title", option, "price").exits(2).printsNothing()
          .reports(option).reports(other)
      }
    }
  }

  @Test("explains why a grouping, an order or a condition is invalid, and suggests a correction")
  func errors() throws {
    let folder = try library()
    try folder.run("list", "book", "--distinct", "tags").exits(2).reports(
      "cannot list distinct values of tags, which is an array")
    try folder.run("list", "book", "--group-by", "tags").exits(2).reports("cannot group by tags")
    try folder.run("list", "book", "--distinct", "lent", "--order", "-count").exits(2).reports(
      "cannot order distinct values of lent by count, which is not a column of the result")
    try folder.run("list", "book", "--group-by", "lent", "--sum", "price", "--order", "price")
      .exits(2).reports("did you mean sum_price?")
    try folder.run("list", "book", "--where", "price > 1,5").exits(2).reports(
      #"expected "and" or "or", found ",""#
    ).reports("use a decimal point: 1.5")
    let error = try folder.run(
      "list", "shelf", "--where", "books is null", "--errors", "json"
    ).exits(2).errors
    #expect(error.contains(#""schema":"shelf""#) && error.contains(#""field":"books""#))
  }

  @Test("prints the median of each group, and sorts and filters groups by the median")
  func medians() throws {
    let folder = try library()
    try folder.run("list", "book", "--median", "pages").prints(
      "{\"count\":4,\"median_pages\":50}\n")
    try folder.run(
      "list", "book", "--group-by", "lent", "--median", "pages", "--order", "-median_pages",
      "--having", "median_pages > 50"
    ).prints("{\"lent\":true,\"count\":1,\"median_pages\":100}\n")
    try folder.run("list", "book", "--median", "title").exits(2).reports(
      "cannot take the median of title, which is text")
    try folder.run("list", "book", "--sum", "price", "--order", "median_pages").exits(2).reports(
      "pass --median pages")
  }

  @Test("prints aggregates of computed values, and sorts and filters groups by these aggregates")
  func computedValues() throws {
    let folder = try library()
    let aggregates = ["--sum", "total = price * pages", "--avg", "length(title)"]
    try folder.program.run(["list", "book", "--group-by", "lent"] + aggregates).prints(
      """
      {"lent":null,"count":1,"total":null,"avg_length_title":4}
      {"lent":false,"count":2,"total":100,"avg_length_title":4.5}
      {"lent":true,"count":1,"total":450,"avg_length_title":3}

      """)
    try folder.program.run(
      ["list", "book", "--group-by", "lent", "--order", "-avg_length_title"] + aggregates
        + ["--having", "total >= 100", "--limit", "1"]
    ).prints("{\"lent\":false,\"count\":2,\"total\":100,\"avg_length_title\":4.5}\n")
    let plan = try folder.program.run(["list", "book", "--explain"] + aggregates).exits(0)
    #expect(
      plan.lines.contains("aggregates count,total = sum(price * pages),avg_length_title"))
    try folder.run("list", "book", "--sum", "price * pages").exits(2).reports(
      "a computed column needs a name"
    ).reports("total = price * amount")
    try folder.run("list", "book", "--min", "lent = pages + 1").exits(2).reports(
      "lent is a field of book")
    try folder.run("list", "book", "--sum", "lower(title)").exits(2).reports(
      "cannot add up lower_title, which is text")
    try folder.run("list", "shelf", "--sum", "n = books.price * books.pages").exits(2).reports(
      "books.price may have several values")
  }

  @Test("accepts a parameter that only --group-by, --having or --fields uses")
  func parameters() throws {
    let folder = try library()
    try folder.run("list", "book", "--sum", "n = pages * :k", "--param", "k=2").prints(
      "{\"count\":4,\"n\":400}\n")
    try folder.run(
      "list", "book", "--group-by", "n = pages * :n", "--having", "count > :c", "--param", "n=2",
      "--param", "c=1"
    ).prints("{\"n\":100,\"count\":2}\n")
    try folder.run(
      "list", "book", "pages=100", "--fields", "n = pages + %?", "--param", "1=5"
    ).prints("{\"book_id\":\"a\",\"n\":105}\n")
    try folder.run("list", "book", "--fields", "n = pages + 1", "--param", "x=5").exits(2).reports(
      "no condition uses the parameter x")
  }

  @Test("computes an average of numbers even when their sum would overflow")
  func averages() throws {
    let folder = try library()
    try folder.prepare(
      "save", "book",
      input: .text(
        """
        {"title":"x","price":1e308}
        {"title":"x","price":1e308}
        {"title":"x","price":1e308}
        """))
    let answer = try folder.run("list", "book", "title=x", "--avg", "price").exits(0)
    #expect(answer.output == #"{"count":3,"avg_price":1e308}"# + "\n")
    try folder.run("list", "book", "title=x", "--sum", "price").exits(6)
  }
}
