/// The order of renamings in which no new name is in use.
package enum RenamingOrder {
  /// Returns the renamings in an order in which each new name is free. A cycle is resolved by
  /// renaming one of its members to a temporary name first.
  package static func steps(
    _ names: [(old: String, new: String)]
  ) -> [(old: String, new: String)] {
    var present = Set(names.map(\.old))
    var rest = names.filter { $0.old != $0.new }
    var steps: [(old: String, new: String)] = []
    while !rest.isEmpty {
      let index = rest.firstIndex { !present.contains($0.new) }
      let step = index.map { rest.remove(at: $0) } ?? (old: rest[0].old, new: "_\(steps.count)")
      if index == nil { rest[0].old = step.new }
      present.remove(step.old)
      present.insert(step.new)
      steps.append(step)
    }
    return steps
  }
}
