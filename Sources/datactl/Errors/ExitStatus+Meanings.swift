import CommandSyntax

extension ExitStatus {
  static let done = ExitStatus(0, "success")
  static let failed = ExitStatus(
    1, "output could not be written, or the command failed for another reason")
  /// The meaning of status 1 for a command that asks for confirmation.
  static let failedOrDeclined = ExitStatus(
    1,
    """
    confirmation was declined, output could not be written, or the command failed for another \
    reason
    """)
  static let findings = ExitStatus(1, "a check found problems or differences")
  /// The meaning of status 2 for a command with conditions.
  static let usage = ExitStatus(
    2,
    "usage error, such as an invalid option or argument, or an unknown field in a condition")
  /// The meaning of status 2 for a command without conditions.
  static let usageOfOptions = ExitStatus(2, "usage error, such as an invalid option or argument")
  static let notFound = ExitStatus(3, "no such record, schema or file")
  /// The meaning of status 3 for a command that does not read records.
  static let schemaNotFound = ExitStatus(3, "no such schema or file")
  static let forbidden = ExitStatus(
    4,
    "not logged in, a wrong user name or password, or the access rules do not allow the operation")
  static let conflict = ExitStatus(
    5,
    """
    a conflict with stored data: for example, a record already exists, was changed in the meantime \
    or is still referenced, or a value is not unique
    """)
  /// The meaning of status 5 for `batch`.
  static let conflictOrCheck = ExitStatus(
    5,
    """
    a check failed, or a conflict with stored data: for example, a record already exists, was \
    changed in the meantime or is still referenced, or a value is not unique
    """)
  /// The meaning of status 5 for a command that changes schemas.
  static let schemaConflict = ExitStatus(
    5,
    """
    a conflict with stored data: for example, a schema already exists, is still referenced or was \
    changed in the meantime, or a schema change would lose data
    """)
  /// The meaning of status 5 for a command that reads or writes a whole store.
  static let wholeStoreConflict = ExitStatus(
    5,
    """
    a conflict with existing data: for example, the destination exists, or the store changed while \
    it was read
    """)
  static let invalid = ExitStatus(
    6,
    """
    invalid data: a record, a schema file or another input file contains an invalid value or an \
    unknown field
    """)
  static let store = ExitStatus(
    7,
    """
    the store cannot be reached, opened or written, it is locked for too long, or a file cannot be \
    read or written
    """)
  static let interrupted = ExitStatus(130, "interrupted (Ctrl-C)")
  static let brokenPipe = ExitStatus(141, "the program that reads the output closed the pipe")
  static let terminated = ExitStatus(143, "terminated (SIGTERM or SIGHUP)")
  /// The meaning of status 143 for a server. SIGTERM is not mentioned, because a server that is
  /// stopped by SIGTERM exits with status 0.
  static let hungUp = ExitStatus(143, "the terminal was closed (SIGHUP)")

  /// All meanings of status 1, for the list of exit statuses in the help of the program.
  private static let generalFailure = ExitStatus(
    1,
    """
    a check found problems or differences, confirmation was declined, output could not be written, \
    or the command failed for another reason
    """)

  /// All meanings of status 5, for the list of exit statuses in the help of the program.
  private static let anyConflict = ExitStatus(
    5,
    """
    a conflict with stored data: for example, a record already exists, was changed in the meantime \
    or is still referenced, a value is not unique, a check of a batch failed, or a schema change \
    would lose data
    """)

  /// All exit statuses with their meanings, for the help of the program.
  static let all = [
    done, generalFailure, usageOfOptions, notFound, forbidden, anyConflict, invalid, store,
    interrupted, brokenPipe, terminated,
  ]
}
