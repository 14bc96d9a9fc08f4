/// The words that were given for each input of a command.
struct InputValues: Sendable {
  private var inputs: [(name: String, words: [String])] = []
  /// Finds the name that a misspelled one most likely means.
  let nearest: @Sendable (String, [String]) -> String?

  init(nearest: @escaping @Sendable (String, [String]) -> String?) {
    self.nearest = nearest
  }

  /// The words of an input; for a flag, one empty word for each occurrence.
  ///
  /// There are so few inputs that a linear search is faster than a dictionary.
  subscript(_ name: String) -> [String] {
    get { inputs.first { $0.name == name }?.words ?? [] }
    set {
      if let index = inputs.firstIndex(where: { $0.name == name }) {
        inputs[index].words = newValue
      } else {
        inputs.append((name, newValue))
      }
    }
  }

  func value(of name: String) throws(UsageError) -> String {
    guard let value = self[name].first else { throw .missingInput }
    return value
  }

  /// Returns the hint "did you mean …?" with the most similar name.
  func suggestion(for word: String, among names: [String]) -> String? {
    nearest(word, names).map { "did you mean \($0)?" }
  }
}
