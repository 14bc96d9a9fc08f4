import ProgramHarness
import Testing

@Suite("Output formats of list")
struct ListOutputTests {
  private func library() async throws -> CommandFolder {
    let folder = try CommandFolder()
    try await folder.save(.library)
    return folder
  }

  @Test(
    "prints fields of related records, such as author.boss.name, with the whole path as the key")
  func fields() async throws {
    let folder = try await library()
    try await folder.run(
      "list", "book", "--fields", "title,author.name,author.boss.name", "--limit", "2"
    )
    .prints(
      """
      {"book_id":"a","title":"Tea","author.name":"Ann","author.boss.name":null}
      {"book_id":"b","title":"Bread","author.name":"Bob","author.boss.name":"Ann"}

      """)
    try await folder.run("list", "book", "--fields", "author.name", "-o", "csv", "--limit", "1")
      .prints(
        "book_id,author.name\r\na,Ann\r\n")
    try await folder.run("list", "shelf", "--fields", "books.title").exits(2).reports("to-many")
    try await folder.run("list", "book", "--fields", "author.nme").exits(2).reports(
      "did you mean name?")
  }

  @Test("selects all declared fields with *, and leaves out a field that follows a minus sign")
  func fieldSets() async throws {
    let folder = try await library()
    for (fields, columns) in [
      ("*", "book_id,title,price,pages,lent,tags,author"),
      ("*,-tags, -price,revision", "book_id,title,pages,lent,author,revision"),
      (
        "-tags,-price",
        "book_id,title,pages,lent,author,created_at,created_by,modified_at,"
          + "modified_by,revision"
      ),
      (
        "*,-book_id,-author,author.name,n = length(title)",
        "book_id,title,price,pages,lent,tags,author.name,n"
      ),
      ("title,n = length(lower(title)),-price", "book_id,title,n"),
      ("tags,title", "book_id,tags,title"),
      ("title,book_id,tags", "title,book_id,tags"),
      ("author.name,title,revision,title,author.name", "book_id,author.name,title,revision"),
      ("n = pages,title,n = pages,*", "book_id,n,title,price,pages,lent,tags,author"),
      ("author,*,revision,title", "book_id,author,price,pages,lent,tags,revision,title"),
      ("*,book_id", "title,price,pages,lent,tags,author,book_id"),
    ] {
      let list = try await folder.run("list", "book", "--fields", fields, "-o", "csv").exits(0)
      #expect(list.lines.first?.hasPrefix(columns) == true, "\(fields): \(list.lines.first ?? "")")
      #expect(list.lines.first?.count(where: { $0 == "," }) == columns.count { $0 == "," })
      let get = try await folder.run("get", "book", "a", "--fields", fields, "-o", "csv").exits(0)
      #expect(get.lines.first == list.lines.first)
    }
    try await folder.run("list", "book", "--fields", "*,-titel").exits(2).reports(
      "did you mean title?")
    try await folder.run("list", "book", "--fields", "-author.name").exits(2).reports(
      "only a field of book can be left out")
    try await folder.run("list", "book", "--group-by", "*").exits(2).reports("expected a field")
    try await folder.run("list", "book", "--fields", "a = pages, a = price").exits(2).reports(
      "two columns are named a", "other_a = …")
    try await folder.run("list", "book", "--group-by", "count = pages").exits(2).reports(
      "two columns are named count", "other_count = …")
  }

