/// What was typed for each input of a command.
struct Given: Sendable {
  private var inputs: [(name: String, words: [String])] = []
  /// Finds the name among several that a mistyped one most likely means.
  let nearest: @Sendable (String, [String]) -> String?

  init(nearest: @escaping @Sendable (String, [String]) -> String?) {
    self.nearest = nearest
  }

  /// The words of an input; a flag has an empty word for each time it is there.
  ///
  /// There are so few inputs that looking through them is quicker than a dictionary.
  subscript(_ name: String) -> [String] {
    get { inputs.first { $0.name == name }?.words ?? [] }
    set {
      if let place = inputs.firstIndex(where: { $0.name == name }) {
        inputs[place].words = newValue
      } else {
        inputs.append((name, newValue))
      }
    }
  }

  func value(of name: String) throws(UsageError) -> String {
    guard let value = self[name].first else { throw .noted }
    return value
  }

  /// The hint that names what was most likely meant.
  func suggestion(for word: String, among names: [String]) -> String? {
    nearest(word, names).map { "did you mean \($0)?" }
  }
}
