/// Reads the time zone database of the operating system.
package enum TimeZoneFile {
  private static let folder = "/usr/share/zoneinfo"
  private static let maxSize = 1 << 20

  /// Whether the time zone database is installed.
  package static var isInstalled: Bool { FileSystem.exists(folder) }

  /// Returns the contents of the file of a zone, such as `Europe/Zurich`. Returns nil if there is
  /// no such file, or if the name begins with `/` or contains characters other than letters,
  /// digits, `_`, `+`, `-` and `/`. Such a name could refer to a file outside the database.
  package static func contents(ofZone name: String) throws(SystemCallError) -> [UInt8]? {
    guard isName(name) else { return nil }
    return try contents(of: "\(folder)/\(name)")
  }

  /// The names of the time zones in the table `zone.tab`, such as `Europe/Zurich`, and `UTC`.
  package static var names: [String] {
    guard let table = try? contents(of: "\(folder)/zone.tab"),
      let text = String(validating: table, as: UTF8.self)
    else { return ["UTC"] }
    let names = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      let columns = line.split(separator: "\t")
      return columns.count > 2 ? String(columns[2]) : nil
    }
    return names.sorted() + ["UTC"]
  }

  /// Returns the contents of a file, or nil if there is no such file or it is too large.
  private static func contents(of path: String) throws(SystemCallError) -> [UInt8]? {
    guard let status = try? FileStatus(path), status.kind == .regular, status.size <= maxSize
    else { return nil }
    let file = try OpenFile(path, for: .reading)
    var contents: [UInt8] = []
    while contents.count <= maxSize,
      try Descriptor.readBytes(file.descriptor, into: &contents, atMost: 64 << 10) > 0
    {}
    return contents
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "/"), name.utf8.count <= 100 else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
        UInt8(ascii: "-"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
  }
}
