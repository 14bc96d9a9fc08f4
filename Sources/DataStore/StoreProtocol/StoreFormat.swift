package import DataModel

/// The format of a store's internal tables.
///
/// A program reads and writes its own format and all older ones. The first writer upgrades a store
/// of an older format.
package enum StoreFormat {
  /// The current format. Format 2 added a version for each schema.
  package static let current: Int64 = 2
  /// The earliest version of datactl that can use a store of the current format.
  package static let minimumProgram = "0.2.0"

  /// Throws an error if a store has a newer format than this program supports.
  ///
  /// - Parameter minimumProgram: Returns the version of datactl that the store requires, if it
  ///   says so.
  package static func check(
    _ format: Int64, of store: String, minimumProgram: () -> String?
  ) throws(DataError) {
    guard format > current else { return }
    let required = minimumProgram().map { "datactl \(Excerpt.escaped($0)) or later" }
    throw DataError(
      .storeTooNew,
      """
      \(store): created by a newer version of datactl (format \(format), known: \(current))
      """,
      hint: "install \(required ?? "a newer version of datactl")")
  }
}
