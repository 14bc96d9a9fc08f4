package import DataModel

extension Value {
  /// The texts of a list: the ids that a to-many relation leads to.
  package var texts: [String] {
    guard case .list(let values) = self else { return [] }
    return values.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}
