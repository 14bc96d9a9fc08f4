/// The formats in which commands can print records (`--output`).
package enum OutputFormat: String, CaseIterable, Sendable {
  case json
  case ndjson
  case csv
  case tsv
  /// A Markdown table.
  case md
  case xml
  case table
  case ids
  /// The values of a single column.
  case lines
  case none
  /// Records, followed by the tokens of the next page and the previous page.
  case page
  /// The changes that a save makes to records, instead of the records.
  case diff

  /// The formats of commands that print records with given ids.
  package static let ofRecords = allCases.filter { $0 != .page && $0 != .diff }
  /// The formats of commands that print the records that match a query.
  package static let ofQueries = allCases.filter { $0 != .diff }
  /// The formats in which a save prints the saved records.
  package static let ofSaves = allCases.filter { $0 != .page && $0 != .lines }

  /// Whether system fields are left out unless `--system` is given. This is the case in Markdown
  /// and in a table on a terminal.
  package func omitsSystemFields(on terminal: TerminalStyle?) -> Bool {
    self == .md || self == .table && terminal != nil
  }
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
