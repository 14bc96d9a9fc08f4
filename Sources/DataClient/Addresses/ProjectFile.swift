package import DataModel

/// What a team says of its stores and schemas in `datactl.json`.
///
/// It counts only if nobody but the user or root could have written it, since it decides where
/// records go.
package struct ProjectFile: Hashable, Sendable {
  /// Where the file stands.
  package let path: String
  /// The store that is meant if nothing else is said.
  package var store: String?
  /// Names for addresses, in the order of the file.
  package var stores: [NamedStore] = []
  /// The folder of the schema files, as it is written.
  package var schemas: String?

  /// A name for an address.
  package struct NamedStore: Hashable, Sendable {
    package var name: String
    package var address: String
  }

  static let name = "datactl.json"
  private static let longest = 1 << 20

  init(path: String) {
    self.path = path
  }

  /// The folder that its relative paths are taken from.
  package var folder: String { FilePath.folder(of: path) }

  /// The folder of the schema files; `schemas` beside the file if it does not say.
  package var schemaFolder: String { FilePath.absolute(schemas ?? "schemas", in: folder) }

  /// Finds the file in the folder or the nearest one above it.
  package static func nearest(in surroundings: Surroundings) throws(DataError) -> ProjectFile? {
    guard !surroundings.folder.isEmpty else { return nil }
    var folder = FilePath.absolute(surroundings.folder, in: "/")
    while true {
      let path = FilePath.join(folder, name)
      if let bytes = try contents(of: path, for: surroundings.userID) {
        return try ProjectFile(reading: bytes, path: path)
      }
      if folder == "/" { return nil }
      folder = FilePath.folder(of: folder)
    }
  }

  /// Whether a text can be the name of a store rather than an address.
  static func isName(_ text: String) -> Bool {
    !text.utf8.contains(UInt8(ascii: "/")) && !text.utf8.contains(UInt8(ascii: ":"))
  }

  /// Whether the file has an address under the name.
  func names(_ name: String) -> Bool { stores.contains { $0.name == name } }

  /// The address that a text of the file means: a name among its stores, or the address itself.
  func address(_ text: String) throws(DataError) -> StoreAddress {
    try StoreAddress(stores.first { $0.name == text }?.address ?? text, in: folder)
  }

  /// Reads the file if there is one, and refuses one that others could have written.
  private static func contents(of path: String, for user: UInt32) throws(DataError) -> [UInt8]? {
    do {
      return try Platform.contents(of: path, atMost: longest) { status throws(DataError) in
        guard status.isRegular else { throw refusal(path, "not a regular file") }
        guard status.owner == user || status.owner == 0 else {
          throw refusal(path, "owned by another user")
        }
        guard status.permissions & 0o022 == 0 else {
          throw refusal(path, "writable by others", hint: "chmod go-w \(path)")
        }
      }
    } catch let error as DataError {
      throw error
    } catch let refusal as Platform.Refusal where refusal.isMissing {
      guard !Platform.hasEntry(path) else {
        throw Self.refusal(path, "a link to a file that does not exist", hint: "remove it")
      }
      return nil
    } catch let refusal as Platform.Refusal {
      throw Self.refusal(path, refusal.reason)
    } catch {
      throw DataError(.fileFailed, "\(path): \(error)")
    }
  }

  private static func refusal(
    _ path: String, _ reason: String, hint: String? = nil
  ) -> DataError {
    DataError(
      Problem(
        .invalidConfiguration, "the project file is not used: \(reason)", hint: hint, file: path))
  }
}
