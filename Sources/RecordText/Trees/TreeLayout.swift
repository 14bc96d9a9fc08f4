/// The nested records of a tree that a map converted: what is needed of the map to flatten the tree.
package final class TreeLayout: Sendable {
  /// Whether the map has a path for the ids of the records.
  let hasKey: Bool
  /// The layouts of the nested records, by the name of the field that contains them.
  let nested: [String: TreeLayout]

  package init(hasKey: Bool, nested: [String: TreeLayout]) {
    self.hasKey = hasKey
    self.nested = nested
  }
}
