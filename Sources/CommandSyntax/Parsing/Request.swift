/// What a line asks the program to do.
package enum Request<Action: Sendable>: Sendable {
  /// To run a command.
  case run(Action)
  /// To print help as text.
  case help(HelpSubject)
  /// To print the whole tree of commands as JSON.
  case helpJSON
  case version
  /// To print the script that completes lines in a shell.
  case completionScript(Shell)
  /// To print what can stand at a place of a line; only completion scripts ask this.
  case candidates(CompletionLine)
}

extension Request: Equatable where Action: Equatable {}

/// What help is about.
package enum HelpSubject: Sendable, Equatable {
  /// The program in short, for those who typed nothing but its name.
  case overview
  case program
  case group(String)
  /// A command, by the words that name it.
  case command([String])
  case topic(String)
}

/// A shell whose lines can be completed.
package enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

/// A line as a shell sees it while a word of it is being completed.
package struct CompletionLine: Sendable, Equatable {
  /// The words after the program's name.
  package let words: [String]
  /// The place of the word that is being completed; it may lie behind the last word.
  package let index: Int

  package init(words: [String], index: Int) {
    self.words = words
    self.index = index
  }
}

/// What a line means.
package struct ParsedLine<Settings: Sendable, Action: Sendable>: Sendable {
  /// The options that stand everywhere. When one of them is wrong it counts as left out here,
  /// so that an error can be printed in the way that the rest of the line asks for.
  package let settings: Settings
  package let request: Outcome

  /// What the line asks for, or all that is wrong with it.
  ///
  /// It is no `Result`, because making that type at run time searches the whole program for what its
  /// error can do, which is one thirtieth of a short command.
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
