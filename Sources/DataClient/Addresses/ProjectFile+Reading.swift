internal import DataText

extension ProjectFile {
  /// Parses the text of the file. The error has every problem of it.
  init(reading bytes: [UInt8], path: String) throws(DataError) {
    self.init(path: path)
    let root = try JSONNode.read(bytes, file: path, code: .invalidConfiguration)
    var reading = Parser(bytes: bytes, path: path)
    for member in reading.members(of: root, "the file") {
      switch member.name {
      case "store": store = reading.text(member)
      case "schemas": schemas = reading.text(member)
      case "stores":
        stores = reading.members(of: member.value, "stores").compactMap { store in
          reading.text(store).map { NamedStore(name: store.name, address: $0) }
        }
      default:
        let suggestion = DataModel.nearest(member.name, among: ["store", "stores", "schemas"])
        reading.report(
          "unknown key \(Excerpt.escaped(member.name))", at: member.position,
          hint: suggestion.map { "did you mean \($0)?" })
      }
    }
    if let error = DataError(reading.problems) { throw error }
  }

  /// Extracts values from the parsed text and collects the problems.
  private struct Parser {
    let bytes: [UInt8]
    let path: String
    var problems: [Problem] = []

    mutating func report(_ message: String, at position: Int, hint: String? = nil) {
      let before = bytes[..<position]
      let line = before.count { $0 == UInt8(ascii: "\n") } + 1
      problems.append(
        Problem(.invalidConfiguration, message, hint: hint, file: path, line: line))
    }

    mutating func members(of node: JSONNode, _ name: String) -> [JSONNode.Member] {
      guard case .object(let members) = node.content else {
        report("\(name): expected an object, found \(node.kind)", at: node.range.lowerBound)
        return []
      }
      var seen: Set<String> = []
      return members.filter { member in
        if seen.insert(member.name).inserted { return true }
        report("\(Excerpt.escaped(member.name)): given twice", at: member.position)
        return false
      }
    }

    mutating func text(_ member: JSONNode.Member) -> String? {
      if case .text(let text) = member.value.content { return text }
      report(
        "\(Excerpt.escaped(member.name)): expected a text, found \(member.value.kind)",
        at: member.position)
      return nil
    }
  }
}