  @Test("prints the columns in the order of --fields in every format")
  func columnOrder() async throws {
    let folder = try await library()
    let list = ["list", "book", "--fields", "tags,n = length(title),title", "--limit", "1", "-o"]
    for (format, output) in [
      ("ndjson", "{\"book_id\":\"a\",\"tags\":[\"hot\"],\"n\":3,\"title\":\"Tea\"}\n"),
      ("json", "[\n{\"book_id\":\"a\",\"tags\":[\"hot\"],\"n\":3,\"title\":\"Tea\"}\n]\n"),
      ("csv", "book_id,tags,n,title\r\na,\"[\"\"hot\"\"]\",3,Tea\r\n"),
      ("tsv", "book_id\ttags\tn\ttitle\na\t[\"hot\"]\t3\tTea\n"),
      ("md", "| book_id | tags | n | title |\n| --- | --- | ---: | --- |\n| a | hot | 3 | Tea |\n"),
      (
        "xml",
        """
        <records schema="book">
        <book book_id="a"><tags><item>hot</item></tags><n>3</n><title>Tea</title></book>
        </records>

        """
      ), ("ids", "a\n"),
    ] {
      try await folder.run(list + [format]).exits(0).prints(output)
    }
    try await folder.run("list", "book", "--fields", "title,book_id", "-o", "ids").exits(0).prints(
      "a\nb\nc\nd\n")
    let page = try await folder.run(
      "list", "book", "--fields", "pages,title,book_id", "--limit", "1", "-o", "page"
    ).exits(0).output
    #expect(page.contains("{\"pages\":100,\"title\":\"Tea\",\"book_id\":\"a\"}"), "\(page)")
    try await folder.run(
      "get", "book", "a", "--fields", "revision,title,book_id", "-o", "xml"
    ).exits(0).prints(
      """
      <records schema="book">
      <book revision="1" book_id="a"><title>Tea</title></book>
      </records>

      """)
    for (arguments, columns) in [
      (
        ["author.name,author,title", "--flatten"],
        "book_id,author.name,author.person_id,author.boss,author.created_at,author.created_by,"
          + "author.modified_at,author.modified_by,author.revision,title"
      ), (["pages"], "book_id,pages,author"), (["author,pages"], "book_id,author,pages"),
    ] {
      let list = try await folder.run(
        ["list", "book", "--expand", "author", "-o", "csv", "--fields"] + arguments
      ).exits(0)
      #expect(list.lines.first == columns + "\r")
    }
  }

  @Test("prints the values of one column without quotes, one per line, with -o lines")
  func lines() async throws {
    let folder = try await library()
    for (arguments, output) in [
      (["--fields", "title"], "Tea\nBread\nÉlan\n1984\n"),
      (["--fields", "book_id"], "a\nb\nc\nd\n"),
      (["--fields", "tags"], "[\"hot\"]\n\n[\"hot\",\"new\"]\n\n"),
      (["--fields", "n = length(title)", "--order", "-n"], "5\n4\n4\n3\n"),
      (["--fields", "author.name,author.name"], "Ann\nBob\nAnn\n\n"),
      (["--distinct", "author"], "\nann\nbob\n"), (["--count"], "4\n"),
      (["--distinct", "author", "--count"], "3\n"), (["--max", "title"], "Élan\n"),
      (["--sum", "n = length(title)"], "16\n"),
      (["--sum", "pages", "--where", "false"], "\n"),
    ] {
      try await folder.run(["list", "book", "-o", "lines"] + arguments).exits(0).prints(output)
    }
    let owner = try await folder.run(
      "list", "book", "--fields", "author", "--expand", "author", "-o", "lines"
    ).exits(0).lines
    #expect(owner[0].hasPrefix("{\"person_id\":\"ann\"") && owner[3].isEmpty, "\(owner)")
    try await folder.run("get", "book", "b", "a", "--fields", "title", "-o", "lines").prints(
      "Bread\nTea\n")
    for arguments in [
      [], ["--fields", "title,pages"], ["--fields", "*"], ["--fields", "-title"],
      ["--fields", "title", "--expand", "author"], ["--group-by", "author"],
      ["--group-by", "author", "--sum", "pages"], ["--sum", "pages,price"],
      ["--fields", "title", "--with-files"], ["--section-by", "title", "--fields", "title"],
      ["--fields", "title", "--map", "camel"], ["--explain"],
    ] {
      try await folder.run(["list", "book", "-o", "lines"] + arguments).exits(2)
    }
    try await folder.run("save", "book", "x", "title=a\nb", "-o", "lines").exits(2)
    try await folder.run("save", "book", "x", "title=a\nb").exits(0)
    try await folder.run("list", "book", "--fields", "title", "-o", "lines").exits(6).prints(
      "Tea\nBread\nÉlan\n1984\n"
    ).reports("book.title: the value has several lines", "-o ndjson")
    try await folder.run("list", "book", "--distinct", "title", "-o", "lines").exits(6).reports(
      "title: the value has several lines")
  }

