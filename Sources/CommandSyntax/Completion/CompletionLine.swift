extension CompletionLine {
  /// Reads the words of a completion script: `completion candidates INDEX -- WORD…`.
  ///
  /// Nobody else types this command, so it is not among the declared ones.
  init?(askedBy words: [String]) {
    guard words.count >= 4, words[0] == "completion", words[1] == "candidates",
      let index = Int(words[2]), index >= 0, words[3] == "--"
    else { return nil }
    self.init(words: Array(words.dropFirst(4)), index: index)
  }

  /// The word that is being completed.
  var current: String { index < words.count ? words[index] : "" }

  var before: ArraySlice<String> { words.prefix(index) }
  var after: ArraySlice<String> { words.dropFirst(index + 1) }
}
