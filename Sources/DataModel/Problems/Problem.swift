/// A problem with an input, a schema, or a store: its kind, message, location, and hint.
///
/// Every module reports problems as values of this type, so that each output format is implemented
/// only once.
public struct Problem: Error, Hashable, Sendable {
  /// The kind of the problem, which scripts may rely on.
  public var code: ErrorCode
  /// The message, which says what was expected and what was found.
  public var message: String
  /// A hint on how to solve the problem, or nil if there is none.
  public var hint: String?
  /// The name of the schema that the problem concerns.
  public var schema: String?
  /// The id of the record that the problem concerns.
  public var id: String?
  /// The name of the field that the problem concerns.
  public var field: String?
  /// The path of the file that contains the problem, or `-` for stdin.
  public var file: String?
  /// The line number in the file, starting at 1.
  public var line: Int?
  /// The column in the line, in bytes, starting at 1.
  public var column: Int?
  /// The number of the operation of a batch, starting at 1. It is nil if the problem does not
  /// concern an operation of a batch.
  public var operation: Int?
  /// The location of the record among the nested records of the input, such as `$.steps[1]`, or `$`
  /// for the outermost record. It is nil if the input has no nested records.
  public var path: String?
  /// Whether `path` leads to the invalid value itself, as in a document that was read with a map.
  /// If not, it leads only to the record, and messages append the name of the field.
  package var pathIsComplete = false
  /// The id of the record that already has a unique value, which the message quotes at its end. Nil
  /// for problems of another kind.
  package var holder: String?
  /// The record that prevents the deletion of another one, of which the problem is. Nil for problems
  /// of another kind.
  package var referrer: Referrer?
  /// The number of similar problems that an error does not keep, but only counts.
  package var similarCount = 0
  /// The number of seconds after which the request can succeed, or nil if it is not known. Messages
  /// do not show it.
  package var retrySeconds: Int?

  /// Creates a problem. The location can also be set later.
  public init(
    _ code: ErrorCode, _ message: String, hint: String? = nil, schema: String? = nil,
    id: String? = nil, field: String? = nil, file: String? = nil, line: Int? = nil,
    column: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.hint = hint
    self.schema = schema
    self.id = id
    self.field = field
    self.file = file
    self.line = line
    self.column = column
  }
}

extension Problem {
  /// A record that refers to another one.
  package struct Referrer: Hashable, Sendable {
    package var schema: String
    package var id: String
    /// The name of the relation.
    package var field: String

    package init(schema: String, id: String, field: String) {
      self.schema = schema
      self.id = id
      self.field = field
    }
  }

  /// What similar problems have in common, which are printed as one.
  struct Kind: Hashable {
    var code: ErrorCode
    var schema: String?
    var field: String?
    /// The record that the problems concern, or the message that they share.
    var target: String
  }

  /// What the problem has in common with similar problems of other records. Nil if the problem is
  /// always printed by itself, because it has a location of its own.
  var kind: Kind? {
    if let referrer, let id {
      return Kind(
        code: code, schema: schema, field: "\(referrer.schema).\(referrer.field)", target: id)
    }
    guard id != nil, operation == nil, code == .danglingReference || file == nil else { return nil }
    return Kind(code: code, schema: schema, field: field, target: message)
  }

  /// The hint for a caller who is not logged in. A logged-in user may have the required permission.
  package static let logInHint = "log in: datactl login"

  /// Returns the problem for an invalid value in the store. The id and the schema are nil if the
  /// value does not belong to a single record.
  package static func invalidStoredValue(
    of field: String, id: String? = nil, schema: String? = nil
  ) -> Problem {
    let record = id.map { ", in \(Excerpt.quoted($0))" } ?? ""
    return Problem(
      .storeDamaged, "the stored value is invalid\(record)",
      hint: "correct the value with psql or sqlite3 and raise the revision of the record by one, "
        + "or restore the store from a backup",
      schema: schema, id: id, field: field)
  }
}