  @Test("omits system fields from a table on a terminal unless --system is given")
  func systemFields() async throws {
    let folder = try await library()
    let wide = folder.with(["COLUMNS": "300"])
    for arguments in [["list", "book"], ["get", "book", "a", "-o", "table"]] {
      let plain = try await wide.run(arguments, output: .terminal).exits(0).output
      #expect(plain.contains("author") && !plain.contains("modified_at"), "\(arguments)")
      let whole = try await wide.run(arguments + ["--system"], output: .terminal).exits(0).output
      #expect(whole.contains("modified_at"), "\(arguments)")
      #expect(try await wide.run(arguments).exits(0).output.contains("modified_at"))
    }
    let saved = try await wide.run(["save", "book", "a", "pages=7"], output: .terminal).exits(0)
      .output
    #expect(saved.contains("author") && !saved.contains("modified_at"))
    try await folder.run("list", "book", "--system", "--fields", "title").exits(2)
  }

  @Test("replaces ids with related records across up to three relations when --expand is given")
  func expansion() async throws {
    let folder = try await library()
    let shelf = try await folder.run("list", "shelf", "--expand", "books.author.boss,keeper").exits(
      0)
    let record = try shelf.json
    #expect(record["keeper"]?["name"]?.text == "Bob")
    let books = record["books"]?.elements ?? []
    #expect(books.compactMap { $0["book_id"]?.text } == ["b", "a"])
    #expect(books.first?["author"]?["boss"]?["name"]?.text == "Ann")
    #expect(books.last?["author"]?["boss"]?["name"] == nil)
    let csv = try await folder.run(
      "list", "book", "--fields", "title", "--expand", "author", "-o", "csv", "--limit", "1"
    ).exits(0)
    #expect(csv.output.contains("\"{\"\"person_id\"\":\"\"ann\"\""))
    try await folder.run("list", "shelf", "--expand", "books.author.boss.boss").exits(2).reports(
      "more than 3 relations")
    try await folder.run("list", "book", "--expand", "title").exits(2).reports("not a relation")
    try await folder.run("list", "book", "--expand", "autor").exits(2).reports(
      "did you mean author?")
  }

  @Test("restores the same records from the TSV that list prints")
  func tabs() async throws {
    let folder = try await library()
    try await folder.run("list", "book", "--fields", "title,tags,author", "-o", "tsv").exits(0)
      .prints(
        """
        book_id\ttitle\ttags\tauthor
        a\tTea\t["hot"]\tann
        b\tBread\t\tbob
        c\tÉlan\t["hot","new"]\tann
        d\t1984\t\t

        """)
    let odd = #"{"book_id":"x","title":"\"a\" b\tc\nd"}{"book_id":"y","title":"a \"b\""}"#
    try await folder.run("save", "book", input: .text(odd)).exits(0)
    try await folder.run(
      "list", "book", "--fields", "title", "--where", "book_id > 'w'", "-o", "tsv"
    )
    .exits(0).prints("book_id\ttitle\nx\t\"\"\"a\"\" b\tc\nd\"\ny\ta \"b\"\n")
    let whole = try await folder.run("list", "book", "-o", "tsv").exits(0).output
    try await folder.run("save", "book", "-o", "none", input: .text(whole)).exits(0).reports(
      "6 saved: 6 the same")
    try await folder.run("get", "book", "a", "--fields", "title", "-o", "tsv").exits(0).prints(
      "book_id\ttitle\na\tTea\n")
    try await folder.run("list", "book", "--group-by", "pages", "--limit", "1", "-o", "tsv").exits(
      0
    )
    .prints("pages\tcount\n\t3\n")
  }

