import DataClient
import DataModel
import DataStore

/// A page of an answer: where it begins and ends, and whether there are others beside it.
struct Page {
  private let question: CheckedQuestion
  private let bound: Query.Bound?
  private var first: Query.Place?
  private var last: Query.Place?
  private var count = 0
  /// Whether a record came that belongs to the next page.
  private var isFollowed = false

  init(_ question: CheckedQuestion, at bound: Query.Bound?) {
    self.question = question
    self.bound = bound
  }

  /// The query with the places of its records, and forwards with one record beyond the page.
  func query(_ query: Query) -> Query {
    var query = query.withPlaces()
    guard let limit = query.limit, limit > 0 else { return query }
    switch bound {
    case nil, .after: query.limit = limit == .max ? limit : limit + 1
    case .before: break
    }
    return query
  }

  /// Notes rows and says how many of them belong to the page.
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

  /// The tokens of the pages beside this one.
  func tokens(from reader: any StoreReader) async throws(DataError) -> PageTokens {
    var tokens = PageTokens()
    switch bound {
    case nil:
      if isFollowed, let last { tokens.next = question.token(of: last) }
    case .after(let place):
      if isFollowed, let last { tokens.next = question.token(of: last) }
      tokens.previous = try await token(of: first ?? place, if: .before(first ?? place), reader)
    case .before(let place):
      tokens.next = try await token(of: last ?? place, if: .after(last ?? place), reader)
      if let first { tokens.previous = try await token(of: first, if: .before(first), reader) }
    }
    return tokens
  }

  /// The token of a place, if there is a record on one side of it.
  private func token(
    of place: Query.Place, if bound: Query.Bound, _ reader: any StoreReader
  ) async throws(DataError) -> String? {
    var query = question.query(slots: [question.schema.keySlot])
    query.bound = bound
    query.limit = 1
    return try await reader.count(query) > 0 ? question.token(of: place) : nil
  }
}
