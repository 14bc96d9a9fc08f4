/// Finds out which of the names that are there each of the new names goes on.
struct NameOrigins {
  /// The old names by the new ones; what is new has none.
  private(set) var origins: [String: String] = [:]

  /// A name goes on the one that it was, if that is there and its own is not, or is taken by
  /// another in turn. Otherwise it goes on itself: what was renamed once is not renamed again.
  init(of new: [(name: String, was: String?)], among old: [String]) {
    var claimed: Set<String> = []
    var hasMoved = true
    while hasMoved {
      hasMoved = false
      for entry in new where origins[entry.name] == nil {
        guard let was = entry.was, old.contains(was), !claimed.contains(was),
          !old.contains(entry.name) || claimed.contains(entry.name)
        else { continue }
        origins[entry.name] = was
        claimed.insert(was)
        hasMoved = true
      }
    }
    for entry in new where origins[entry.name] == nil {
      if old.contains(entry.name) && !claimed.contains(entry.name) {
        origins[entry.name] = entry.name
      }
    }
  }

  /// The new names by the old ones.
  var successors: [String: String] {
    var successors: [String: String] = [:]
    for (new, old) in origins { successors[old] = new }
    return successors
  }
}
