import DataModel
import DataText

extension Schema {
  /// The condition that `FIELD=VALUE` operands make together.
  func condition(_ equalities: [String]) throws(DataError) -> Condition {
    .all
  }
}
