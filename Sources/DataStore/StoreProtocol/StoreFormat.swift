package import DataModel

/// The format of a store's internal tables.
///
/// A program can read and write all formats up to the newest one. A new store has the current
/// format, and the first write transaction upgrades a store of an older format to it. A store gets
/// a newer format only with the first schema that needs it, so that older programs can use all other
/// stores. A named session needs the newest format, too.
package enum StoreFormat {
  /// The format of a new store. Format 2 added a version for each schema.
  package static let current: Int64 = 2
  /// The earliest version of datactl that can use a store of the current format.
  package static let minimumProgram = "0.2.0"
  /// The newest format. Format 3 added the type `decimal`, names of sessions, the key `disabled`,
  /// the default `:user`, and owned relations.
  package static let newest: Int64 = 3
  /// The format of a store that is an unfinished copy of another one, in which `CopyMark` is stored.
  /// It is higher than those of later versions, so that no version takes it for one of its own.
  package static let unfinishedCopy: Int64 = 1_000
  /// The earliest version of datactl that can use a store of the newest format.
  package static let newestMinimumProgram = "0.3.0"

  /// Returns whether a store with this schema needs the newest format.
  package static func isNeeded(by schema: Schema) -> Bool {
    schema.disabled != nil || schema.ownerSlot != nil
      || schema.fields.contains { $0.defaultsToUser || $0.type.descriptor.storeFormat > current }
  }

  /// The statement that keeps the defaults `:user` of a store of an older format as texts. The
  /// definitions are those that `SchemaCoding` has encoded, so the text occurs nowhere else.
  package static let userTextsSQL: SQL = """
    update \(table: "_schema") set definition = replace(definition, \
    \(.text(#""default": ":user""#)), \(.text(#""default": "\u003auser""#)))
    """

  /// Throws an error if a store has a newer format than this program supports, or if it is an
  /// unfinished copy, unless these are accepted.
  ///
  /// - Parameters:
  ///   - copyMark: A closure that returns the mark of an unfinished copy.
  ///   - minimumProgram: A closure that returns the version of datactl that the store requires, or
  ///     nil if the store does not contain this information.
  package static func check(
    _ format: Int64, of store: String, accepting unfinishedCopies: UnfinishedCopies,
    copyMark: () -> CopyMark?, minimumProgram: () -> String?
  ) throws(DataError) {
    guard format > newest else { return }
    if format == unfinishedCopy {
      if unfinishedCopies == .accepted { return }
      let source = copyMark()?.source ?? "another store"
      throw DataError(
        .unfinishedCopy, "\(store): an unfinished copy of \(source)",
        hint: "copy the same store again to complete it: datactl copy \(ShellText.word(source)) "
          + ShellText.word(store))
    }
    let required = minimumProgram().map { "datactl \(Excerpt.escaped($0)) or later" }
    throw DataError(
      .storeTooNew,
      """
      \(store): created by a newer version of datactl (its format is \(format), but this version \
      supports at most \(newest))
      """,
      hint: "install \(required ?? "a newer version of datactl")")
  }
}
