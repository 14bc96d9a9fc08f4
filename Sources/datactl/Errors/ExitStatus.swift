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
  static let usage = ExitStatus(
    2,
    """
    usage error: an invalid option or operand, for example a condition with an unknown field or \
    operator
    """)
  /// The meaning of status 2 for a command without conditions and fields.
  static let usageOfOptions = ExitStatus(2, "usage error: an invalid option or operand")
  static let notFound = ExitStatus(3, "no such record, schema or file")
  static let forbidden = ExitStatus(4, "not logged in, or a wrong user name or password")
  static let conflict = ExitStatus(
    5,
    """
    a conflict with stored data: a record or schema already exists, was changed concurrently, is \
    still referenced, or has a value that is not unique; a check of a batch failed; or a change of \
    a schema would lose data or does not match existing records
    """)
  static let invalid = ExitStatus(
    6,
    """
    invalid data: a record to save, a schema file or another input file contains an invalid value, \
    name or field
    """)
  static let store = ExitStatus(
    7,
    """
    the store cannot be reached, opened, written or locked in time, or access to it is denied; or \
    a file cannot be read or written
    """)
  static let interrupted = ExitStatus(130, "interrupted (Ctrl-C)")
  static let brokenPipe = ExitStatus(141, "the program that reads the output closed the pipe")
  static let terminated = ExitStatus(143, "terminated (SIGTERM or SIGHUP)")
  /// The meaning of status 143 for a server. SIGTERM is not mentioned, because a server that
  /// SIGTERM stops exits with status 0.
  static let hungUp = ExitStatus(143, "the terminal was closed (SIGHUP)")

  /// All meanings of status 1, for the list of exit statuses in the help of the program.
  private static let generalFailure = ExitStatus(
    1,
    """
    a check found problems or differences, confirmation was declined, output could not be written, \
    or the command failed for another reason
    """)

  /// All exit statuses with their meanings, for the help of the program.
  static let all = [
    done, generalFailure, usage, notFound, forbidden, conflict, invalid, store, interrupted,
    brokenPipe,
    terminated,
  ]
}
