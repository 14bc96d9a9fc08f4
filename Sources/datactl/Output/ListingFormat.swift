/// The forms in which lists of other things than records are printed.
enum ListingFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case table
  case ids
}

/// The forms in which a single fact is printed.
enum SentenceFormat: String, CaseIterable, Sendable {
  case text
  case json
}
