/// Every kind of problem there is. The exit status, the text and the JSON of an error read it.
public enum ErrorCode: String, CaseIterable, Hashable, Sendable {
  /// The command line, or a call of the library, is wrong.
  case usage
  /// There is no such record.
  case notFound = "not_found"
  /// There is no such schema.
  case schemaNotFound = "schema_not_found"
  /// There is no such file or folder.
  case fileNotFound = "file_not_found"
  /// Somebody has to log in first.
  case notLoggedIn = "not_logged_in"
  /// The name or the password is wrong.
  case wrongLogin = "wrong_login"
  /// The user may not do this.
  case forbidden
  /// The record or the schema exists already.
  case exists
  /// The record has another revision than was expected.
  case changed
  /// Another record has this value in a unique field.
  case notUnique = "not_unique"
  /// Another record refers to this one and denies its deletion.
  case referenced
  /// A schema change does not fit the data.
  case misfit
  /// A schema change would lose values that nobody consented to lose.
  case loss
  /// The schema changed while the command was running.
  case schemaChanged = "schema_changed"
  /// A value is not what its field takes.
  case invalid
  /// The text is not JSON, or not CSV.
  case syntax
  /// The data has a field that the schema does not have.
  case unknownField = "unknown_field"
  /// A reference names a record that is not there.
  case danglingReference = "dangling_reference"
  /// A schema file, or a schema, is invalid.
  case invalidSchema = "invalid_schema"
  /// A file of datactl's own, such as `datactl.json`, is invalid.
  case invalidConfiguration = "invalid_configuration"
  /// The store is not there.
  case storeNotFound = "store_not_found"
  /// The store cannot be opened.
  case storeUnreachable = "store_unreachable"
  /// The file is not a store of datactl's.
  case notAStore = "not_a_store"
  /// A newer datactl made the store.
  case storeTooNew = "store_too_new"
  /// The store is damaged.
  case storeDamaged = "store_damaged"
  /// Another writer did not finish in time.
  case storeBusy = "store_busy"
  /// The store cannot be written.
  case storeReadOnly = "store_read_only"
  /// The disk is full.
  case storeFull = "store_full"
  /// A library that this needs is not installed.
  case libraryMissing = "library_missing"
  /// The output cannot be written.
  case outputFailed = "output_failed"
  /// A file cannot be read or written.
  case fileFailed = "file_failed"
  /// Somebody interrupted the command.
  case interrupted
  /// A save ended with an error, although records of it are saved; the line says up to which.
  case stopped
  /// A check found something to report.
  case findings
  /// The question was answered with no.
  case declined
  /// Anything that no other code names.
  case failed
}
