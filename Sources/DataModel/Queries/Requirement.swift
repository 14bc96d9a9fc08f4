/// A condition with its denials at its leaves, for engines: what is left above them are *and* and
/// *or*, which an engine with three truth values reads as ours with two, where it takes unknown for
/// false in the end.
package indirect enum Requirement: Hashable, Sendable {
  case constant(Bool)
  case meets(FieldPath, Criterion)
  case fails(FieldPath, Criterion)
  case every([Requirement])
  case some([Requirement])
}

extension Condition {
  package var requirement: Requirement { requirement(isDenied: false) }

  private func requirement(isDenied: Bool) -> Requirement {
    switch self {
    case .all: .constant(!isDenied)
    case .test(let path, let criterion):
      isDenied ? .fails(path, criterion) : .meets(path, criterion)
    case .not(let condition): condition.requirement(isDenied: !isDenied)
    case .and(let conditions):
      Requirement.joined(conditions.map { $0.requirement(isDenied: isDenied) }, ofSome: isDenied)
    case .or(let conditions):
      Requirement.joined(conditions.map { $0.requirement(isDenied: isDenied) }, ofSome: !isDenied)
    }
  }
}

extension Requirement {
  /// All of these, or some, with none of the same kind directly within.
  fileprivate static func joined(_ parts: [Requirement], ofSome: Bool) -> Requirement {
    var flat: [Requirement] = []
    for part in parts {
      switch part {
      case .constant(let holds):
        if holds == ofSome { return part }
      case .every(let inner): if ofSome { flat.append(part) } else { flat += inner }
      case .some(let inner): if ofSome { flat += inner } else { flat.append(part) }
      case .meets, .fails: flat.append(part)
      }
    }
    if flat.isEmpty { return .constant(!ofSome) }
    return flat.count == 1 ? flat[0] : ofSome ? .some(flat) : .every(flat)
  }

  /// How many tests there are.
  package var tests: Int {
    switch self {
    case .constant: 0
    case .meets, .fails: 1
    case .every(let parts), .some(let parts): parts.reduce(0) { $0 + $1.tests }
    }
  }

  /// How deep *and* and *or* stand within each other.
  package var depth: Int {
    switch self {
    case .constant, .meets, .fails: 0
    case .every(let parts), .some(let parts): 1 + (parts.map(\.depth).max() ?? 0)
    }
  }
}
