import DataStore

/// The tokens of a statement. A quoted name or a value never equals a keyword.
struct StatementWords {
  /// The tokens: words in lower case, names and texts in their quotes, values as question marks.
  let words: [String]
  /// The distinct tokens. A long query repeats few of them many times.
  let vocabulary: Set<String>

  init(_ text: String) {
    var words: [String] = []
    let bytes = Array(text.utf8)
    var place = 0
    while place < bytes.count {
      let (start, first) = (place, bytes[place])
      switch first {
      case UInt8(ascii: " "), UInt8(ascii: "\n"):
        place += 1
        continue
      case UInt8(ascii: "\""), UInt8(ascii: "'"): place = Self.endOfText(in: bytes, from: place)
      case _ where Self.isLetter(first):
        while place < bytes.count, Self.isLetter(bytes[place]) { place += 1 }
      default: place += 1
      }
      let word = String(decoding: bytes[start..<place], as: UTF8.self)
      words.append(Self.isLetter(first) ? word.lowercased() : word)
    }
    self.words = words
    vocabulary = Set(words)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
    default: false
    }
  }

  /// Returns the end of the quoted text that starts at an index. A doubled quote is an escaped one.
  private static func endOfText(in bytes: [UInt8], from start: Int) -> Int {
    var place = start + 1
    while place < bytes.count {
      if bytes[place] == bytes[start] {
        guard place + 1 < bytes.count, bytes[place + 1] == bytes[start] else { break }
        place += 1
      }
      place += 1
    }
    return min(place + 1, bytes.count)
  }

  /// Returns whether the tokens occur one after the other.
  func has(_ sought: String...) -> Bool {
    vocabulary.isSuperset(of: sought)
      && words.indices.contains { words[$0...].starts(with: sought) }
  }

  /// Whether it reads or writes columns without naming them. The rows of `unnest` have only the
  /// columns that the statement passes to it.
  var hasUnlistedColumns: Bool {
    words.indices.contains { place in
      switch words[place] {
      case "*":
        let isColumns =
          place > 0 && ["select", "distinct", "returning", ",", "."].contains(words[place - 1])
        return isColumns && !words[(place + 1)...].starts(with: ["from", "unnest", "("])
      case "insert": return words[(place + 1)...].first == "into" && !namesColumns(place + 2)
      case "copy": return place == 0 && !namesColumns(place + 1)
      default: return false
      }
    }
  }

  /// Returns whether the table named at an index is followed by its columns.
  private func namesColumns(_ place: Int) -> Bool {
    var rest = words[place...].dropFirst()
    if rest.first == "." { rest = rest.dropFirst(2) }
    if rest.first == "as" { rest = rest.dropFirst(2) }
    return rest.first == "("
  }

  /// Whether it changes a session setting that outlives the transaction.
  var hasLastingSetting: Bool {
    if words.first == "set" { return words.dropFirst().first != "local" }
    if ["reset", "discard"].contains(words.first) { return true }
    return vocabulary.contains("set_config")
      && words.indices.contains { words[$0] == "set_config" && lastArgument($0 + 1) != ["true"] }
  }

  /// Returns the last argument of a function whose parenthesis opens at an index.
  private func lastArgument(_ place: Int) -> [String] {
    var depth = 0
    var argument: [String] = []
    for word in words[place...] {
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
      case .words(let words): text += words
      case .name(let name): text += Self.quoted(name)
      case .table(let name): text += Self.quoted("store." + name)
      case .value, .values, .test, .parameter: text += "?"
      }
    }
    return text
  }

  private static func quoted(_ name: String) -> String {
    name.utf8.contains(UInt8(ascii: "\""))
      ? "\"\(name.replacing("\"", with: "\"\""))\"" : "\"\(name)\""
  }
}
