/// The output formats of records.
package enum OutputFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case csv
  case xml
  case table
  case ids
  case none
  /// Records, followed by the tokens of the next page and the previous page.
  case page

  /// The formats that all commands that print records accept.
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
