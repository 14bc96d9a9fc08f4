import ClientCore
import DataModel
import DataStore

/// A page of a query's records: its first and last cursor, and whether adjacent pages exist.
struct Page {
  private let checkedQuery: CheckedQuery
  private let bound: Query.Bound?
  private var first: Query.Cursor?
  private var last: Query.Cursor?
  private var count = 0
  /// Whether a record of the next page was fetched.
  private var hasNext = false

  init(_ checkedQuery: CheckedQuery, at bound: Query.Bound?) {
    self.checkedQuery = checkedQuery
    self.bound = bound
  }

  /// Returns the query with the cursors of its records and, when paging forward, with a limit of
  /// one more record.
  func query(_ query: Query) -> Query {
    var query = query.withCursors()
    guard let limit = query.limit, limit > 0 else { return query }
    switch bound {
    case nil, .after: query.limit = limit == .max ? limit : limit + 1
    case .before: break
    }
    return query
  }

  /// Records rows that were fetched, and returns how many of them belong to the page.
  mutating func take(_ rows: Rows, of query: Query) throws(DataError) -> Int {
    let remaining = (checkedQuery.limit ?? .max) - count
    let shown = min(rows.count, remaining)
    if rows.count > shown { hasNext = true }
    guard shown > 0 else { return 0 }
    let catalog = checkedQuery.stored.catalog
    if first == nil { first = try query.cursor(of: 0, in: rows, catalog) }
    last = try query.cursor(of: shown - 1, in: rows, catalog)
    count += shown
    return shown
  }

  /// Returns the tokens of the next and previous pages.
  func tokens(from reader: any StoreReader) async throws(DataError) -> PageTokens {
    var tokens = PageTokens()
    switch bound {
    case nil:
      if hasNext, let last { tokens.next = checkedQuery.token(of: last) }
    case .after(let cursor):
      if hasNext, let last { tokens.next = checkedQuery.token(of: last) }
      let start = first ?? edge(of: cursor, isEnd: true)
      tokens.previous = try await token(of: start, if: .before(start), reader)
    case .before(let cursor):
      let end = last ?? edge(of: cursor, isEnd: false)
      tokens.next = try await token(of: end, if: .after(end), reader)
      if let first { tokens.previous = try await token(of: first, if: .before(first), reader) }
    }
    return tokens
  }

  /// Returns the cursor at the start or the end of all records that differ from a cursor only in
  /// their id.
  ///
  /// An empty page has no record from which to page back, and paging from the cursor itself would
  /// skip the record at it.
  private func edge(of cursor: Query.Cursor, isEnd: Bool) -> Query.Cursor {
    let isDescending = checkedQuery.query().fullOrder.last?.isDescending ?? false
    var cursor = cursor
    cursor.values[cursor.values.count - 1] = .text(isEnd == isDescending ? "" : Self.lastID)
    return cursor
  }

  /// A text that sorts after every id: longer than any, and made of the greatest scalar.
  private static let lastID = String(repeating: "\u{10FFFF}", count: 64)

  /// Returns the token of a cursor if there is a record within the given bound.
  private func token(
    of cursor: Query.Cursor, if bound: Query.Bound, _ reader: any StoreReader
  ) async throws(DataError) -> String? {
    var query = checkedQuery.query(slots: [checkedQuery.schema.keySlot])
    query.bound = bound
    query.limit = 1
    return try await reader.count(query) > 0 ? checkedQuery.token(of: cursor) : nil
  }
}

/// The tokens of the next and previous pages, or nil if no such page exists.
struct PageTokens: Sendable {
  var next: String?
  var previous: String?

  /// Appends the last members of a page's JSON object.
  func append(to output: inout [UInt8]) {
    for (name, token) in [("next", next), ("previous", previous)] {
      output.append(contentsOf: ",\"\(name)\":".utf8)
      if let token {
        JSONQuote.append(token.utf8.span, to: &output)
      } else {
        output.append(contentsOf: "null".utf8)
      }
    }
    output.append(contentsOf: "}\n".utf8)
  }
}
