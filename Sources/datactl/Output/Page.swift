import DataClient
import DataModel
import DataStore

/// A page of a query's records: its first and last cursor, and whether adjacent pages exist.
struct Page {
  private let question: CheckedQuestion
  private let bound: Query.Bound?
  private var first: Query.Place?
  private var last: Query.Place?
  private var count = 0
  /// Whether a record of the next page was fetched.
  private var isFollowed = false

  init(_ question: CheckedQuestion, at bound: Query.Bound?) {
    self.question = question
    self.bound = bound
  }

  /// Returns the query with the cursors of its records and, when paging forward, with a limit of
  /// one more record.
  func query(_ query: Query) -> Query {
    var query = query.withPlaces()
    guard let limit = query.limit, limit > 0 else { return query }
    switch bound {
    case nil, .after: query.limit = limit == .max ? limit : limit + 1
    case .before: break
    }
    return query
  }

  /// Records rows that were fetched, and returns how many of them belong to the page.
  mutating func take(_ rows: Rows, of query: Query) throws(DataError) -> Int {
    let room = (question.limit ?? .max) - count
    let shown = min(rows.count, room)
    if rows.count > shown { isFollowed = true }
    guard shown > 0 else { return 0 }
    let catalog = question.stored.catalog
    if first == nil { first = try query.place(of: 0, in: rows, catalog) }
    last = try query.place(of: shown - 1, in: rows, catalog)
    count += shown
    return shown
  }

  /// Returns the tokens of the next and previous pages.
  func tokens(from reader: any StoreReader) async throws(DataError) -> PageTokens {
    var tokens = PageTokens()
    switch bound {
    case nil:
      if isFollowed, let last { tokens.next = question.token(of: last) }
    case .after(let place):
      if isFollowed, let last { tokens.next = question.token(of: last) }
      let start = first ?? edge(of: place, isEnd: true)
      tokens.previous = try await token(of: start, if: .before(start), reader)
    case .before(let place):
      let end = last ?? edge(of: place, isEnd: false)
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
  private func edge(of place: Query.Place, isEnd: Bool) -> Query.Place {
    let isDescending = question.query().fullOrder.last?.isDescending ?? false
    var place = place
    place.values[place.values.count - 1] = .text(isEnd == isDescending ? "" : Self.lastID)
    return place
  }

  /// A text that sorts after every id: longer than any, and made of the greatest scalar.
  private static let lastID = String(repeating: "\u{10FFFF}", count: 64)

  /// Returns the token of a cursor if there is a record within the given bound.
  private func token(
    of place: Query.Place, if bound: Query.Bound, _ reader: any StoreReader
  ) async throws(DataError) -> String? {
    var query = question.query(slots: [question.schema.keySlot])
    query.bound = bound
    query.limit = 1
    return try await reader.count(query) > 0 ? question.token(of: place) : nil
  }
}
