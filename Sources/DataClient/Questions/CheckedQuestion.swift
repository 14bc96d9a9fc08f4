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
  /// The field that makes sections, if a stored function says it.
  package let segment: String?
  /// Whether a stored function wants all that to-many relations lead to.
  package let expandsToMany: Bool
  /// What is odd about a stored function.
  package let warnings: [String]
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
  /// Holds a question against the schemas of the store, and looks its function up.
  package func check(
    _ question: Question, from reader: any StoreReader
  ) async throws(DataError) -> CheckedQuestion {
    let stored = try await reader.catalog()
    guard let id = question.function else {
      return try question.checked(in: stored, now: surroundings.now())
    }
    let slots = Array(Schema.function.fields.indices)
    let found = try await reader.find([id], in: .function, slots: slots)
    guard found.missing.isEmpty else {
      throw DataError(
        Problem(
          .notFound, "there is no such function", hint: "list them: datactl list function",
          schema: Schema.function.name, id: id))
    }
    return try question.checked(
      in: stored, now: surroundings.now(), function: StoredFunction(found.rows, 0))
  }
}
