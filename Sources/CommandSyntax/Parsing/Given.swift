/// What was typed for each input of a command.
struct Given: Sendable {
  /// The words by the input's name; a flag has an empty word for each time it is there.
  var words: [String: [String]] = [:]
  /// Finds the name among several that a mistyped one most likely means.
  let nearest: @Sendable (String, [String]) -> String?

  func values(of name: String) -> [String] {
    words[name] ?? []
  }

  func value(of name: String) throws(UsageError) -> String {
    guard let value = values(of: name).first else { throw .noted }
    return value
  }

  /// The hint that names what was most likely meant.
  func suggestion(for word: String, among names: [String]) -> String? {
    nearest(word, names).map { "did you mean \($0)?" }
  }
}
