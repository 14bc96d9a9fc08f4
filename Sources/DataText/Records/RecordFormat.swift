/// The forms in which records are read.
package enum RecordFormat: String, CaseIterable, Sendable {
  /// An object, an array of objects, or objects one after the other, however they are laid out.
  case json
  /// An object a line; a broken one ends with its line.
  case ndjson
  case csv
}
