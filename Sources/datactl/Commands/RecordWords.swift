import DataClient
import DataModel
import DataStore

/// The options of `list` that control how records are printed.
struct RecordWords: Sendable {
  /// The start or end of a page, given by a token.
  enum Bound: Sendable {
    case after(String)
    case before(String)
  }

  let bound: Bound?
  let fields: String?
  let expansion: String?
  let section: String?
  let includesFiles: Bool

  /// Whether none of these options was given.
  var isPlain: Bool {
    bound == nil && fields == nil && expansion == nil && section == nil && !includesFiles
  }

  /// Prints the records that a query selects.
  func print(
    _ question: CheckedQuestion, as format: OutputFormat?, from reader: any StoreReader,
    with invocation: Invocation
  ) async throws {
    let catalog = question.stored.catalog
    let expansion = try expansion(of: question)
    let fields = try FieldChoice(
      fields, of: question.schema, in: catalog, expanding: expansion)
    let isSectioned = bound == nil && SectionListing.forms(format)
    if let section = section ?? (isSectioned ? question.segment : nil) {
      let listing = try SectionListing(
        question, by: section, fields: fields, expansion: expansion, format: format)
      return try await listing.print(from: reader, with: invocation)
    }
    let listing = RecordListing(
      question: question, bound: try bound.map { try $0.place(in: question) }, fields: fields,
      expansion: expansion, format: format, includesFiles: includesFiles, reader: reader)
    try await listing.print(with: invocation)
  }

  private func expansion(of question: CheckedQuestion) throws(DataError) -> Expansion {
    let catalog = question.stored.catalog
    if let expansion { return try Expansion(expansion, of: question.schema, in: catalog) }
    guard question.expandsToMany else { return Expansion() }
    let chosen = try FieldChoice(fields, of: question.schema, in: catalog, expanding: Expansion())
    return Expansion(toManyOf: question.schema, among: chosen.slots, in: catalog)
  }
}

extension RecordWords.Bound {
  fileprivate func place(in question: CheckedQuestion) throws(DataError) -> Query.Bound {
    switch self {
    case .after(let token): .after(try question.place(of: token, option: "--after"))
    case .before(let token): .before(try question.place(of: token, option: "--before"))
    }
  }
}
