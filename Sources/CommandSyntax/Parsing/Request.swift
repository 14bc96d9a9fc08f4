/// What a command line asks the program to do.
package enum Request<Action: Sendable>: Sendable {
  /// Run a command.
  case run(Action)
  /// Print help as text.
  case help(HelpSubject)
  /// Print the descriptions of commands, options and topics as JSON.
  case helpJSON(HelpSubject)
  case version
  /// Print the completion script for a shell.
  case completionScript(Shell)
  /// Print the candidates for completing a word. Only the completion scripts request this.
  case candidates(CompletionLine)
}

extension Request: Equatable where Action: Equatable {}

/// The command, group or topic that a help page is about.
package enum HelpSubject: Sendable, Equatable {
  /// A short overview, for a command line without arguments.
  case overview
  case program
  case group(String)
  /// A command, identified by its words, such as `["schema", "create"]`.
  case command([String])
  case topic(String)
  /// A text that belongs to a topic, such as an example file.
  case topicPart(topic: String, name: String)
}

/// A shell with support for completion.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

/// A command line and the position of a word that the shell wants to complete.
package struct CompletionLine: Sendable, Equatable {
  /// The words after the program's name.
  package let words: [String]
  /// The index in `words` of the word to complete. If the word is empty, it may be missing at the
  /// end of `words`, and the index is then out of range.
  package let index: Int

  package init(words: [String], index: Int) {
    self.words = words
    self.index = index
  }
}

/// A parsed command line: the global options, and the request or the errors.
package struct ParsedLine<Settings: Sendable, Action: Sendable>: Sendable {
  /// The values of the valid global options. They are known even if the line contains errors, so
  /// that the errors can be printed in the format that the options select.
  package let settings: Settings
  package let request: Outcome
  /// Whether the command or help page in the line is declared. If not, `undeclaredCommand(in:)` may
  /// return its name.
  package let isDeclared: Bool

  /// The request, or an error with all problems of the line.
  ///
  /// It is not a `Result`, because Swift would search all protocol conformances of the program at
  /// run time to create the metadata of `Result`. The search takes 1/30 of the time of a short
  /// command.
  package enum Outcome: Sendable {
    case success(Request<Action>)
    case failure(UsageError)

    package func get() throws(UsageError) -> Request<Action> {
      switch self {
      case .success(let request): return request
      case .failure(let error): throw error
      }
    }
  }
}
