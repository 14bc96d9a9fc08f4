package import DataModel
internal import JSONText

/// A file that a command on a server writes on the client's machine.
package struct WrittenFile: Hashable, Sendable {
  /// The folder that contains the file, or nil if the command line names the file itself.
  package var folder: String?
  package var name: String

  package init(_ name: String, in folder: String? = nil) {
    self.name = name
    self.folder = folder
  }

  package var json: [UInt8] {
    var members = [JSONValue.Member("name", .text(name))]
    if let folder { members.append(.init("folder", .text(folder))) }
    return JSONValue.object(members).line
  }

  package init(parsing text: Span<UInt8>) throws(DataError) {
    let value = try JSONValue(parsing: text)
    guard let name = value.text("name") else { throw .invalidFrame("a file without name") }
    self.name = name
    folder = value.text("folder")
  }
}

/// How the server ended the execution of a command for a client.
package enum CommandEnd: Hashable, Sendable {
  /// The kinds of failed commands. If a check, such as `schema lint`, could not be completed, its
  /// exit status is 7 instead of 1, because scripts interpret 1 as a result of the check.
  package enum Failure: Hashable, Sendable {
    case ordinary
    case incompleteCheck
  }

  /// How many records the first execution of a command changed. If a client sends the same command
  /// again, the server does not execute it a second time, but returns these numbers.
  package struct Counts: Hashable, Sendable {
    package var saved: SaveSummary
    package var deleted: Int
    package var nullified: Int
    /// What the first execution has printed on stdout, or nil if the server has not kept it.
    package var output: String?

    package init(saved: SaveSummary, deleted: Int, nullified: Int, output: String? = nil) {
      self.saved = saved
      self.deleted = deleted
      self.nullified = nullified
      self.output = output
    }
  }

  /// The result of a command that saved the valid records of its input, and skipped the others.
  package struct Skipping: Hashable, Sendable {
    /// The problem that the client reports if it cannot write the output, for example that the
    /// records are saved, but the output is incomplete. Nil if nothing was committed.
    package var committed: Problem?
    /// The errors of the skipped records.
    package var errors: DataError

    package init(committed: Problem?, errors: DataError) {
      self.committed = committed
      self.errors = errors
    }
  }

  /// The command succeeded. `committed` is the problem that the client reports if it cannot write
  /// the output, for example that the records are saved, but the output is incomplete. It is nil if
  /// the command has changed nothing.
  case done(committed: Problem?)
  case failed(DataError, Failure)
  /// The command ended with an error only because it skipped invalid records. The output may
  /// contain the errors of these records. If the client cannot write the output, the client reports
  /// the errors on its own.
  case skipped(DataError, Skipping)
  /// The command needs the answer to a question before it changes anything. The client asks the
  /// user, and sends the command again with the answer.
  case question(String)
  /// The command saved a part of its input, and more parts follow.
  case part(SavedParts)
  /// The command was already executed when the client sent it again, because the first response did
  /// not reach the client. The associated value contains the counts of that execution.
  case repeated(Counts)

  package var json: [UInt8] {
    let value: JSONValue =
      switch self {
      case .done(nil): ["done": true]
      case .done(let problem?): ["done": true, "committed": problem.completeJSON]
      case .question(let text): ["question": .text(text)]
      case .repeated(let counts):
        [
          "repeated": .text(counts.saved.header), "deleted": JSONValue(counts.deleted),
          "nullified": JSONValue(counts.nullified),
          "output": counts.output.map { .text($0) } ?? .null,
        ]
      case .part(let saved): ["part": saved.jsonValue]
      case .failed(let error, let failure):
        .object(error.members + [.init("check", .boolean(failure == .incompleteCheck))])
      case .skipped(let error, let skipping):
        .object(
          error.members + [
            .init("skipped", .object(skipping.errors.members)),
            .init("committed", skipping.committed?.completeJSON ?? .null),
          ])
      }
    return value.line
  }

  package init(parsing text: Span<UInt8>) throws(DataError) {
    let value = try JSONValue(parsing: text)
    if let question = value.text("question") {
      self = .question(question)
    } else if let header = value.text("repeated") {
      guard let saved = SaveSummary(header: header), let deleted = value.count("deleted"),
        let nullified = value.count("nullified")
      else { throw .invalidFrame("the end has an invalid count") }
      self = .repeated(
        Counts(
          saved: saved, deleted: deleted, nullified: nullified, output: value.text("output")))
    } else if let part = value["part"] {
      self = .part(try SavedParts(parsing: part))
    } else if value["problems"] != nil {
      guard let error = DataError(complete: value) else {
        throw .invalidFrame("the end has no valid problems")
      }
      if let errors = value["skipped"].flatMap(DataError.init(complete:)) {
        self = .skipped(error, Skipping(committed: value.problem("committed"), errors: errors))
      } else {
        self = .failed(error, value["check"] == .boolean(true) ? .incompleteCheck : .ordinary)
      }
    } else if value["done"] == .boolean(true) {
      self = .done(committed: value.problem("committed"))
    } else {
      throw .invalidFrame("unknown end")
    }
  }
}

extension JSONValue {
  /// Returns the problem under a key of a JSON object, or nil if there is no problem under the key.
  fileprivate func problem(_ key: String) -> Problem? {
    self[key].flatMap(Problem.init(complete:))
  }
}

extension DataError {
  /// The members of the JSON object in which a server sends the error to a client.
  var members: [JSONValue.Member] {
    [
      .init("problems", .array(problems.map(\.completeJSON))),
      .init("omitted", JSONValue(omittedCount)),
      .init("partial", partialCommit?.completeJSON ?? .null),
    ]
  }

  /// Parses an error from the JSON object in which a server has sent it. Returns nil if the object
  /// is not such an error.
  init?(complete value: JSONValue) {
    guard case .array(let elements)? = value["problems"] else { return nil }
    let problems = elements.compactMap(Problem.init(complete:))
    guard problems.count == elements.count else { return nil }
    self.init(problems, omitting: value.count("omitted") ?? 0)
    self.partialCommit = value.problem("partial")
  }
}

extension Problem {
  /// The problem as a JSON object for the client. In contrast to `jsonValue`, it contains the
  /// properties that only affect how the client prints the problem.
  fileprivate var completeJSON: JSONValue {
    guard case .object(var members) = jsonValue else { return jsonValue }
    if pathIsComplete { members.append(.init("path_is_complete", true)) }
    if similarCount > 0 { members.append(.init("similar", JSONValue(similarCount))) }
    if let referrer {
      members.append(
        .init(
          "referrer",
          .object([
            .init("schema", .text(referrer.schema)), .init("id", .text(referrer.id)),
            .init("field", .text(referrer.field)),
          ])))
    }
    return .object(members)
  }

  fileprivate init?(complete value: JSONValue) {
    self.init(value)
    pathIsComplete = value["path_is_complete"] == .boolean(true)
    similarCount = value.count("similar") ?? 0
    if let other = value["referrer"], let schema = other.text("schema"), let id = other.text("id"),
      let field = other.text("field")
    {
      referrer = Referrer(schema: schema, id: id, field: field)
    }
  }
}
