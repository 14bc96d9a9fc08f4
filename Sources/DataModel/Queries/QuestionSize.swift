/// The size of a query, which is checked against limits before the query is sent to a store.
///
/// The limits are below those of every engine, so that all stores accept the same queries.
package struct QuestionSize: Sendable {
  /// The maximum number of tests in all conditions; `in` with a list counts as one.
  package static let mostTests = 10_000
  /// The maximum nesting depth of *and* and *or*.
  package static let deepestJunction = 20
  /// The maximum number of relations in a path.
  package static let mostRelationsInPath = 8
  /// The maximum number of to-many relations in a path.
  package static let mostToManyInPath = 4
  /// The maximum number of relations in all paths; common prefixes count once.
  package static let mostRelations = 50
  /// The maximum number of sort terms, and of group keys.
  package static let mostTerms = 50
  /// The maximum number of joined fields, and of aggregates.
  package static let mostColumns = 100

  /// A size limit that a query exceeds.
  package struct Fault: Error, Hashable, Sendable {
    package let message: String
    package let hint: String
  }

  private var tests = 0
  private var relations: Set<[Route.Hop]> = []
  private var isTooDeep = false

  package init() {}

  /// Adds the relations of a path. Only the first one above the limit throws an error.
  package mutating func follow(_ route: Route) throws(Fault) {
    for count in route.hops.indices {
      let isNew = relations.insert(Array(route.hops[...count])).inserted
      if isNew, relations.count == Self.mostRelations + 1 { throw .tooManyRelations }
    }
  }

  /// Adds a test at the given nesting depth of *and* and *or*.
  package mutating func addTest(atDepth depth: Int) throws(Fault) {
    tests += 1
    if tests == Self.mostTests + 1 { throw .tooManyTests }
    if depth > Self.deepestJunction, !isTooDeep {
      isTooDeep = true
      throw .tooDeep
    }
  }
}

extension QuestionSize.Fault {
  fileprivate static var tooManyRelations: Self {
    Self(
      message: "a query follows at most \(QuestionSize.mostRelations) relations",
      hint: "split it into several queries")
  }

  fileprivate static var tooManyTests: Self {
    Self(
      message: "a query has at most \(QuestionSize.mostTests) comparisons",
      hint: "use a list for several values of one field: in ('a', 'b')")
  }

  fileprivate static var tooDeep: Self {
    Self(
      message: "\"and\" and \"or\" nest at most \(QuestionSize.deepestJunction) deep",
      hint: "split it into several queries")
  }

  fileprivate static func tooMany(_ names: String, _ limit: Int) -> Self {
    Self(message: "at most \(limit) fields \(names)", hint: "split it into several queries")
  }
}

extension QuestionSize {
  /// Throws if there are too many sort terms or group keys.
  package static func check(terms: Int, _ deed: String) throws(Fault) {
    if terms > mostTerms { throw .tooMany(deed, mostTerms) }
  }

  /// Throws if there are too many columns.
  package static func check(columns: Int, _ deed: String) throws(Fault) {
    if columns > mostColumns { throw .tooMany(deed, mostColumns) }
  }
}
