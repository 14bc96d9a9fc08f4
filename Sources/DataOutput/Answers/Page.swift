package import DataModel
package import DataStore
import JSONText

/// A page of the records of a query: the cursors of its first and last records, and whether there
/// is a next page.
package struct Page {
  private let query: Query
  private let catalog: Catalog
  private let bound: Query.Bound?
  private let token: (Query.Cursor) -> String
  private var first: Query.Cursor?
  private var last: Query.Cursor?
  private var count = 0
  /// Whether more records were fetched than fit on the page. If so, there is a next page.
  private var hasNext = false

  /// Creates a page of a query.
  ///
  /// - Parameters:
  ///   - query: The query. Its `bound` must be nil.
  ///   - catalog: The schemas of the store.
  ///   - bound: The cursor that the page must follow or precede, or nil for the first page.
  ///   - token: A closure that returns the page token for a cursor.
  package init(
    _ query: Query, in catalog: Catalog, at bound: Query.Bound?,
    token: @escaping (Query.Cursor) -> String
  ) {
    self.query = query
    self.catalog = catalog
    self.bound = bound
    self.token = token
  }

  /// Returns the query that fetches the records of the page, together with their cursors. When
  /// paging forward, the query fetches one more record, to find out whether there is a next page.
  package func query(_ query: Query) throws(DataError) -> Query {
    var query = try query.withCursors(in: catalog)
    guard let limit = query.limit, limit > 0 else { return query }
    switch bound {
    case nil, .after: query.limit = limit == .max ? limit : limit + 1
    case .before: break
    }
    return query
  }

  /// Adds fetched rows to the page, starting with the first row. Returns the number of rows that
  /// fit on the page.
  package mutating func take(_ rows: Rows, of query: Query) throws(DataError) -> Int {
    let remaining = (self.query.limit ?? .max) - count
    let shown = min(rows.count, remaining)
    if rows.count > shown { hasNext = true }
    guard shown > 0 else { return 0 }
    if first == nil { first = try query.cursor(of: 0, in: rows, catalog) }
    last = try query.cursor(of: shown - 1, in: rows, catalog)
    count += shown
    return shown
  }

  /// Returns the tokens of the next page and the previous page. If one of these pages does not
  /// exist, its token is nil.
  package func tokens(from reader: any StoreReader) async throws(DataError) -> PageTokens {
    var tokens = PageTokens()
    switch bound {
    case nil:
      if hasNext, let last { tokens.next = token(last) }
    case .after(let cursor):
      if hasNext, let last { tokens.next = token(last) }
      let start = first ?? edge(of: cursor, isEnd: true)
      tokens.previous = try await token(of: start, if: .before(start), reader)
    case .before(let cursor):
      let end = last ?? edge(of: cursor, isEnd: false)
      tokens.next = try await token(of: end, if: .after(end), reader)
      if let first { tokens.previous = try await token(of: first, if: .before(first), reader) }
    }
    return tokens
  }

  /// Creates a cursor for the token of the page before or after an empty page. It cannot be the
  /// cursor of a record, because an empty page has no records.
  ///
  /// The result is a copy of the given cursor with an id that sorts before or after all ids. With
  /// the original id, the page before or after would not contain the record at the given cursor.
  ///
  /// - Parameter isEnd: Whether the new id sorts after all ids in the order of the query. If not,
  ///   it sorts before all ids.
  private func edge(of cursor: Query.Cursor, isEnd: Bool) -> Query.Cursor {
    let isDescending = query.fullOrder.last?.isDescending ?? false
    var cursor = cursor
    cursor.values[cursor.values.count - 1] = .text(isEnd == isDescending ? "" : Self.lastID)
    return cursor
  }

  /// A string that sorts after every id. It consists of the greatest Unicode scalar, and is longer
  /// than any id.
  private static let lastID = String(repeating: "\u{10FFFF}", count: 64)

  /// Returns the page token for a cursor, or nil if the page would be empty.
  ///
  /// - Parameter bound: Specifies whether the page precedes or follows the cursor.
  private func token(
    of cursor: Query.Cursor, if bound: Query.Bound, _ reader: any StoreReader
  ) async throws(DataError) -> String? {
    var query = query
    query.slots = [query.schema.keySlot]
    query.bound = bound
    query.limit = 1
    return try await reader.count(query) > 0 ? token(cursor) : nil
  }
}

/// The tokens of the next page and the previous page. If one of these pages does not exist, its
/// token is nil.
package struct PageTokens: Sendable {
  package fileprivate(set) var next: String?
  package fileprivate(set) var previous: String?

  package init() {}

  /// Appends the tokens to a page's JSON object, as its last members.
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
