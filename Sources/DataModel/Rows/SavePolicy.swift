/// What a save does with records that are there, and with those that are not.
package struct SavePolicy: Hashable, Sendable {
  package enum Mode: Sendable {
    /// Creates what is new and changes the fields given of what is there.
    case createOrChange
    /// Refuses an id that exists.
    case create
    /// Refuses an id that does not exist.
    case update
    /// Creates what is new and clears the fields not given of what is there.
    case replace
  }

  package enum Revisions: Sendable {
    /// A revision in a record must be the stored one.
    case checked
    case ignored
  }

  package enum SystemFields: Sendable {
    /// The store counts revisions and sets times and users.
    case kept
    /// They are written as they are given.
    case given
  }

  package var mode = Mode.createOrChange
  package var revisions = Revisions.checked
  package var systemFields = SystemFields.kept

  package init(
    mode: Mode = .createOrChange, revisions: Revisions = .checked,
    systemFields: SystemFields = .kept
  ) {
    self.mode = mode
    self.revisions = systemFields == .given ? .ignored : revisions
    self.systemFields = systemFields
  }
}

/// Who changes records, and when: one moment a command.
package struct Stamp: Hashable, Sendable {
  package var time: Timestamp
  package var user: String?

  package init(time: Timestamp, user: String? = nil) {
    self.time = time
    self.user = user
  }
}

/// What became of one row of a save.
package enum Outcome: Hashable, Sendable {
  case created
  /// The slots whose values are others now, the system fields aside.
  case changed([Int])
  case same
  case refused([Problem])
}
