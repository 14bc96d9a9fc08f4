/// Returns the name that the user most likely meant by a mistyped word, or nil if there is none.
///
/// This is the name with the smallest edit distance from the word. The distance can be at most a
/// third of the length of the word or the name, whichever is longer. In short words of at least two
/// letters, a distance of 1 is also allowed. A swap of adjacent letters counts as one edit. If no
/// name is similar, the result is the shortest name that starts with the word.
package func nearest(_ word: String, among names: [String]) -> String? {
  // A longer word is not a typing error, and keys in the input can have any length.
  guard word.utf8.count <= 1_000 else { return nil }
  let typed = Array(word.lowercased().unicodeScalars)
  guard !typed.isEmpty else { return nil }
  var best: (name: String, distance: Int)?
  var shortestCompletion: (name: String, length: Int)?
  for name in names {
    let letters = Array(name.lowercased().unicodeScalars)
    let length = max(typed.count, letters.count)
    let limit = min(max(1, length / 3), length - 1)
    if abs(typed.count - letters.count) <= limit {
      let distance = editDistance(typed, letters)
      if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
    }
    if letters.starts(with: typed), letters.count < shortestCompletion?.length ?? .max {
      shortestCompletion = (name, letters.count)
    }
  }
  return best?.name ?? shortestCompletion?.name
}

/// Returns the edit distance between two words: the number of insertions, deletions, substitutions,
/// and swaps of adjacent letters.
private func editDistance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...second.count)
  for row in 0..<first.count {
    var current = [row + 1]
    for column in 0..<second.count {
      let replaced = previous[column] + (first[row] == second[column] ? 0 : 1)
      var least = min(replaced, previous[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
        least = min(least, beforePrevious[column - 1] + 1)
      }
      current.append(least)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[second.count]
}
