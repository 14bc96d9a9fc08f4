import DataClient
import DataModel
import DataStore

/// The grouping options of `list`.
struct GroupWords: Sendable {
  /// The field whose distinct values are printed.
  let distinct: String?
  let keys: [String]
  let sums: [GroupSum]
  let order: String?
  /// Whether `--count` was given.
  let isCounted: Bool

  /// Whether only the number of distinct values is printed. Groups always include their counts.
  var countsValues: Bool { distinct != nil && isCounted }

  /// Whether any grouping option was given.
  var isAsked: Bool { distinct != nil || !keys.isEmpty || !sums.isEmpty }

  /// Returns the group query over the records that a query selects.
  func query(of question: CheckedQuestion) throws(DataError) -> GroupQuery {
    var problems: [Problem] = []
    func path(_ words: FieldPath) -> FieldPath {
      do throws(PathFault) {
        return try question.stored.catalog.route(words.names, from: question.schema).path
      } catch {
        problems += DataError(error).problems
        return words
      }
    }
    let keys = (distinct.map { [$0] } ?? self.keys).map { path(FieldPath(dotted: $0)) }
    let sums = sums.map { sum -> GroupSum in
      switch sum {
      case .count: .count
      case .sum(let words): .sum(path(words))
      case .average(let words): .average(path(words))
      case .least(let words): .least(path(words))
      case .greatest(let words): .greatest(path(words))
      }
    }
    if let error = DataError(problems) { throw error }
    return GroupQuery(
      question.schema, catalogVersion: question.stored.version, where: question.condition,
      by: keys, sums: distinct == nil ? [.count] + sums : sums,
      order: order.map { $0.fieldNames.map(OrderTerm.init(text:)) } ?? [], limit: question.limit)
  }
}
