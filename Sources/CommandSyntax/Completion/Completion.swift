/// The possible completions of one word of a command line.
package struct Completion: Sendable, Equatable {
  /// The candidates that the declarations determine.
  package internal(set) var candidates: [Candidate] = []
  /// The candidates that only the program can look up.
  package internal(set) var candidateSource: CandidateSource?
  /// The part of the word that is kept, such as `--order=due,`.
  var prefix = ""
  /// The part of the word that is being completed.
  var typed: String
  /// Whether a candidate that was looked up completes the word.
  var kind = Candidate.Kind.word
  /// The text that follows a candidate that was looked up, without a space.
  var suffix = ""

  init(typed: String, prefix: String = "") {
    self.typed = typed
    self.prefix = prefix
  }

  /// Candidates that the program looks up because its declarations do not determine them.
  package enum CandidateSource: Sendable, Equatable {
    case schemas
    /// The fields of a schema, or of the schema that a path of relations leads to.
    case fields(ofSchema: String, through: [String] = [], for: FieldPurpose? = nil)
    /// The relations among these fields.
    case relations(ofSchema: String, through: [String] = [])
    case stores
    case functions
    /// Files and folders are completed by the shell.
    case files
    case folders
  }
}

/// A word that completes the current word, with its description.
package struct Candidate: Sendable, Equatable {
  package let word: String
  package let meaning: String
  let kind: Kind

  /// Whether the word is complete.
  package enum Kind: String, Sendable {
    case word
    /// A value follows without a space, as after `title=`.
    case part
  }

  package init(_ word: String, _ meaning: String = "") {
    self.init(word, meaning, kind: .word)
  }

  init(_ word: String, _ meaning: String, kind: Kind) {
    self.word = word
    self.meaning = meaning
    self.kind = kind
  }
}

extension Completion {
  /// Returns the lines that the completion scripts read.
  ///
  /// Each line has a kind, a word and a description, separated by tabs. The kind is `word`, `part`
  /// (no space follows), `files` or `folders`; for the last two, the word is the text before the
  /// path.
  ///
  /// - Parameter answers: The candidates that the program looked up.
  package func text(answers: [Candidate] = []) -> String {
    let answered = answers.map {
      Candidate(prefix + $0.word + suffix, $0.meaning, kind: kind)
    }
    var lines = candidates.map { Candidate(prefix + $0.word, $0.meaning, kind: $0.kind) }
    lines += answered
    let whole = Array((prefix + typed).utf8)
    var text = ""
    for line in lines where line.word.utf8.starts(with: whole) && line.word.isPrintable {
      let meaning = InlineText(line.meaning).plain
      text += "\(line.kind.rawValue)\t\(line.word)\t\(meaning.isPrintable ? meaning : "")\n"
    }
    switch candidateSource {
    case .files, .stores: text += "files\t\(prefix)\t\n"
    case .folders: text += "folders\t\(prefix)\t\n"
    case .schemas, .fields, .relations, .functions, nil: break
    }
    return text
  }
}

extension String {
  /// False if a control character would break the line format.
  fileprivate var isPrintable: Bool {
    unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}

extension CompletionLine {
  /// Parses the arguments of a completion script: `completion candidates INDEX -- WORD…`; nil for
  /// other arguments.
  ///
  /// Only the scripts use this command, so it is not declared.
  init?(arguments words: [String]) {
    guard words.count >= 4, words[0] == "completion", words[1] == "candidates",
      let index = Int(words[2]), index >= 0, words[3] == "--"
    else { return nil }
    self.init(words: Array(words.dropFirst(4)), index: index)
  }

  /// The word to complete.
  var current: String { index < words.count ? words[index] : "" }

  var before: ArraySlice<String> { words.prefix(index) }
  var after: ArraySlice<String> { words.dropFirst(index + 1) }
}
