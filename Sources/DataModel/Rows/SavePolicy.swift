/// How a save treats existing and new records.
package struct SavePolicy: Hashable, Sendable {
  package enum Mode: Sendable {
    /// Creates new records, and changes the given fields of existing ones.
    case createOrChange
    /// Rejects ids that exist.
    case create
    /// Rejects ids that do not exist.
    case update
    /// Creates new records, and clears the fields that are not given of existing ones.
    case replace
  }

  package enum Revisions: Sendable {
    /// A revision in a record must be equal to the stored one.
    case checked
    case ignored
  }

  package enum SystemFields: Sendable {
    /// The store increments revisions and sets times and users.
    case kept
    /// System fields in the input are written as given.
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

/// The user and the time of a change; all changes of a command have the same time.
package struct Stamp: Hashable, Sendable {
  package var time: Timestamp
  package var user: String?

  package init(time: Timestamp, user: String? = nil) {
    self.time = time
    self.user = user
  }
}

/// The result of saving one row.
package enum Outcome: Hashable, Sendable {
  case created
  /// The slots of the fields whose values changed, without the system fields.
  case changed([Int])
  case same
  case refused([Problem])
}
