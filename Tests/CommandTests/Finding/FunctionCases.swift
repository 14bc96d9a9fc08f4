import Foundation
import ProgramHarness

/// Test cases of lookups, functions, parameters, sections, pages and errors, with the expected
/// results.
struct FunctionCases {
  /// A line of the file of test cases.
  struct Line: @unchecked Sendable, CustomStringConvertible {
    let number: Int
    let object: [String: Any]

    var kind: String { object["kind"] as? String ?? "" }
    var expected: [String: Any] { object["expect"] as? [String: Any] ?? [:] }
    var description: String { "line \(number): \(kind) \(object["name"] ?? "")" }

    subscript(key: String) -> Any? { object[key] is NSNull ? nil : object[key] }

    /// Returns the value of a key as JSON text.
    func json(_ key: String) throws -> String {
      let data = try JSONSerialization.data(
        withJSONObject: object[key] ?? NSNull(), options: [.fragmentsAllowed, .sortedKeys])
      return String(decoding: data, as: UTF8.self)
    }
  }

  let lines: [Line]

  /// Reads the file of test cases.
  init() throws {
    let path = Binary.file("Tests/CommandTests/Cases/function_cases.jsonl")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    lines = try text.split(separator: "\n").enumerated().map { index, line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return Line(number: index + 1, object: object as? [String: Any] ?? [:])
    }
  }

  static func of(_ kind: String) -> [Line] {
    ((try? FunctionCases())?.lines ?? []).filter { $0.kind == kind }
  }

  /// Creates the schema and saves the records of the file.
  static func populate(_ folder: TestFolder) throws {
    for line in of("schema") { try folder.write("account.json", line.json("schema")) }
    try folder.prepare("schema", "apply", "account.json")
    var records = ""
    for line in of("record") { records += try line.json("record") + "\n" }
    try folder.prepare("save", "account", input: .text(records))
  }
}
