package import DataModel
internal import JSONText
internal import Platform

/// The project file `datactl.json`, which names the stores and the schema folder of a project.
///
/// The file determines where records are stored, so it is rejected if users other than the current
/// user and root can write to it.
package struct ProjectFile: Hashable, Sendable {
  /// The path of the project file.
  package let path: String
  /// The default store of the project: a name or an address.
  package var store: String?
  /// The named stores, in the order of the file.
  package var stores: [NamedStore] = []
  /// The folder of the schema files, as written in the file.
  package var schemas: String?

  /// A store's name and address.
  package struct NamedStore: Hashable, Sendable {
    package var name: String
    package var address: String
  }

  static let name = "datactl.json"
  private static let maxSize = 1 << 20

  init(path: String) {
    self.path = path
  }

  /// The folder that contains the file. Relative paths in the file are resolved against it.
  package var folder: String { FilePath.folder(of: path) }

  /// The absolute path of the schema folder, by default `schemas` in the folder of the file.
  package var schemaFolder: String { FilePath.absolute(schemas ?? "schemas", in: folder) }

  /// Returns the project file of the working directory or of the nearest parent folder that has
  /// one. Returns nil if there is no project file.
  package static func nearest(in environment: Environment) throws(DataError) -> ProjectFile? {
    guard !environment.folder.isEmpty else { return nil }
    var folder = FilePath.absolute(environment.folder, in: "/")
    while true {
      let path = FilePath.join(folder, name)
      if let bytes = try contents(of: path, for: environment.userID) {
        return try ProjectFile(reading: bytes, path: path)
      }
      if folder == "/" { return nil }
      folder = FilePath.folder(of: folder)
    }
  }

  /// Returns whether the text is a valid store name. Names contain neither `/` nor `:`.
  static func isName(_ text: String) -> Bool {
    !text.utf8.contains(UInt8(ascii: "/")) && !text.utf8.contains(UInt8(ascii: ":"))
  }

  /// Returns whether the file declares a store with the given name.
  func hasStore(_ name: String) -> Bool { stores.contains { $0.name == name } }

  /// Returns the address of the store with the given name. If there is no such store, the text is
  /// parsed as an address.
  func address(_ text: String) throws(DataError) -> StoreAddress {
    try StoreAddress(stores.first { $0.name == text }?.address ?? text, in: folder)
  }

  /// Returns the contents of the file, or nil if it does not exist.
  ///
  /// - Throws: An error if users other than the given user and root can write to the file, or if it
  ///   cannot be read.
  private static func contents(of path: String, for user: UInt32) throws(DataError) -> [UInt8]? {
    do {
      return try PrivateFile.contents(of: path, atMost: maxSize) { status throws(DataError) in
        guard status.kind == .regular else { throw accessError(path, "not a regular file") }
        guard status.owner == user || status.owner == 0 else {
          throw accessError(path, "owned by another user")
        }
        guard status.permissions & 0o022 == 0 else {
          throw accessError(path, "writable by other users", hint: "run chmod go-w \(path)")
        }
      }
    } catch let error as DataError {
      throw error
    } catch let accessError as SystemCallError where accessError.isMissing {
      guard (try? FileStatus(ofLink: path)) == nil else {
        throw Self.accessError(
          path, "the target of the symbolic link does not exist", hint: "remove the link")
      }
      return nil
    } catch let accessError as SystemCallError {
      throw Self.accessError(
        path, accessError.text, code: accessError.codeOfUserFile(.invalidConfiguration))
    } catch {
      throw DataError(.fileFailed, "\(path): \(error)")
    }
  }

  private static func accessError(
    _ path: String, _ reason: String, hint: String? = nil,
    code: ErrorCode = .invalidConfiguration
  ) -> DataError {
    DataError(Problem(code, "the project file is not used: \(reason)", hint: hint, file: path))
  }
}

extension ProjectFile {
  /// Parses the contents of the file. The thrown error contains all problems of the file.
  init(reading bytes: [UInt8], path: String) throws(DataError) {
    self.init(path: path)
    let root = try JSONNode.read(bytes, file: path, code: .invalidConfiguration)
    var reading = Parser(bytes: bytes, path: path)
    for member in reading.members(of: root, "the file") {
      switch member.name {
      case "store": store = reading.text(member)
      case "schemas": schemas = reading.text(member)
      case "stores":
        stores = reading.members(of: member.value, "stores").compactMap { store in
          reading.text(store).map { NamedStore(name: store.name, address: $0) }
        }
      default:
        let suggestion = DataModel.nearest(member.name, among: ["store", "stores", "schemas"])
        reading.report(
          "unknown key \(Excerpt.escaped(member.name))", at: member.position,
          hint: suggestion.map { "did you mean \($0)?" })
      }
    }
    if let error = DataError(reading.problems) { throw error }
  }

  /// Extracts values from the parsed JSON and collects the problems.
  private struct Parser {
    let bytes: [UInt8]
    let path: String
    var problems: [Problem] = []

    mutating func report(_ message: String, at position: Int, hint: String? = nil) {
      let before = bytes[..<position]
      let line = before.count { $0 == UInt8(ascii: "\n") } + 1
      problems.append(
        Problem(.invalidConfiguration, message, hint: hint, file: path, line: line))
    }

    mutating func members(of node: JSONNode, _ name: String) -> [JSONNode.Member] {
      guard case .object(let members) = node.content else {
        report("\(name): expected a JSON object, found \(node.kind)", at: node.range.lowerBound)
        return []
      }
      var seen: Set<String> = []
      return members.filter { member in
        if seen.insert(member.name).inserted { return true }
        report("\(Excerpt.escaped(member.name)): given twice", at: member.position)
        return false
      }
    }

    mutating func text(_ member: JSONNode.Member) -> String? {
      if case .text(let text) = member.value.content { return text }
      report(
        "\(Excerpt.escaped(member.name)): expected text, found \(member.value.kind)",
        at: member.position)
      return nil
    }
  }
}
