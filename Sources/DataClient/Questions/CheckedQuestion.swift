package import DataModel
package import DataStore
internal import DataText

/// A question that fits the schemas of a store.
package struct CheckedQuestion: Sendable {
  package let stored: StoredCatalog
  package let schema: Schema
  package let condition: Condition
  package let order: [OrderTerm]
  package let limit: Int?
  /// Tells this question from others; the time does not change it.
  let hash: String

  /// The query that asks it.
  package func query(
    slots: [Int]? = nil, alongside: [FieldPath] = []
  ) -> Query {
    Query(
      schema, catalogVersion: stored.version, where: condition, order: order, limit: limit,
      slots: slots, alongside: alongside)
  }

  /// The condition in its normal form.
  package var conditionText: String { ConditionWriter.text(of: condition) }

  static func hash(_ schema: Schema, _ condition: Condition, _ order: [OrderTerm]) -> String {
    var hash = SHA256()
    let words = [schema.name, ConditionWriter.text(of: condition)] + order.map(\.text)
    for word in words {
      hash.update(word.utf8.span)
      hash.update([0].span)
    }
    return String(hash.hexadecimal().prefix(16))
  }
}

extension Client {
  /// Holds a question against the schemas of the store.
  package func check(
    _ question: Question, in stored: StoredCatalog
  ) throws(DataError) -> CheckedQuestion {
    try question.checked(in: stored, now: surroundings.now())
  }
}
