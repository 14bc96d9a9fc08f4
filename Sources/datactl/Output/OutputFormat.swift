/// The forms in which records are printed.
package enum OutputFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case csv
  case table
  case ids
  case none
}