/// What is known about the changes of an operation that failed during or after its commit.
package enum CommitOutcome: Hashable, Sendable {
  /// The changes are committed.
  case committed
  /// It is not known whether the changes are committed.
  case unknown
}

/// The error that datactl throws to its callers. It contains all problems of one input.
public struct DataError: Error, Hashable, Sendable {
  /// The maximum number of problems that an error keeps; further problems are only counted.
  public static let maxProblems = 20

  /// The problems, in the order in which they were found.
  public private(set) var problems: [Problem]
  /// The number of problems that were only counted, because the maximum number had been reached.
  public private(set) var omittedCount = 0
  /// A report of what was committed or read before the error occurred, or nil if the problems
  /// already say this. It is printed after the problems.
  public var partialCommit: Problem?
  /// The state of the changes, if the error occurred during or after their commit. It is nil if the
  /// changes were rolled back, or if there were none.
  package var commitOutcome: CommitOutcome?

  /// Creates an error with one problem.
  public init(_ problem: Problem) {
    problems = [problem]
  }

  /// Creates an error with one problem that has no location.
  public init(_ code: ErrorCode, _ message: String, hint: String? = nil) {
    problems = [Problem(code, message, hint: hint)]
  }

  /// The error for an operation that a signal interrupted.
  package static var interrupted: DataError { DataError(.interrupted, "interrupted") }

  /// Creates an error with the given problems. Problems beyond the maximum number are only counted.
  /// Returns nil if the list is empty.
  public init?(_ problems: [Problem]) {
    guard !problems.isEmpty else { return nil }
    self.problems = Array(problems.prefix(Self.maxProblems))
    for problem in problems.dropFirst(Self.maxProblems) { omit(problem) }
  }

  /// Creates an error with the given problems, and the number of further problems that were only
  /// counted. Returns nil if the list is empty.
  package init?(_ problems: [Problem], omitting count: Int) {
    self.init(problems)
    omittedCount += max(0, count)
  }

  /// Returns a copy of the error with each problem replaced with the result of the closure.
  package func map(_ change: (Problem) -> Problem) -> DataError {
    var error = self
    error.problems = problems.map(change)
    return error
  }

  /// Appends a problem. If the maximum number of problems is reached, only counts it.
  public mutating func add(_ problem: Problem) {
    if problems.count < Self.maxProblems {
      problems.append(problem)
    } else {
      omit(problem)
    }
  }

  /// Removes the last problem, and counts it as omitted.
  mutating func omitLastProblem() { omit(problems.removeLast()) }

  private mutating func omit(_ problem: Problem) {
    omittedCount += 1
    guard let kind = problem.kind, let index = problems.firstIndex(where: { $0.kind == kind })
    else { return }
    problems[index].similarCount += 1 + problem.similarCount
  }

  /// Appends the problems of another error, and adds the number of problems that were omitted in
  /// the other error.
  package mutating func add(_ other: DataError) {
    for problem in other.problems { add(problem) }
    omittedCount += other.omittedCount
  }

  /// Returns a copy of the error with each problem modified by the closure.
  package func modifyingProblems(_ body: (inout Problem) -> Void) -> DataError {
    var changed = self
    for index in changed.problems.indices { body(&changed.problems[index]) }
    return changed
  }

  /// The code of the first problem, which determines the exit status.
  public var code: ErrorCode { problems[0].code }

  /// The number of problems, including those that were only counted.
  public var count: Int { problems.count + omittedCount }
}

extension DataError? {
  /// Adds a problem, creating the error if there is none yet.
  package mutating func add(_ problem: Problem) {
    if self == nil { self = DataError(problem) } else { self?.add(problem) }
  }

  /// Adds the problems of another error, creating the error if there is none yet.
  package mutating func add(_ other: DataError) {
    if self == nil { self = other } else { self?.add(other) }
  }
}
