/// The forms in which records are printed.
package enum OutputFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case csv
  case table
  case ids
  case none
  /// Records with the tokens of the pages beside them.
  case page

  /// The forms that records have wherever they are printed.
  static let ofRecords = allCases.filter { $0 != .page }
}
