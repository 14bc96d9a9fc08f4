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