  @Test("prints Markdown tables without system fields, unless --system is given")
  func markdown() async throws {
    let folder = try await library()
    try await folder.run("save", "book", "x", "title=a|b*<i>\\\nc", "price=-1", "-o", "md").exits(0)
      .prints(
        #"""
        | book_id | title | price | pages | lent | tags | author |
        | --- | --- | ---: | ---: | --- | --- | --- |
        | x | a\|b\*&lt;i&gt;\\<br>c | -1 |  |  |  |  |

        """#)
    try await folder.run("get", "book", "a", "-o", "md", "--fields", "title,revision").exits(0)
      .prints(
        "| book_id | title | revision |\n| --- | --- | ---: |\n| a | Tea | 1 |\n")
    try await folder.run("list", "book", "--where", "false", "--fields", "title", "-o", "md").exits(
      0
    )
    .prints("| book_id | title |\n| --- | --- |\n")
    try await folder.run("list", "book", "--group-by", "lent", "-o", "md").exits(0).prints(
      "| lent | count |\n| --- | ---: |\n|  | 2 |\n| false | 2 |\n| true | 1 |\n")
    try await folder.run("list", "book", "--section-by", "title", "-o", "md").exits(2).reports("md")
    for command in [["list", "book"], ["get", "book", "a"], ["save", "book", "a", "title=Tea"]] {
      let header = try await folder.run(command + ["-o", "md", "--system"]).exits(0).output
      #expect(header.contains("| author | created_at |"), "\(command)")
    }
  }

  @Test("prints the fields of related records as columns with --flatten")
  func flatten() async throws {
    let folder = try await library()
    let table = ["list", "book", "--fields", "title,author", "--expand", "author", "--flatten"]
    try await folder.run(table + ["--limit", "2", "-o", "md"]).exits(0).prints(
      """
      | book_id | title | author.person_id | author.name | author.boss |
      | --- | --- | --- | --- | --- |
      | a | Tea | ann | Ann |  |
      | b | Bread | bob | Bob | ann |

      """)
    let nested = try await folder.run(
      "list", "book", "--expand", "author.boss", "--flatten", "-o", "tsv", "--where",
      "author.boss.name = 'Ann'"
    ).exits(0).output
    let lines = nested.split(separator: "\n").map { $0.split(separator: "\t") }
    #expect(lines[0].contains("author.boss.name") && !lines[0].contains("author"))
    #expect(lines[1].contains("Ann"))
    try await folder.run(
      "get", "book", "d", "--expand", "author", "--flatten", "-o", "csv", "--fields",
      "author.name"
    ).exits(0).prints(
      "book_id,author.name,author.person_id,author.boss,author.created_at,author.created_by,"
        + "author.modified_at,author.modified_by,author.revision\r\nd,,,,,,,,\r\n")
    try await folder.run("list", "shelf", "--expand", "keeper,books", "--flatten", "-o", "csv")
      .exits(0)
    try await folder.run("list", "shelf", "--expand", "keeper", "--flatten").exits(2).reports(
      "--flatten needs -o csv, -o tsv or -o md")
    try await folder.run("list", "shelf", "--flatten", "-o", "csv").exits(2).reports("--expand")
  }

  @Test("accepts the same --fields and --expand in get as in list")
  func get() async throws {
    let folder = try await library()
    let book = try await folder.run("get", "book", "a", "--fields", "title", "--expand", "author")
      .exits(
        0
      )
      .json
    #expect(book.keys == ["author", "book_id", "title"])
    #expect(book["author"]?["name"]?.text == "Ann")
    let shelf = try await folder.run("get", "shelf", "s", "--expand", "books.author").exits(0).json
    #expect(shelf["books"]?.elements.compactMap { $0["author"]?["name"]?.text } == ["Bob", "Ann"])
    try await folder.run("get", "book", "a", "--expand", "title").exits(2).reports("not a relation")
    try await folder.run("get", "book", "a", "--expand", "author", "--content", "title").exits(2)
    try await folder.run("get", "book", "a", "x", "--expand", "author").exits(3).reports("x")
    let paths = ["--fields", "title,author.name,author.boss.name"]
    try await folder.run(["get", "book", "b", "x", "a", "b", "-o", "csv"] + paths).exits(3)
      .prints(
        "book_id,title,author.name,author.boss.name\r\nb,Bread,Bob,Ann\r\na,Tea,Ann,\r\n"
          + "b,Bread,Bob,Ann\r\n"
      ).reports("x: there is no such record")
    try await folder.run(["get", "book", "a", "--by", "book_id", "-o", "json"] + paths).prints(
      #"{"book_id":"a","title":"Tea","author.name":"Ann","author.boss.name":null}"# + "\n")
    try await folder.run("get", "shelf", "s", "--fields", "books.title").exits(2).reports("to-many")
  }

  @Test("reports a record that would exceed 256 MiB because --expand adds related records")
  func longRecords() async throws {
    let folder = try CommandFolder()
    try await folder.prepare("schema", "create", "node", "next:node+")
    let ids = (10..<90).map { "\"n\($0)\"" }
    let records = ids.map { "{\"node_id\":\($0),\"next\":[\(ids.joined(separator: ","))]}\n" }
    let text = #"{"node_id":"a","next":["b"]}{"node_id":"b"}"# + records.joined()
    try await folder.prepare("save", "node", "-o", "none", input: .text(text))
    let message = "node n10: the record would exceed 256 MiB with its related records\n"
    let expanded = ["--fields", "next", "--expand", "next.next.next"]
    for format in ["ndjson", "json", "csv", "xml", "table"] {
      let run = try await folder.run(
        ["list", "node", "--limit", "3", "-o", format] + expanded
      ).exits(6).reports(message)
      #expect(run.output.contains("b") && !run.output.contains("n10"), "\(format)")
    }
    try await folder.run(["get", "node", "n10"] + expanded).exits(6).printsNothing()
      .reports(message)
    // A record of a few megabytes is written in pieces.
    let long = try await folder.run(
      ["get", "node", "n10", "--fields", "next", "--expand", "next.next"]
    ).exits(0)
    #expect(long.output.count > 4_000_000 && long.output.utf8.filter { $0 == 0x0A }.count == 1)
    #expect(long.output.hasPrefix(#"{"node_id":"n10","next":[{"node_id":"n10","next":[{"#))
    #expect(long.output.hasSuffix("\"revision\":1}]}\n"))
  }

  @Test("prints each distinct value, including null, on its own line with --distinct")
  func distinct() async throws {
    let folder = try await library()
    try await folder.run("list", "book", "--distinct", "pages").prints("null\n50\n100\n")
    try await folder.run("list", "book", "--distinct", "author.name", "-o", "json").prints(
      "[\nnull,\n\"Ann\",\n\"Bob\"\n]\n")
    try await folder.run("list", "book", "--distinct", "pages", "--order", "-pages", "--limit", "1")
      .prints("100\n")
    try await folder.run("list", "book", "--distinct", "tags").exits(2).reports("tags")
  }

  @Test("prints the count and the aggregates of each group with --group-by")
  func groups() async throws {
    let folder = try await library()
    try await folder.run(
      "list", "book", "--group-by", "lent", "--sum", "price,pages", "--max", "pages"
    ).prints(
      """
      {"lent":null,"count":1,"sum_price":null,"sum_pages":50,"max_pages":50}
      {"lent":false,"count":2,"sum_price":11,"sum_pages":50,"max_pages":50}
      {"lent":true,"count":1,"sum_price":4.5,"sum_pages":100,"max_pages":100}

      """)
    try await folder.run(
      "list", "book", "--group-by", "author.name", "--order", "-count", "--limit", "1", "-o", "csv"
    ).prints("author.name,count\r\nAnn,2\r\n")
    try await folder.run("list", "book", "lent=false", "--avg", "price").prints(
      "{\"count\":2,\"avg_price\":5.5}\n")
    try await folder.run("list", "book", "--group-by", "lent", "-o", "table").exits(0).prints(
      """
      lent   count
                 1
      false      2
      true       1

      """)
    try await folder.run("list", "book", "--group-by", "lent", "--sum", "title").exits(2).reports(
      "title")
    try await folder.run("list", "book", "--group-by", "lent", "--order", "counts").exits(2)
      .reports(
        "did you mean count?")
    try await folder.run("list", "book", "--group-by", "lent", "--expand", "author").exits(2)
  }

  @Test("prints the sections of --section-by as JSON lines, and as tables with headings")
  func sections() async throws {
    let folder = try await library()
    try await folder.run("list", "book", "--section-by", "title", "--fields", "title").prints(
      """
      {"section":"B","count":1}
      {"book_id":"b","title":"Bread"}
      {"section":"E","count":1}
      {"book_id":"c","title":"Élan"}
      {"section":"T","count":1}
      {"book_id":"a","title":"Tea"}
      {"section":"#","count":1}
      {"book_id":"d","title":"1984"}

      """)
    try await folder.run(
      "list", "book", "--section-by", "author.name", "--fields", "pages", "-o", "table"
    ).prints(
      """
      A (2)
      book_id  pages
      a          100
      c           50

      B (1)
      book_id  pages
      b           50

      # (1)
      book_id  pages
      d

      """)
    try await folder.run(
      "list", "book", "--where", "pages = 7", "--section-by", "title", "-o", "json"
    ).prints("{\"sections\":[],\"index\":null}\n")
    try await folder.run("list", "book", "--section-by", "pages").exits(2).reports(
      "pages, which is an integer")
    try await folder.run("list", "shelf", "--section-by", "books.title").exits(2).reports(
      "cannot make sections by books.title, which may have several values")
    try await folder.run("list", "book", "--section-by", "title", "-o", "csv").exits(2).reports(
      "csv")
  }
}
