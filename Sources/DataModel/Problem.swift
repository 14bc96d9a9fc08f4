/// One thing that is wrong: what, where, and what to do about it.
///
/// Every room reports in this form, so that text, JSON and the exit status are made in one place each.
public struct Problem: Error, Hashable, Sendable {
  /// Names the kind of problem; scripts may rely on it.
  public var code: ErrorCode
  /// Says what was expected and what was found.
  public var message: String
  /// Says what to do about it.
  public var hint: String?
  /// The schema concerned.
  public var schema: String?
  /// The id of the record concerned.
  public var id: String?
  /// The field concerned.
  public var field: String?
  /// The file, or `-` for standard input.
  public var file: String?
  /// The line in the file, counted from 1.
  public var line: Int?
  /// The column in the line, in bytes, counted from 1.
  public var column: Int?

  /// Makes a problem; where it is can be filled in later by those who know.
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

/// What every call of datactl throws: all the problems of one input together.
public struct DataError: Error, Hashable, Sendable {
  /// How many problems are kept one by one; the rest are counted.
  public static let kept = 20

  /// The problems in the order in which they were found.
  public private(set) var problems: [Problem]
  /// How many more there were beyond those that are kept.
  public private(set) var uncounted = 0
  /// What had become of the work by then, if a part of it stands; it is said behind the problems.
  public var aftermath: Problem?

  /// Makes an error of one problem.
  public init(_ problem: Problem) {
    problems = [problem]
  }

  /// Makes an error of one problem, in short.
  public init(_ code: ErrorCode, _ message: String, hint: String? = nil) {
    problems = [Problem(code, message, hint: hint)]
  }

  /// Makes an error of many problems; there is none without a problem.
  public init?(_ problems: [Problem]) {
    guard !problems.isEmpty else { return nil }
    self.problems = Array(problems.prefix(Self.kept))
    uncounted = problems.count - self.problems.count
  }

  /// The same error, with other words for its problems.
  package func map(_ change: (Problem) -> Problem) -> DataError {
    var error = self
    error.problems = problems.map(change)
    return error
  }

  /// Adds a problem, or counts it if there are enough.
  public mutating func add(_ problem: Problem) {
    if problems.count < Self.kept {
      problems.append(problem)
    } else {
      uncounted += 1
    }
  }

  /// Adds the problems of another error, and those that it has only counted.
  package mutating func add(_ other: DataError) {
    for problem in other.problems { add(problem) }
    uncounted += other.uncounted
  }

  /// Gives the error with each problem as the body leaves it.
  package func changing(_ body: (inout Problem) -> Void) -> DataError {
    var changed = self
    for index in changed.problems.indices { body(&changed.problems[index]) }
    return changed
  }

  /// Names the kind of the first problem, which decides the exit status.
  public var code: ErrorCode { problems[0].code }

  /// How many problems there were.
  public var count: Int { problems.count + uncounted }
}
