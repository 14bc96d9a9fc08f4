import Foundation
import ProgramHarness
import Testing

@Suite("Conversions of decimals", .onEveryStore)
struct DecimalConversionTests {
  private static func decimal(_ digits: Int, _ scale: Int) -> String {
    #"{"type": "decimal", "digits": \#(digits), "scale": \#(scale)}"#
  }

  private static func schema(_ field: String) -> Input {
    .text(#"{"schema": "item", "fields": {"item_id": {"type": "id"}, "v": \#(field)}}"#)
  }

  /// Returns a test folder whose store contains the records r0, r1 and so on with the given values,
  /// which are JSON.
  private func folder(_ field: String, _ values: [String]) throws -> TestFolder {
    let folder = try TestFolder()
    try folder.prepare("schema", "apply", "-", input: Self.schema(field))
    let records = values.enumerated().map { #"{"item_id": "r\#($0)", "v": \#($1)}"# + "\n" }
    try folder.prepare("save", "item", "-o", "none", input: .text(records.joined()))
    return folder
  }

  private func values(in folder: TestFolder) throws -> [String] {
    try folder.run("list", "item", "--fields", "v", "-o", "csv").exits(0).output
      .split(whereSeparator: \.isNewline).dropFirst()
      .map { String($0.drop { $0 != "," }.dropFirst()) }
  }

  @Test(
    "converts without consent if all values keep all their digits",
    arguments: [
      (decimal(4, 2), decimal(6, 3), "1.25 -99.99 null", "1.250 -99.990 "),
      (decimal(4, 2), decimal(18, 16), "1.25 -99.99", "1.2500000000000000 -99.9900000000000000"),
      (decimal(4, 2), decimal(4, 1), "1.20 -99.9", "1.2 -99.9"),
      (decimal(18, 0), decimal(1, 0), "9 -9 0", "9 -9 0"),
      (#"{"type": "integer"}"#, decimal(6, 2), "1 -9999 null", "1.00 -9999.00 "),
      (
        #"{"type": "integer"}"#, decimal(18, 0), "123456789012345678 -999999999999999999",
        "123456789012345678 -999999999999999999"
      ),
      (
        #"{"type": "text"}"#, decimal(6, 2), #""1.5" "-0" "1e1" "9999.990" null"#,
        "1.50 0.00 10.00 9999.99 "
      ),
      (
        #"{"type": "text"}"#, decimal(18, 18), #""0.123456789012345678""#, "0.123456789012345678"
      ),
      (#"{"type": "number"}"#, decimal(6, 2), "1.5 0.1 -4.35 null", "1.50 0.10 -4.35 "),
      (decimal(18, 18), #"{"type": "number"}"#, "0.5 -0.1", "0.5 -0.1"),
      (decimal(18, 2), #"{"type": "integer"}"#, "5 -7", "5 -7"),
      (decimal(18, 2), #"{"type": "text"}"#, "5 -0.5", "5.00 -0.50"),
      (decimal(18, 2), #"{"type": "json"}"#, "5 -0.5", "5.00 -0.50"),
    ])
  func exact(_ old: String, _ new: String, _ given: String, _ expected: String) throws {
    let folder = try folder(old, given.split(separator: " ").map(String.init))
    try folder.run("schema", "apply", "-", input: Self.schema(new)).exits(0)
    let converted = try values(in: folder)
    #expect(
      converted == expected.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    )
  }

  @Test(
    "rounds, or removes numbers with too many digits, only with --allow-loss",
    arguments: [
      (
        decimal(4, 2), decimal(4, 1), "1.25 -99.95 1.20 0.05 -0.05 0.04",
        "1.3 -100.0 1.2 0.1 -0.1 0.0", 5
      ),
      (decimal(4, 2), decimal(3, 2), "1.25 -99.95 9.99", "1.25  9.99", 1),
      (decimal(4, 2), decimal(3, 1), "99.94 99.95 -99.95", "99.9  ", 3),
      (
        #"{"type": "integer"}"#, decimal(6, 2), "1 -9999 10000 9007199254740993",
        "1.00 -9999.00  ", 2
      ),
      (
        #"{"type": "text"}"#, decimal(6, 2),
        #""1.505" "-1.505" "1.5" "9999.995" "1e400" "-1e-400" "#
          + #""2.34499999999999999999999999999999999999999""#,
        "1.51 -1.51 1.50   0.00 2.34", 6
      ),
      (
        #"{"type": "number"}"#, decimal(6, 2), "1.505 0.30000000000000004 1e300 1e-300 2",
        "1.51 0.30  0.00 2.00", 4
      ),
      (
        decimal(18, 18), #"{"type": "number"}"#, "0.5 0.123456789012345678",
        "0.5 0.12345678901234568", 1
      ),
      (decimal(18, 2), #"{"type": "integer"}"#, "5 0.5 -0.5 -1.49", "5 1 -1 -1", 3),
    ])
  func lossy(
    _ old: String, _ new: String, _ given: String, _ expected: String, _ count: Int
  ) throws {
    let folder = try folder(old, given.split(separator: " ").map(String.init))
    let before = try values(in: folder)
    for more in [[], ["--allow-loss", "item"]] {
      try folder.datactl.run(["schema", "apply", "-"] + more, input: Self.schema(new)).exits(5)
        .reports(
          "item.v: \(count) record\(count == 1 ? "" : "s") would lose part of",
          "pass --allow-loss item.v")
    }
    #expect(try values(in: folder) == before)
    try folder.run("schema", "apply", "-", "--allow-loss", "item.v", input: Self.schema(new)).exits(
      0)
    let converted = try values(in: folder)
    #expect(
      converted == expected.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    )
  }

  @Test(
    "rejects other conversions even with --allow-loss",
    arguments: [
      (
        #"{"type": "text"}"#, decimal(6, 2), #""x""#,
        "expected decimal, found text \"x\", in \"r0\""
      ),
      (
        #"{"type": "boolean"}"#, decimal(6, 2), "true", "cannot convert boolean to decimal(6,2)"
      ),
      (
        #"{"type": "date"}"#, decimal(6, 2), #""2026-01-01""#, "cannot convert date to decimal(6,2)"
      ),
      (#"{"type": "json"}"#, decimal(6, 2), "1", "cannot convert json to decimal(6,2)"),
      (#"{"type": "[number]"}"#, decimal(6, 2), "[1]", "cannot convert [number] to decimal(6,2)"),
      (decimal(6, 2), #"{"type": "boolean"}"#, "1", "cannot convert decimal(6,2) to boolean"),
      (
        decimal(6, 2), #"{"type": "decimal", "digits": 4, "scale": 1, "required": true}"#, "1000",
        "expected a value, found null, in \"r0\""
      ),
      (
        decimal(6, 2), #"{"type": "decimal", "digits": 4, "scale": 1, "unique": true}"#,
        "5.05 5.10",
        "2 records have duplicate values: \"r0\", \"r1\""
      ),
      (
        decimal(6, 2), #"{"type": "decimal", "digits": 4, "scale": 1, "max": 5}"#, "5.05",
        "expected at most 5.0, found 5.1, in \"r0\""
      ),
    ])
  func impossible(_ old: String, _ new: String, _ given: String, _ message: String) throws {
    let folder = try folder(old, given.split(separator: " ").map(String.init))
    let before = try values(in: folder)
    try folder.run("schema", "apply", "-", "--allow-loss", "item.v", input: Self.schema(new)).exits(
      5
    )
    .reports("item.v: ", message)
    #expect(try values(in: folder) == before)
  }
}
