import DataModel

extension CommandContext {
  /// Expands the patterns `*` and `?` in the given paths, and returns the resulting paths. The path
  /// of an existing file is not expanded. The matches of each pattern are sorted byte by byte.
  ///
  /// - Throws: An error if no file matches a pattern.
  func expand(_ patterns: [String]) throws(DataError) -> [String] {
    var paths: [String] = []
    for pattern in patterns {
      guard FilePattern(pattern).hasWildcards, let matches = try files.matches(of: pattern) else {
        paths.append(pattern)
        continue
      }
      if matches.isEmpty {
        throw DataError(Problem(.fileNotFound, "no file matches the pattern", file: pattern))
      }
      paths += matches.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
    return paths
  }
}

/// A path in which `*` and `?` stand for other characters.
struct FilePattern {
  private let pattern: String

  init(_ pattern: String) {
    self.pattern = pattern
  }

  var hasWildcards: Bool {
    pattern.utf8.contains { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?") }
  }

  /// Returns the paths that match the pattern. A name that begins with a dot matches only if the
  /// corresponding part of the pattern also begins with a dot.
  func matches(in files: LocalFiles) throws(DataError) -> [String] {
    var found = [pattern.hasPrefix("/") ? "/" : ""]
    let parts = pattern.split(separator: "/")
    for (index, part) in parts.enumerated() {
      let glob = Glob(part)
      var next: [String] = []
      for folder in found {
        let prefix = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
        guard glob.hasWildcards else {
          if files.exists(prefix + part) { next.append(prefix + part) }
          continue
        }
        let path = folder.isEmpty ? "." : folder
        guard try files.isFolder(path) else { continue }
        for name in try files.names(in: path) where glob.matches(name) {
          let isLast = index == parts.count - 1
          let isMatch = isLast ? true : try files.isFolder(prefix + name)
          if isMatch { next.append(prefix + name) }
        }
      }
      found = next
    }
    return found
  }
}

/// A pattern for file names, in which `*` matches any number of characters, and `?` matches exactly
/// one character.
package struct Glob {
  private let pattern: [Unicode.Scalar]

  package init(_ pattern: some StringProtocol) {
    self.pattern = Array(pattern.unicodeScalars)
  }

  var hasWildcards: Bool { pattern.contains("*") || pattern.contains("?") }

  /// Returns whether the pattern matches a name. This takes at most quadratic time.
  package func matches(_ name: String) -> Bool {
    let name = Array(name.unicodeScalars)
    if name.first == ".", pattern.first != "." { return false }
    var (position, index) = (0, 0)
    // The last `*`, and the position in the name after the characters that it matches so far.
    var star: (index: Int, position: Int)?
    while position < name.count {
      if index < pattern.count, pattern[index] == "*" {
        star = (index, position)
        index += 1
      } else if index < pattern.count, pattern[index] == "?" || pattern[index] == name[position] {
        position += 1
        index += 1
      } else if let last = star {
        star = (last.index, last.position + 1)
        position = last.position + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    return pattern[index...].allSatisfy { $0 == "*" }
  }
}
