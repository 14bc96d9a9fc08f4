package import DataModel

extension Value {
  /// The strings in a list, such as the ids of a to-many relation; empty for other values.
  package var texts: [String] {
    guard case .list(let values) = self else { return [] }
    return values.compactMap { if case .text(let text) = $0 { text } else { nil } }
  }
}
