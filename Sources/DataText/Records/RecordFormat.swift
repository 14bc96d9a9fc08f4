/// The input formats of records.
package enum RecordFormat: String, CaseIterable, Sendable {
  /// An object, an array of objects or a sequence of objects, in any layout.
  case json
  /// One object per line; a malformed one ends with its line.
  case ndjson
  case csv
}
