/// How a save treats existing and new records.
package struct SavePolicy: Hashable, Sendable {
  package enum Mode: Sendable {
    /// Creates new records. In existing records, changes only the fields that the input sets.
    case createOrChange
    /// Creates new records, and rejects ids that already exist.
    case create
    /// Changes existing records, and rejects ids that do not exist.
    case update
    /// Creates new records. In existing records, a field that the input does not set gets its
    /// default value. However, a password or a file keeps its stored value.
    case replace
  }

  package enum Revisions: Sendable {
    /// If the input contains a revision, it must be equal to the stored one.
    case checked
    /// As `checked`, and a `created_at` in the input must be equal to the stored one. A record that
    /// was deleted and created again can have the same revision.
    case checkedWithCreation
    case ignored
  }

  package enum SystemFields: Sendable {
    /// The store maintains the system fields: it increments revisions, and sets times and users.
    case kept
    /// If the input contains values for system fields, these values are saved unchanged.
    case given
  }

  /// Where the contents of files and the hashes of passwords come from.
  package enum Attachments: Sendable {
    /// They are a part of the input.
    case inline
    /// The contents of files are added after the records, and passwords may be missing, even if
    /// they are required.
    case separate
  }

  package var mode = Mode.createOrChange
  package var revisions = Revisions.checked
  package var systemFields = SystemFields.kept
  package var attachments = Attachments.inline

  package init(
    mode: Mode = .createOrChange, revisions: Revisions = .checked,
    systemFields: SystemFields = .kept
  ) {
    self.mode = mode
    self.revisions = systemFields == .given ? .ignored : revisions
    self.systemFields = systemFields
  }
}

/// The user and the time that are recorded for a change. All changes of one command have the same
/// time.
package struct Stamp: Hashable, Sendable {
  package var time: Timestamp
  package var user: String?

  package init(time: Timestamp, user: String? = nil) {
    self.time = time
    self.user = user
  }
}

/// The result of saving one row: how the record changed, or why the row was rejected.
package enum Outcome: Hashable, Sendable {
  case created
  /// The record was changed. The numbers are the slots of the fields whose values changed,
  /// excluding system fields.
  case changed([Int])
  case same
  case refused([Problem])

  package var isRefused: Bool {
    if case .refused = self { true } else { false }
  }
}
