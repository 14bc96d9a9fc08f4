/// What records must be like to be found.
///
/// Its logic has two values. A criterion over several values, those of an array or behind a to-many
/// relation, is met if one of them meets it, and every criterion but `isNull` is met by values
/// alone, never by null. `not` is true exactly where what it denies is false.
package indirect enum Condition: Hashable, Sendable {
  /// Every record.
  case all
  /// What the path leads to meets the criterion.
  case test(FieldPath, Criterion)
  case not(Condition)
  /// Every one of them holds.
  case and([Condition])
  /// At least one of them holds.
  case or([Condition])
}

extension Condition {
  /// How deep conditions may be nested in one another.
  package static let deepest = 200

  /// The field has the value; over a list, some element has it. Null equals nothing.
  package static func equals(field: String, value: Value) -> Condition {
    .test(FieldPath(field), .compare(.equal, value))
  }

  /// The field has no value.
  package static func isNull(field: String) -> Condition {
    .test(FieldPath(field), .isNull)
  }

  /// The condition that all of these hold, with no *and* directly within another.
  package static func every(_ conditions: [Condition]) -> Condition {
    var parts: [Condition] = []
    for condition in conditions {
      switch condition {
      case .all: break
      case .and(let inner): parts += inner
      case .test, .not, .or: parts.append(condition)
      }
    }
    return parts.isEmpty ? .all : parts.count == 1 ? parts[0] : .and(parts)
  }

  /// The condition that one of these holds, with no *or* directly within another.
  package static func some(_ conditions: [Condition]) -> Condition {
    var parts: [Condition] = []
    for condition in conditions {
      if case .or(let inner) = condition { parts += inner } else { parts.append(condition) }
    }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  /// The condition that this one does not hold, with no *not* directly within another.
  package var negation: Condition {
    if case .not(let inner) = self { inner } else { .not(self) }
  }
}
