/// What can stand at a place of a line.
package struct Completion: Sendable, Equatable {
  /// What the declarations know.
  package internal(set) var candidates: [Candidate] = []
  /// What only the program can look up.
  package internal(set) var question: Question?
  /// The part of the word that stays as it is, `--order=due,`.
  var prefix = ""
  /// The part of the word that is being completed.
  var typed: String
  /// Whether looked-up names are whole words.
  var ending = Candidate.Ending.word
  /// What follows a looked-up name directly.
  var sign = ""

  init(typed: String, prefix: String = "") {
    self.typed = typed
    self.prefix = prefix
  }

  /// Something that a program looks up when its declarations do not know it.
  package enum Question: Sendable, Equatable {
    case schemas
    /// The fields of a schema, or of the one that relations lead to from there.
    case fields(ofSchema: String, behind: [String] = [], for: FieldPurpose? = nil)
    /// Those of these fields that are relations.
    case relations(ofSchema: String, behind: [String] = [])
    case stores
    case functions
    /// Files and folders need no answer: the shell knows them best.
    case files
    case folders
  }
}

/// A word that can stand at a place, and what it means.
package struct Candidate: Sendable, Equatable {
  package let word: String
  package let meaning: String
  let ending: Ending

  /// Says whether the word is over.
  package enum Ending: String, Sendable {
    case word
    /// A value follows at once, as behind `title=`.
    case part
  }

  package init(_ word: String, _ meaning: String = "") {
    self.init(word, meaning, ending: .word)
  }

  init(_ word: String, _ meaning: String, ending: Ending) {
    self.word = word
    self.meaning = meaning
    self.ending = ending
  }
}

extension Completion {
  /// Writes the lines that completion scripts read; `answers` are what the question asked for.
  ///
  /// Each line is a kind, a word and a meaning, with tabs between them. The kind is `word`, `part`
  /// (no space follows), `files` or `folders`; with the last two, the word is what stands before
  /// the path.
  package func text(answers: [Candidate] = []) -> String {
    let answered = answers.map {
      Candidate(prefix + $0.word + sign, $0.meaning, ending: ending)
    }
    var lines = candidates.map { Candidate(prefix + $0.word, $0.meaning, ending: $0.ending) }
    lines += answered
    let whole = Array((prefix + typed).utf8)
    var text = ""
    for line in lines where line.word.utf8.starts(with: whole) && line.word.isPrintable {
      let meaning = InlineText(line.meaning).plain
      text += "\(line.ending.rawValue)\t\(line.word)\t\(meaning.isPrintable ? meaning : "")\n"
    }
    switch question {
    case .files, .stores: text += "files\t\(prefix)\t\n"
    case .folders: text += "folders\t\(prefix)\t\n"
    case .schemas, .fields, .relations, .functions, nil: break
    }
    return text
  }
}

extension String {
  /// Is false if a control character would break the lines of a script.
  fileprivate var isPrintable: Bool {
    unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}
