package import DataModel
internal import Platform

/// The store to open, and the origin of its address: an option, the environment, the project file,
/// or the default.
package struct StoreChoice: Sendable {
  /// Where the address of a store comes from. `DATACTL_TOKEN` is used only if the address comes
  /// from an option or an environment variable, and never for a store from a project file.
  package enum Origin: Hashable, Sendable {
    case option
    case environment
    case project
    case defaultStore
  }

  package let address: StoreAddress
  package let origin: Origin

  package init(_ address: StoreAddress, origin: Origin) {
    self.address = address
    self.origin = origin
  }

  /// Returns the store that the option, `DATACTL_STORE` or the project file specifies, in this
  /// order of precedence. If none of them specifies a store, returns the user's default store.
  package static func find(
    option: String? = nil, in environment: Environment
  ) throws(DataError) -> StoreChoice {
    if let option {
      return StoreChoice(try address(option, in: environment), origin: .option)
    }
    if let variable = environment.variable("DATACTL_STORE") {
      return StoreChoice(try address(variable, in: environment), origin: .environment)
    }
    if let project = try ProjectFile.nearest(in: environment), let store = project.store {
      return StoreChoice(try project.address(store), origin: .project)
    }
    let folder = try environment.folder(
      "XDG_DATA_HOME", below: ".local/share", for: "your default store")
    let path = FilePath.join(folder, "datactl.db")
    return StoreChoice(try StoreAddress("sqlite:" + path, in: "/"), origin: .defaultStore)
  }

  /// Returns the address of a store. The text is an address, or the name of a store in the project
  /// file.
  private static func address(
    _ text: String, in environment: Environment
  ) throws(DataError) -> StoreAddress {
    guard ProjectFile.isName(text), let project = try ProjectFile.nearest(in: environment) else {
      return try StoreAddress(text, in: environment.folder)
    }
    if project.hasStore(text) { return try project.address(text) }
    let address = try StoreAddress(text, in: environment.folder)
    if case .file(let path) = address.kind, (try? FileStatus(ofLink: path)) == nil,
      let suggestion = DataModel.nearest(text, among: project.stores.map(\.name))
    {
      throw DataError(
        .usage,
        "\(project.path) defines no store \(Excerpt.quoted(text)), and no file has this name",
        hint: "did you mean \(suggestion)? to create a new file, write sqlite:\(text)")
    }
    return address
  }
}
