/// Functions that compute paths as text, without access to the file system.
enum FilePath {
  /// Returns the absolute path without `.` and `..` components. A relative path is resolved against
  /// `folder`.
  static func absolute(_ path: String, in folder: String) -> String {
    let absolutePath = path.utf8.first == slash ? path : folder + "/" + path
    var parts: [Substring] = []
    // A slash and a combining character after it are one `Character`.
    for part in absolutePath.utf8.split(separator: slash).map(Substring.init) {
      switch part {
      case ".": break
      case "..": _ = parts.popLast()
      case let name: parts.append(name)
      }
    }
    if parts.isEmpty { return "/" }
    var path = ""
    for part in parts {
      path += "/"
      path.append(contentsOf: part)
    }
    return path
  }

  /// Returns the parent folder of a path.
  static func folder(of path: String) -> String {
    guard let last = path.utf8.lastIndex(of: slash), last != path.utf8.startIndex else {
      return "/"
    }
    return String(path[..<last])
  }

  /// Returns the path of the file with the given name in a folder.
  static func join(_ folder: String, _ name: String) -> String {
    folder.utf8.last == slash ? folder + name : folder + "/" + name
  }

  private static let slash = UInt8(ascii: "/")
}
