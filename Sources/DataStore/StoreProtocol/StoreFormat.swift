package import DataModel

/// The format of a store's internal tables.
///
/// A program can read and write the current format and all older ones. If a store has an older
/// format, the first write transaction upgrades it.
package enum StoreFormat {
  /// The current format. Format 2 added a version for each schema.
  package static let current: Int64 = 2
  /// The earliest version of datactl that can use a store of the current format.
  package static let minimumProgram = "0.2.0"

  /// Throws an error if a store has a newer format than this program supports.
  ///
  /// - Parameter minimumProgram: A closure that returns the version of datactl that the store
  ///   requires, or nil if the store does not contain this information.
  package static func check(
    _ format: Int64, of store: String, minimumProgram: () -> String?
  ) throws(DataError) {
    guard format > current else { return }
    let required = minimumProgram().map { "datactl \(Excerpt.escaped($0)) or later" }
    throw DataError(
      .storeTooNew,
      """
      \(store): created by a newer version of datactl (its format is \(format), but this version \
      supports at most \(current))
      """,
      hint: "install \(required ?? "a newer version of datactl")")
  }
}
