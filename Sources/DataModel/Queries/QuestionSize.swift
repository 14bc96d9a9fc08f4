/// How large a question is so far: what goes beyond a limit is refused before a store is asked.
///
/// The limits are the same for every store and lie below what each of them can take, so that a
/// question which one store answers, all of them answer.
package struct QuestionSize: Sendable {
  /// How many tests the conditions have together; a list behind `in` is part of one.
  package static let mostTests = 10_000
  /// How deep *and* and *or* stand in each other.
  package static let deepestJunction = 20
  /// How many relations a path follows.
  package static let mostRelationsInPath = 8
  /// How many of these may lead to many records.
  package static let mostToManyInPath = 4
  /// How many relations all paths follow together, those that paths have in common once.
  package static let mostRelations = 50
  /// How many fields an order has, and how many groups have in common.
  package static let mostTerms = 50
  /// How many fields of other records stand beside a record, and how many sums beside a group.
  package static let mostColumns = 100

  /// What is too much.
  package struct Fault: Error, Hashable, Sendable {
    package let message: String
    package let hint: String
  }

  private var tests = 0
  private var relations: Set<[Route.Hop]> = []
  private var isTooDeep = false

  package init() {}

  /// Counts the relations of a path. Of all that are too many, the first is refused.
  package mutating func follow(_ route: Route) throws(Fault) {
    for count in route.hops.indices {
      let isNew = relations.insert(Array(route.hops[...count])).inserted
      if isNew, relations.count == Self.mostRelations + 1 { throw .tooManyRelations }
    }
  }

  /// Counts a test that stands so deep within *and* and *or*.
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
  /// Refuses more fields than an order or groups have.
  package static func check(terms: Int, _ deed: String) throws(Fault) {
    if terms > mostTerms { throw .tooMany(deed, mostTerms) }
  }

  /// Refuses more columns than there is room for.
  package static func check(columns: Int, _ deed: String) throws(Fault) {
    if columns > mostColumns { throw .tooMany(deed, mostColumns) }
  }
}
