internal import ClientCore
internal import DataOutput
internal import DataStore

/// A page of the records of a query.
public struct RecordPage<Element: Sendable>: Sendable {
  /// The records of the page.
  public let records: [Element]
  /// The token of the next page, to be passed as `after`; nil if there is none.
  public let next: String?
  /// The token of the previous page, to be passed as `before`; nil if there is none.
  public let previous: String?
}

extension Records {
  /// Returns a page of the records that match a condition.
  ///
  /// ```swift
  /// var page = try await todos.page(limit: 20, order: "due")
  /// while let next = page.next {
  ///   page = try await todos.page(after: next, limit: 20, order: "due")
  /// }
  /// ```
  ///
  /// The tokens are those that `datactl list -o page` also prints. A token remains valid if records
  /// are added or deleted. A web server can send the token to the browser, which sends it back to
  /// request the next page.
  ///
  /// The records of the page, and whether there are other pages, are read from the same snapshot of
  /// the store.
  ///
  /// - Parameters:
  ///   - token: The token after which the page begins: `next` of another page of the same query.
  ///     If `token` and `end` are nil, the page is the first one.
  ///   - end: The token before which the page ends: `previous` of another page of the same query.
  ///   - limit: The maximum number of records on the page.
  ///   - condition: A condition, in the syntax of `datactl list --where`. If empty, all records
  ///     match.
  ///   - matching: The values that fields must have, keyed by field or property name. A list field
  ///     matches if it contains the value; `nil` matches fields without a value.
  ///   - parameters: The values of the `:name` parameters in the condition, keyed by name.
  ///   - order: The fields to sort by, separated by commas; a `-` prefix sorts in descending order.
  ///     Ties are sorted by id.
  ///   - relations: The relations to expand, as in ``get(_:expanding:)-(String,_)``.
  /// - Returns: The page.
  /// - Throws: A ``DataError`` if an argument is invalid, if the token belongs to another query, or
  ///   if a record cannot be decoded.
  public func page(
    after token: String? = nil, before end: String? = nil, limit: Int,
    where condition: String = "", matching: [String: DraftValue] = [:],
    parameters: [String: DraftValue] = [:], order: String = "", expanding relations: String = ""
  ) async throws -> RecordPage<Element> {
    let input = try query(condition, matching, parameters, order: order, limit: limit)
    let bound: RecordOptions.Bound?
    switch (token, end) {
    case (let token?, nil): bound = .after(token)
    case (nil, let end?): bound = .before(end)
    case (nil, nil): bound = nil
    case (_?, _?): throw DataError(.usage, "after and before cannot be used together")
    }
    let page = try await client.inLibraryWords { () throws(DataError) in
      switch client.executor {
      case .store(let store): try await self.page(input, at: bound, relations, from: store)
      case .server(let server): try await self.page(input, at: bound, relations, from: server)
      }
    }
    return RecordPage(
      records: try page.records.map(decode), next: page.next, previous: page.previous)
  }

  private func page(
    _ input: QueryInput, at bound: RecordOptions.Bound?, _ relations: String,
    from store: any Store
  ) async throws(DataError) -> RecordPage<RecordTree> {
    let source = try await source(from: store, isSnapshot: true)
    let checked = try await client.check(input, from: source.reader)
    let catalog = checked.stored.catalog
    let relations = source.model?.expansion(relations) ?? relations
    let expansion = try Expansion(expanding: relations, of: checked.schema, in: catalog)
    let cursor = try bound?.position(in: checked)
    var page = Page(checked.query(), in: catalog, at: cursor, token: checked.token)
    var query = checked.query()
    query.computed = expansion.inverses.map(\.expression)
    query.bound = cursor
    query = try page.query(query)
    try await source.reader.prepare(toRead: [checked.schema] + expansion.schemas)
    let stream = try await source.reader.records(query)
    var records: [Record] = []
    var memory = Rows(width: query.width)
    while let rows = try await stream.next(reusing: memory) {
      let count = try page.take(rows, of: query)
      records += try await source.reader.records(
        rows, upTo: count, of: checked.schema, expanding: expansion)
      memory = rows
    }
    let tokens = try await page.tokens(from: source.reader)
    var related: RelatedRecords?
    if let model = source.model, model.isTree {
      related = try await RelatedRecords(of: records, model, from: source.reader)
    }
    return RecordPage(
      records: records.map { RecordTree($0, with: related) }, next: tokens.next,
      previous: tokens.previous)
  }
}

extension RecordOptions.Bound {
  fileprivate func position(in checked: CheckedQuery) throws(DataError) -> Query.Bound {
    do throws(DataError) {
      return switch self {
      case .after(let token): .after(try checked.cursor(of: token, option: "after"))
      case .before(let token): .before(try checked.cursor(of: token, option: "before"))
      }
    } catch {
      throw error.modifyingProblems { $0.hint = "use a token of a page of the same query" }
    }
  }
}
