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

  /// The formats that every command that prints records accepts.
  package static let ofRecords = allCases.filter { $0 != .page }
}

/// The output formats of lists of items other than records, such as schemas.
package enum ListingFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case table
  case ids
}

/// The output formats of reports, such as the output of `whoami`.
package enum ReportFormat: String, CaseIterable, Sendable {
  case text
  case json
}
