/// The kind of a problem.
///
/// The kind determines the exit status, and is part of the text and the JSON of an error.
public enum ErrorCode: String, CaseIterable, Hashable, Sendable {
  /// The command line or a library call is invalid.
  case usage
  /// The record does not exist.
  case notFound = "not_found"
  /// The schema does not exist.
  case schemaNotFound = "schema_not_found"
  /// The file or directory does not exist.
  case fileNotFound = "file_not_found"
  /// The operation requires a login.
  case notLoggedIn = "not_logged_in"
  /// The user name or the password is wrong.
  case wrongLogin = "wrong_login"
  /// Too many passwords for the user name were wrong, so no password is checked for a while.
  case throttled
  /// The access rules do not allow the operation.
  case forbidden
  /// The record or the schema already exists.
  case exists
  /// The record's revision differs from the expected one.
  case changed
  /// A check of a batch failed.
  case checkFailed = "check_failed"
  /// Another record already has this value in a unique field.
  case notUnique = "not_unique"
  /// The record cannot be deleted because another record references it.
  case referenced
  /// The stored data does not satisfy the rules of a changed schema.
  case incompatibleData = "misfit"
  /// A schema change would lose values, or a save would delete records that may be in its input, and
  /// the caller did not allow data loss.
  case loss
  /// The schema changed while the command was running.
  case schemaChanged = "schema_changed"
  /// A value does not match its field's type or rules.
  case invalid
  /// The text is not valid JSON, CSV or XML.
  case syntax
  /// The data contains a field that the schema does not declare.
  case unknownField = "unknown_field"
  /// A reference names a record that does not exist.
  case danglingReference = "dangling_reference"
  /// A schema or a schema file is invalid.
  case invalidSchema = "invalid_schema"
  /// A configuration file of datactl, such as `datactl.json`, is invalid.
  case invalidConfiguration = "invalid_configuration"
  /// The store does not exist.
  case storeNotFound = "store_not_found"
  /// The store cannot be opened.
  case storeUnreachable = "store_unreachable"
  /// The connection to the store was lost before the result of a change arrived, so the store may
  /// have been changed.
  case outcomeUnknown = "outcome_unknown"
  /// The file is not a datactl store.
  case notAStore = "not_a_store"
  /// The store was written by a newer version of datactl.
  case storeTooNew = "store_too_new"
  /// The store is a copy of another one that is not complete yet.
  case unfinishedCopy = "unfinished_copy"
  /// The store is damaged.
  case storeDamaged = "store_damaged"
  /// A lock was not released before the timeout.
  case storeBusy = "store_busy"
  /// The store is read-only.
  case storeReadOnly = "store_read_only"
  /// The disk is full.
  case storeFull = "store_full"
  /// A required shared library is not installed.
  case libraryMissing = "library_missing"
  /// The output cannot be written.
  case outputFailed = "output_failed"
  /// A file cannot be read or written.
  case fileFailed = "file_failed"
  /// A signal interrupted the command.
  case interrupted
  /// A save failed after some of its records had been committed. The reported line is the line of
  /// the last committed record.
  case stopped
  /// A check or lint run reported findings.
  case findings
  /// The user declined a confirmation prompt.
  case declined
  /// Any problem that no other code describes.
  case failed
}
