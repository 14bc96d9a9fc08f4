/// The output formats of records.
package enum OutputFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case csv
  case table
  case ids
  case none
  /// Records with the tokens of the next and previous pages.
  case page

  /// The formats that all commands that print records accept.
  package static let ofRecords = allCases.filter { $0 != .page }
}

/// The output formats of lists that are not records.
package enum ListingFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case table
  case ids
}

/// The output formats of single facts.
package enum ReportFormat: String, CaseIterable, Sendable {
  case text
  case json
}
