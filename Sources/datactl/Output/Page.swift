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
      let start = first ?? edge(of: place, isEnd: true)
      tokens.previous = try await token(of: start, if: .before(start), reader)
    case .before(let place):
      let end = last ?? edge(of: place, isEnd: false)
      tokens.next = try await token(of: end, if: .after(end), reader)
      if let first { tokens.previous = try await token(of: first, if: .before(first), reader) }
    }
    return tokens
  }

  /// The place beside all records that the order alone does not tell from one at a place.
  ///
  /// An empty page has no record of its own to go back from, and from the place itself the record
  /// that stands there would be passed over.
  private func edge(of place: Query.Place, isEnd: Bool) -> Query.Place {
    let isDescending = question.query().fullOrder.last?.isDescending ?? false
    var place = place
    place.values[place.values.count - 1] = .text(isEnd == isDescending ? "" : Self.lastID)
    return place
  }

  /// A text above all ids: it is longer than any, and of the greatest characters.
  private static let lastID = String(repeating: "\u{10FFFF}", count: 64)

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
