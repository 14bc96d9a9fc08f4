/// The output formats of lists that are not records.
enum ListingFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case table
  case ids
}

/// The output formats of single facts.
enum ReportFormat: String, CaseIterable, Sendable {
  case text
  case json
}
