internal import DataModel
internal import JSONText

/// One line of the log. It contains no parameters, bodies, tokens or passwords.
struct LogLine {
  let time: Timestamp
  let head: RequestHead
  let address: String
  let user: String?
  /// The pattern of the path, such as `/v1/records/SCHEMA/ID`.
  let route: String?
  /// The schema that the request names, or nil if it names none that is known to exist.
  let schema: String?
  /// The exit status of the command line that the request contained, or nil if it contained none.
  let exitStatus: Int32?
  let outcome: ExchangeOutcome

  /// Returns the line in the given format, with a newline, or nil if the format is `none`.
  func text(as format: ServerOptions.LogFormat) -> String? {
    let method = Self.shown(head.method)
    let milliseconds = "\((outcome.milliseconds * 100).rounded() / 100)"
    switch format {
    case .none: return nil
    case .text:
      let parts = [
        "\(time)", address, user.map(Self.shown) ?? "-", method, route ?? "-",
        outcome.status.map { "\($0)" } ?? "-", "\(outcome.bytes)", milliseconds, head.id,
      ]
      let exit = exitStatus.map { " exit=\($0)" } ?? ""
      let schema = schema.map { " schema=\(Self.shown($0))" } ?? ""
      return parts.joined(separator: " ") + schema + exit + (outcome.isComplete ? "" : " aborted")
        + "\n"
    case .json:
      func text(_ value: String?) -> JSONValue { value.map { .text($0) } ?? .null }
      let value: JSONValue = [
        "time": .text("\(time)"), "address": .text(address), "user": text(user),
        "method": .text(method), "route": text(route), "schema": text(schema),
        "status": outcome.status.map { .number(JSONNumber(Int64($0))) } ?? .null,
        "bytes": .number(JSONNumber(Int64(outcome.bytes))),
        "milliseconds": JSONNumber(text: milliseconds).map { .number($0) } ?? .null,
        "request": .text(head.id), "complete": .boolean(outcome.isComplete),
        "exit": exitStatus.map { .number(JSONNumber(Int64($0))) } ?? .null,
      ]
      return "\(value)\n"
    }
  }

  /// Returns a word from a request as it appears in the log. The word is truncated, its control
  /// characters are escaped, and its spaces are replaced, so that it remains one word on one line.
  private static func shown(_ word: String) -> String {
    let word = Excerpt.escaped(String(word.prefix(64)))
    return word.isEmpty ? "-" : word.replacing(" ", with: "_")
  }
}
