import DataClient
import DataModel
import DataStore

/// What a line asks of groups of records.
struct GroupWords: Sendable {
  /// The field whose different values are asked for.
  let distinct: String?
  let keys: [String]
  let sums: [GroupSum]
  let order: String?
  /// Whether how many there are is asked for.
  let isCounted: Bool

  /// Whether the number of different values is the answer; groups have their counts anyway.
  var countsValues: Bool { distinct != nil && isCounted }

  /// Whether groups are asked for at all.
  var isAsked: Bool { distinct != nil || !keys.isEmpty || !sums.isEmpty }

  /// The question about groups, of the records that another question is about.
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
