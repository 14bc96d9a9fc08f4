import Foundation
import ProgramHarness
import Testing

@Suite("Decimals", .onEveryStore)
struct DecimalTests {
  private func folder() throws -> TestFolder {
    let folder = try TestFolder()
    try folder.prepare(
      "schema", "create", "item", "price:decimal:12,2", "rate:decimal:5,4", "count:integer",
      "weight:number")
    try folder.prepare(
      "save", "item",
      input: .text(
        """
        {"item_id":"a","price":0.1,"rate":1.081,"count":3,"weight":0.5}
        {"item_id":"b","price":"0.20","rate":0.5,"count":2,"weight":0.2}
        {"item_id":"c","price":1e1,"count":7,"weight":10}
        {"item_id":"d","price":-4.50,"rate":-0.0001}
        {"item_id":"e"}
        """))
    return folder
  }

  @Test("prints decimals with all digits in every format, and reads the output back")
  func formats() throws {
    let folder = try folder()
    for format in ["json", "ndjson", "csv", "tsv", "xml"] {
      let before = try folder.run("list", "item", "-o", format).exits(0).output
      #expect(before.contains("0.10") && before.contains("10.00") && before.contains("-0.0001"))
      try folder.run("save", "item", "-o", "none", input: .text(before)).exits(0)
        .reports("5 the same")
    }
    try folder.run("get", "item", "d", "--fields", "price,rate").exits(0).prints(
      "{\"item_id\":\"d\",\"price\":-4.50,\"rate\":-0.0001}\n")
  }

  @Test(
    "compares exactly with numbers of any number of digits",
    arguments: [
      ("price = 0.1", "a"), ("price = 0.100", "a"), ("price = 1e-1", "a"), ("price = 0.105", ""),
      ("price > 0.105", "b c"), ("price >= 0.10000000000000000000000000000000000001", "b c"),
      ("price < 0.2", "d a"), ("price != 0.1", "e d b c"), ("price in (0.1, 10, 0.105)", "a c"),
      ("price between -4.505 and 0.15", "d a"), ("price < 1e30", "d a b c"),
      ("price > 1e-400", "a b c"), ("price < -1e-400", "d"), ("price = 1e-400", ""),
      ("price > 1e400", ""), ("price < -1e400", ""), ("price > -1e400", "d a b c"),
      ("price = weight", "c"), ("price < weight", "a b"), ("price > rate", ""),
      ("count > price", "a b"), ("price * 10 = 1", "a"),
      ("price + rate = 1.181", "a"), ("price * rate < -0", ""), ("price * rate > 0", "d a b"),
      ("price * 2 >= weight", "b c"),
    ])
  func comparisons(_ condition: String, _ ids: String) throws {
    let folder = try folder()
    try folder.run(
      "list", "item", "--where", condition, "--order", "price", "-o", "ids"
    ).exits(0).prints(ids.isEmpty ? "" : ids.replacing(" ", with: "\n") + "\n")
  }

  @Test("compares with the exact value of a parameter")
  func parameter() throws {
    let folder = try folder()
    for (value, ids) in [("0.10", "a\n"), ("0.105", ""), ("1e-1", "a\n")] {
      try folder.run(
        "list", "item", "--where", "price = :p", "--param", "p=\(value)", "-o", "ids"
      ).exits(0).prints(ids)
    }
  }

  @Test("computes exactly, with the scale of the operands")
  func arithmetic() throws {
    let folder = try folder()
    try folder.run(
      "list", "item", "--where", "item_id = 'a'", "-o", "ndjson", "--fields",
      "s=price + rate,p=price * rate,n=-price,t=price * 1.081,c=count * 1.50,w=price * weight"
    ).exits(0).prints(
      """
      {"item_id":"a","s":1.1810,"p":0.108100,"n":-0.10,"t":0.10810,"c":4.50,"w":0.05}

      """)
    try folder.run(
      "list", "item", "-o", "ndjson", "--sum", "price", "--avg", "price", "--median", "price",
      "--min", "rate", "--max", "price", "--sum", "x=price * rate"
    ).exits(0).prints(
      """
      {"count":5,"sum_price":5.80,"x":0.208550,"avg_price":1.45,"median_price":0.150,\
      "min_rate":-0.0001,"max_price":10.00}

      """)
  }

