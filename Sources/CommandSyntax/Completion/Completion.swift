/// The possible completions of one word of a command line.
package struct Completion: Sendable, Equatable {
  /// The candidates that are known without a look into the store, such as the names of commands and
  /// options.
  package internal(set) var candidates: [Candidate] = []
  /// The source of more candidates that the program must look up, such as the fields of a schema;
  /// nil if there are none.
  package internal(set) var candidateSource: CandidateSource?
  /// The part of the word, such as `--order=due,`, that stays the same for all candidates.
  var prefix = ""
  /// The part of the word after `prefix`. A candidate replaces this part.
  var typed: String
  /// The kind of the candidates from `candidateSource`: complete words, or beginnings of words.
  var kind = Candidate.Kind.word
  /// The text that is appended to each candidate from `candidateSource`, such as `=` after a field
  /// name.
  var suffix = ""

  package init(typed: String, prefix: String = "") {
    self.typed = typed
    self.prefix = prefix
  }

  /// How a value is written. In an assignment, it is a plain word. In a condition, text is in
  /// quotation marks.
  package enum ValueNotation: Sendable, Equatable {
    case word
    case condition
  }

  /// The candidates that are offered in addition to fields: functions, inverses of relations, or
  /// both.
  package struct Operands: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Functions, such as `year(`.
    package static let functions = Operands(rawValue: 1)
    /// The inverses of relations, such as `todos` for the relation from a todo to its owner.
    package static let inverses = Operands(rawValue: 2)
  }

  /// A source of candidates that depend on the store or the file system and are therefore not part
  /// of the declarations.
  package enum CandidateSource: Sendable, Equatable {
    case schemas
    /// The fields of a schema or, if `through` is not empty, of the schema at the end of this path
    /// of relations. If a purpose is given, only the fields that support it are candidates.
    case fields(
      ofSchema: String, through: [String] = [], for: FieldPurpose? = nil, or: Operands = [])
    /// The relations of a schema or, if `through` is not empty, of the schema at the end of this
    /// path of relations.
    case relations(ofSchema: String, through: [String] = [])
    /// The to-many relations of a schema and the inverses of relations to the schema. If `through`
    /// is not empty, this path of relations leads from `ofSchema` to the schema.
    case manyRelations(ofSchema: String, through: [String] = [])
    /// The possible values of a field: the allowed values that the schema lists, or the ids that a
    /// relation can contain. Ids less than `from` are not candidates.
    ///
    /// The path `field` starts at the schema or, if the path `through` is not empty, at the end of
    /// that path.
    case values(
      ofSchema: String, through: [String] = [], field: [String], from: String, in: ValueNotation)
    /// The ids of the records of a schema. Ids less than `from` are not candidates.
    case ids(ofSchema: String, from: String)
    /// The columns of the groups of a query. The columns are specified by `options`, which are the
    /// options on the command line that have a value.
    case groupColumns(ofSchema: String, options: [GivenOption])
    /// The columns by which a query can be sorted: the columns of the groups if `options` specify
    /// groups, or else the fields of a schema. If `through` is not empty, this path of relations
    /// leads from `ofSchema` to the schema.
    ///
    /// `options` are the options on the command line that have a value.
    case orderTerms(
      ofSchema: String, through: [String] = [], options: [GivenOption], or: Operands = [])
    case timeZones
    case stores
    case functions
    /// The commands that other programs provide.
    case undeclaredCommands
    /// The files in the file system. Paths of files and folders are completed by the shell itself.
    case files
    case folders
  }
}

/// An option of a command line, with its value.
package struct GivenOption: Sendable, Equatable {
  package let name: String
  package let value: String
}

/// A possible completion of the current word, with its description.
package struct Candidate: Sendable, Equatable {
  package let word: String
  package let meaning: String
  let kind: Kind

  /// The kind of a candidate, which determines whether the shell appends a space to it.
  package enum Kind: String, Sendable {
    case word
    /// The candidate is only the beginning of a word, such as `title=`, so no space is appended.
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
  /// (no space follows), `files` or `folders`. For `files` and `folders`, the shell completes a
  /// path, and the second column contains the part of the word before that path.
  ///
  /// - Parameter answers: The candidates that the program looked up for `candidateSource`.
  package func text(answers: [Candidate] = []) -> String {
    let answered = answers.map {
      // Append no space after the opening bracket of a function: its argument follows.
      Candidate(
        prefix + $0.word + suffix, $0.meaning, kind: $0.word.hasSuffix("(") ? .part : kind)
    }
    var lines = candidates.map { Candidate(prefix + $0.word, $0.meaning, kind: $0.kind) }
    // A program can have the name of a help topic.
    lines += answered.filter { answer in !lines.contains { $0.word == answer.word } }
    let whole = Array((prefix + typed).utf8)
    var text = ""
    for line in lines where line.word.utf8.starts(with: whole) && line.word.isPrintable {
      let meaning = InlineText(line.meaning).plain
      text += "\(line.kind.rawValue)\t\(line.word)\t\(meaning.isPrintable ? meaning : "")\n"
    }
    switch candidateSource {
    case .files, .stores: text += "files\t\(prefix)\t\n"
    case .folders: text += "folders\t\(prefix)\t\n"
    case .schemas, .fields, .relations, .manyRelations, .values, .ids, .groupColumns, .orderTerms,
      .timeZones, .functions, .undeclaredCommands, nil:
      break
    }
    return text
  }
}

extension String {
  /// Whether the text contains no control characters. A tab or newline would break the line format.
  fileprivate var isPrintable: Bool {
    unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}

extension CompletionLine {
  /// Parses the arguments that a completion script passes to the program. They have the form
  /// `completion candidates INDEX -- WORD…`. Returns nil for all other arguments.
  ///
  /// Only the scripts use this command, so it is not declared and does not appear in help.
  init?(arguments words: [String]) {
    guard words.count >= 4, words[0] == "completion", words[1] == "candidates",
      let index = Int(words[2]), index >= 0, words[3] == "--"
    else { return nil }
    self.init(words: Array(words.dropFirst(4)), index: index)
  }

  /// The word to complete, which is empty if the user has not typed a letter yet.
  package var current: String { index < words.count ? words[index] : "" }

  package var before: ArraySlice<String> { words.prefix(index) }
  var after: ArraySlice<String> { words.dropFirst(index + 1) }
}
