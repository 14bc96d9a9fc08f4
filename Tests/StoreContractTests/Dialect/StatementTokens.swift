import DataStore

/// The tokens of a statement. A quoted name or a value never equals a keyword.
struct StatementTokens {
  /// The tokens: words in lower case, names and texts in their quotes, values as question marks.
  let tokens: [String]
  /// The distinct tokens. A long query repeats few of them many times.
  let vocabulary: Set<String>

  init(_ text: String) {
    var tokens: [String] = []
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      let (start, first) = (index, bytes[index])
      switch first {
      case UInt8(ascii: " "), UInt8(ascii: "\n"):
        index += 1
        continue
      case UInt8(ascii: "\""), UInt8(ascii: "'"): index = Self.endOfText(in: bytes, from: index)
      case _ where Self.isLetter(first):
        while index < bytes.count, Self.isLetter(bytes[index]) { index += 1 }
      default: index += 1
      }
      let word = String(decoding: bytes[start..<index], as: UTF8.self)
      tokens.append(Self.isLetter(first) ? word.lowercased() : word)
    }
    self.tokens = tokens
    vocabulary = Set(tokens)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Returns the end of the quoted text that starts at an index. A doubled quote is an escaped one.
  private static func endOfText(in bytes: [UInt8], from start: Int) -> Int {
    var index = start + 1
    while index < bytes.count {
      if bytes[index] == bytes[start] {
        guard index + 1 < bytes.count, bytes[index + 1] == bytes[start] else { break }
        index += 1
      }
      index += 1
    }
    return min(index + 1, bytes.count)
  }

  /// Returns whether the tokens occur one after the other.
  func has(_ sequence: String...) -> Bool {
    vocabulary.isSuperset(of: sequence)
      && tokens.indices.contains { tokens[$0...].starts(with: sequence) }
  }

  /// Whether it reads or writes columns without naming them. The rows of `unnest` have only the
  /// columns that the statement passes to it.
  var hasUnlistedColumns: Bool {
    tokens.indices.contains { index in
      switch tokens[index] {
      case "*":
        let isColumns =
          index > 0 && ["select", "distinct", "returning", ",", "."].contains(tokens[index - 1])
        return isColumns && !tokens[(index + 1)...].starts(with: ["from", "unnest", "("])
      case "insert": return tokens[(index + 1)...].first == "into" && !listsColumns(index + 2)
      case "copy": return index == 0 && !listsColumns(index + 1)
      default: return false
      }
    }
  }

  /// Returns whether the table named at an index is followed by its columns.
  private func listsColumns(_ index: Int) -> Bool {
    var rest = tokens[index...].dropFirst()
    if rest.first == "." { rest = rest.dropFirst(2) }
    if rest.first == "as" { rest = rest.dropFirst(2) }
    return rest.first == "("
  }

  /// Whether it changes a session setting that outlives the transaction.
  var hasSessionSetting: Bool {
    if tokens.first == "set" { return tokens.dropFirst().first != "local" }
    if ["reset", "discard"].contains(tokens.first) { return true }
    return vocabulary.contains("set_config")
      && tokens.indices.contains { tokens[$0] == "set_config" && lastArgument($0 + 1) != ["true"] }
  }

  /// Returns the last argument of a function whose parenthesis opens at an index.
  private func lastArgument(_ index: Int) -> [String] {
    var depth = 0
    var argument: [String] = []
    for word in tokens[index...] {
      switch word {
      case "(":
        depth += 1
        if depth > 1 { argument.append(word) }
      case ")":
        depth -= 1
        if depth == 0 { return argument }
        argument.append(word)
      case "," where depth == 1: argument = []
      default: argument.append(word)
      }
    }
    return argument
  }
}

extension SQL {
  /// The statement without its values. Names of the store's tables get the prefix `store.`.
  var withoutValues: String {
    var text = ""
    for segment in segments {
      switch segment {
      case .literal(let literal): text += literal
      case .name(let name): text += Self.quoted(name)
      case .table(let name): text += Self.quoted("store." + name)
      case .value, .bytes, .values, .test, .expression, .parameter: text += "?"
      }
    }
    return text
  }

  private static func quoted(_ name: String) -> String {
    name.utf8.contains(UInt8(ascii: "\""))
      ? "\"\(name.replacing("\"", with: "\"\""))\"" : "\"\(name)\""
  }
}