  @Test("prints numbers that other programs round as strings with --numbers text")
  func numbersAsText() throws {
    let folder = try TestFolder()
    try folder.prepare("schema", "create", "owner", "balance:decimal:18,0")
    try folder.prepare(
      "schema", "create", "item", "n:integer", "price:decimal:12,2", "list:integer+", "o:owner",
      "data:json", "weight:number")
    try folder.prepare("save", "owner", "q", "balance=-900719925474099312")
    let record =
      #"{"item_id":"a","n":"9007199254740993","price":"12.50","list":[1,"-9007199254740993",2],"#
      + #""o":"q","data":[9007199254740993],"weight":0.5}"#
    try folder.run("save", "item", "-o", "none", input: .text(record)).exits(0)
    try folder.run("get", "item", "a", "--fields", "*", "--numbers", "text").exits(0)
      .prints("\(record)\n")
    try folder.run("list", "item", "--fields", "*", "--numbers", "text").exits(0)
      .prints("\(record)\n")
    let printed = try folder.run("list", "item", "--numbers", "text").exits(0).output
    try folder.run("save", "item", "-o", "none", input: .text(printed)).exits(0)
      .reports("1 the same")
    try folder.run(
      "list", "item", "--numbers", "text", "--fields", "x = price * 3, y = n - 1, z = weight * 2"
    ).exits(0).prints("{\"item_id\":\"a\",\"x\":\"37.50\",\"y\":9007199254740992,\"z\":1}\n")
    try folder.run("list", "item", "--numbers", "text", "--distinct", "price").exits(0)
      .prints("\"12.50\"\n")
    try folder.run("list", "item", "--numbers", "text", "--sum", "price,n", "--avg", "price")
      .exits(0)
      .prints(
        "{\"count\":1,\"sum_price\":\"12.50\",\"sum_n\":\"9007199254740993\",\"avg_price\":12.5}\n")
    for format in ["ndjson", "json", "csv", "page"] {
      let output = try folder.run(
        "list", "item", "--expand", "o", "--fields", "o", "-o", format, "--numbers", "text"
      ).exits(0).output
      #expect(output.replacing("\"\"", with: "\"").contains(#""balance":"-900719925474099312""#))
    }
    try folder.run(
      "list", "item", "--fields", "price", "--section-by", "item_id", "--numbers", "text"
    ).exits(0).prints("{\"section\":\"A\",\"count\":1}\n{\"item_id\":\"a\",\"price\":\"12.50\"}\n")
    try folder.run("list", "item", "--numbers", "text", "-o", "csv", "--fields", "n,price,list")
      .exits(0)
      .prints("item_id,n,price,list\r\na,9007199254740993,12.50,\"[1,-9007199254740993,2]\"\r\n")
    try folder.run("save", "item", "a", "price=1.2", "-o", "diff", "--numbers", "text").exits(0)
      .prints(
        "{\"item_id\":\"a\",\"did\":\"change\",\"changes\":{\"price\":[\"12.50\",\"1.20\"]}}\n")
    let operations = #"{"get":"item","id":"a","fields":"o","expand":"o"}"#
    let batch = try folder.run("batch", "--numbers", "text", input: .text(operations)).exits(0)
    #expect(batch.output.contains(#""balance":"-900719925474099312""#))
  }

  @Test("rejects too many digits, and rounds them with --round-decimals")
  func rounding() throws {
    let folder = try folder()
    let input = Input.text(#"{"item_id":"f","price":3.3000000000000003}"#)
    try folder.run("save", "item", input: input).exits(6)
      .reports("expected at most 2 digits after the point", "--round-decimals")
    try folder.run("save", "item", "--round-decimals", "-o", "none", input: input).exits(0)
    try folder.run("save", "item", "g", "price=-0.005", "--round-decimals", "-o", "none").exits(0)
    try folder.run(
      "list", "item", "--where", "item_id in ('f', 'g')", "-o", "csv", "--fields", "price"
    )
    .exits(0).prints("item_id,price\r\nf,3.30\r\ng,-0.01\r\n")
    for number in ["99999999999", "9999999999.999", "1e10"] {
      try folder.run("save", "item", "h", "price=\(number)", "--round-decimals").exits(6)
        .reports("expected at most 10 digits before the point")
    }
    try folder.run("save", "item", "c", "price+=9999999990").exits(6).reports("more than 12 digits")
  }

  @Test("reads prices back that jq has multiplied, if they are rounded")
  func jq() throws {
    let folder = try folder()
    let multiply = """
      datactl list item --where 'price is not null' -o csv --fields price > prices.csv
      jq -Rrs 'split("\\r\\n")[:-1] | .[0], (.[1:][] | split(",") \
        | [.[0], (.[1] | tonumber * 1.1)] | join(","))' prices.csv > higher.csv
      """
    try folder.shell(multiply).exits(0)
    #expect(
      try String(decoding: folder.bytes("higher.csv"), as: UTF8.self).contains("0.1100000000000000")
    )
    try folder.shell("datactl save item --file higher.csv").exits(6)
      .reports("price: expected at most 2 digits after the point", "--round-decimals")
    try folder.shell("datactl save item --file higher.csv --round-decimals -o none").exits(0)
      .reports("4 saved: 4 changed")
    try folder.run("list", "item", "--where", "price is not null", "-o", "csv", "--fields", "price")
      .exits(0).prints(
        "item_id,price\r\na,0.11\r\nb,0.22\r\nc,11.00\r\nd,-4.95\r\n")
    try folder.run("list", "item", "--sum", "price").exits(0)
      .prints("{\"count\":5,\"sum_price\":6.38}\n")
  }
}
