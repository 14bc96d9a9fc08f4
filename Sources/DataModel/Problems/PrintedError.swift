extension Problem {
  /// The maximum number of characters of a word that is printed in full.
  package static let maxWordLength = 200

  /// The maximum size of a printed message or hint in bytes. The other texts of a problem, such as
  /// the path of the file, have a lower limit (`maxWordSize`).
  private static let maxTextSize = 900
  private static let maxWordSize = 400

  /// The problem as it is printed: without secrets, and with long words and texts truncated.
  package var printed: Problem {
    var problem = self
    problem.message = Self.printed(message)
    problem.hint = hint.map(Self.printed)
    problem.schema = schema.map(Self.printedWord)
    problem.id = id.map(Self.printedWord)
    problem.referrer?.id = Self.printedWord(referrer?.id ?? "")
    problem.field = field.map(Self.printedWord)
    problem.file = file.map(Self.printedWord)
    problem.path = path.map(Self.printedWord)
    return problem
  }

  private static func printed(_ text: String) -> String {
    let text = Secrets.redacted(inText: text)
    guard text.utf8.count > maxWordLength else { return text }
    var result = String.UnicodeScalarView()
    var word = String.UnicodeScalarView()
    func flush() {
      result += word.count > maxWordLength ? Excerpt.withoutMiddle(word) : word
      word.removeAll()
    }
    for scalar in text.unicodeScalars {
      if scalar == " " || scalar == "\n" {
        flush()
        result.append(scalar)
      } else {
        word.append(scalar)
      }
    }
    flush()
    return String(result).truncated(toSize: maxTextSize)
  }

  private static func printedWord(_ word: String) -> String {
    let word = Secrets.redacted(inText: word)
    guard word.unicodeScalars.count > maxWordLength else {
      return word.truncated(toSize: maxWordSize)
    }
    return String(Excerpt.withoutMiddle(word.unicodeScalars)).truncated(toSize: maxWordSize)
  }
}

extension String {
  /// Returns the text, truncated to the given number of bytes. For a character that is escaped in
  /// messages or in JSON, the bytes of its escape sequence are counted.
  fileprivate func truncated(toSize limit: Int) -> String {
    var size = 0
    for index in unicodeScalars.indices {
      let scalar = unicodeScalars[index]
      let isEscaped = scalar == "\"" || scalar == "\\"
      size += Excerpt.isInvisible(scalar) ? 6 : isEscaped ? 2 : UTF8.width(scalar)
      if size > limit { return String(unicodeScalars[..<index]) + "…" }
    }
    return self
  }
}

extension DataError {
  /// The maximum size of a printed error in bytes.
  private static let maxSize = 4_096

  /// Returns a copy of the error in which the given texts, such as the arguments of the command,
  /// are truncated wherever they occur in messages and hints.
  package func truncating(_ texts: [String]) -> DataError {
    guard !texts.isEmpty else { return self }
    return modifyingProblems { problem in
      for text in texts {
        problem.message = problem.message.replacing(text, with: Excerpt.truncated(text))
        problem.hint = problem.hint?.replacing(text, with: Excerpt.truncated(text))
      }
    }
  }

  /// The error as it is printed: secrets are hidden and long texts are truncated.
  package var printed: DataError {
    var error = map(\.printed)
    error.partialCommit = partialCommit?.printed
    return error
  }

  /// Returns the error as it is printed: secrets are hidden and long texts are truncated. If the
  /// error would still be too large, the last problems are omitted and only counted.
  ///
  /// - Parameter size: Returns the size of a printed error in bytes.
  package func printed(size: (DataError) -> Int) -> DataError {
    var error = printed
    while error.problems.count > 1, size(error) > Self.maxSize { error.omitLastProblem() }
    return error
  }
}
