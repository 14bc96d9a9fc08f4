package import DataModel
internal import Platform

/// The store to open, and the origin of its address: an option, the environment, the project file,
/// or the default.
package struct StoreChoice: Sendable {
  /// What specifies the store.
  package enum Origin: Hashable, Sendable {
    case option
    case environment
    case project
    case defaultStore
  }

  package let address: StoreAddress
  package let origin: Origin
  /// Whether the project file contains the address. This is also true if an option or an
  /// environment variable contains a name that the project file defines. `DATACTL_TOKEN` is not
  /// used for such an address, because the file could send it to another server.
  package let isFromProjectFile: Bool

  package init(_ address: StoreAddress, origin: Origin, isFromProjectFile: Bool = false) {
    self.address = address
    self.origin = origin
    self.isFromProjectFile = isFromProjectFile || origin == .project
  }

  /// Returns the store that the option, `DATACTL_STORE` or the project file specifies, in this
  /// order of precedence. If none of them specifies a store, returns the user's default store.
  package static func find(
    option: String? = nil, in environment: Environment
  ) throws(DataError) -> StoreChoice {
    if let option {
      return try named(option, by: .option, in: environment)
    }
    if let variable = environment.variable("DATACTL_STORE") {
      return try named(variable, by: .environment, in: environment)
    }
    if let project = try ProjectFile.nearest(in: environment), let store = project.store {
      return StoreChoice(try project.address(store), origin: .project)
    }
    let folder = try environment.folder(
      "XDG_DATA_HOME", below: ".local/share", for: "your default store")
    let path = FilePath.join(folder, "datactl.db")
    return StoreChoice(try StoreAddress("sqlite:" + path, in: "/"), origin: .defaultStore)
  }

  /// Returns the store that a text specifies, which is an address, or the name of a store in the
  /// project file.
  private static func named(
    _ text: String, by origin: Origin, in environment: Environment
  ) throws(DataError) -> StoreChoice {
    guard ProjectFile.isName(text), let project = try ProjectFile.nearest(in: environment) else {
      return StoreChoice(try StoreAddress(text, in: environment.folder), origin: origin)
    }
    if project.hasStore(text) {
      return StoreChoice(try project.address(text), origin: origin, isFromProjectFile: true)
    }
    let address = try StoreAddress(text, in: environment.folder)
    // A word with a dot is probably the name of a file.
    let suggestion = DataModel.nearest(text, among: project.stores.map(\.name))
    if case .file(let path) = address.kind, suggestion != nil || !text.contains("."),
      (try? FileStatus(ofLink: path)) == nil
    {
      let question = suggestion.map { "did you mean \($0)? " } ?? ""
      throw DataError(
        .usage,
        "\(project.path) defines no store \(Excerpt.quoted(text)), and no file has this name",
        hint: "\(question)to create a new file, write sqlite:\(text)")
    }
    return StoreChoice(address, origin: origin)
  }
}
