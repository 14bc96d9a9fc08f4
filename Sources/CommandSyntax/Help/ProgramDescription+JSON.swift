extension ProgramDescription {
  /// Returns a command, a group or a topic as JSON, or all of them, always in the same order. A part
  /// has the same keys as in the whole.
  package func json(_ subject: HelpSubject = .program) -> String {
    let json: JSONText? =
      switch subject {
      case .overview, .program: program
      case .group(let name): entry(name)?.json
      case .command(let path): commands.first { $0.path == path }?.json
      case .topic(let name), .topicPart(let name, _): topic(name)?.json
      }
    return (json ?? .null).serialized() + "\n"
  }

  private var program: JSONText {
    .object([
      "name": .text(name),
      "version": .text(version),
      "summary": .plain(summary),
      "options": .array(options.map(\.json)),
      "rules": .array(rules.compactMap(\.json)),
      "commands": .array(entries.map(\.json)),
      "environment": .array(
        environment.map { .object(["name": .text($0.name), "meaning": .plain($0.meaning)]) }),
      "exit_statuses": .array(exitStatuses.map(\.json)),
      "topics": .array(topics.map(\.json)),
    ])
  }
}

extension Topic {
  fileprivate var json: JSONText {
    .object([
      "name": .text(name), "summary": .plain(summary), "manual": .text(manual.description),
    ])
  }
}

extension JSONText {
  /// Returns a JSON string with the text, without its backquotes.
  fileprivate static func plain(_ text: String) -> JSONText {
    .text(InlineText(text).plain)
  }

  fileprivate static func texts(_ texts: [String]) -> JSONText {
    .array(texts.map { .text($0) })
  }

  fileprivate static func optional(_ text: String?) -> JSONText {
    text.map { .text($0) } ?? .null
  }
}

extension ExitStatus {
  fileprivate var json: JSONText {
    .object(["code": .integer(code), "meaning": .plain(meaning)])
  }
}

extension ProgramDescription.Entry {
  fileprivate var json: JSONText {
    switch self {
    case .command(let command):
      command.json
    case .group(let group):
      .object([
        "name": .text(group.name),
        "summary": .plain(group.summary),
        "commands": .array(group.commands.map(\.json)),
        "see_also": .texts(group.seeAlso),
      ])
    }
  }
}

extension CommandDescription {
  fileprivate var json: JSONText {
    .object([
      "name": .text(name),
      "summary": .plain(summary),
      "operands": .array(operands.map(\.json)),
      "options": .array(options.map(\.json)),
      "rules": .array(rules.compactMap(\.json)),
      "examples": .array(
        examples.map { .object(["line": .text($0.line), "does": .plain($0.caption)]) }),
      "exit_statuses": .array(exitStatuses.map(\.json)),
      "see_also": .texts(seeAlso),
    ])
  }
}

extension InputRule {
  /// The rule as JSON, or nil if help does not mention it.
  fileprivate var json: JSONText? {
    switch self {
    case .atMostOne(let names, _): .object(["at_most_one": .texts(names)])
    case .exactlyOne(let names): .object(["exactly_one": .texts(names)])
    case .needs(let name, let other):
      .object(["needs": .object(["input": .text(name), "other": .text(other)])])
    case .excludes: nil
    }
  }
}

extension OperandDescription {
  fileprivate var json: JSONText {
    let repeats =
      switch count {
      case .one, .optional: false
      case .many: true
      }
    return .object([
      "name": .text(name),
      "summary": .plain(summary),
      "required": .boolean(isRequired),
      "repeated": .boolean(repeats),
      "value": kind.json,
    ])
  }
}

extension OptionDescription {
  fileprivate var json: JSONText {
    .object([
      "name": .text(name),
      "short": .optional(short),
      "summary": .plain(summary),
      "required": .boolean(isRequired),
      "repeated": .boolean(isRepeated),
      "placeholder": .optional(value?.placeholder),
      "value": value?.kind.json ?? .null,
      "default": jsonDefault,
    ])
  }
}

extension OptionDescription {
  /// The default value as JSON: a number for an integer option, a string for others, or null if
  /// there is no default.
  private var jsonDefault: JSONText {
    guard let text = defaultValue else { return .null }
    if case .integer = value?.kind, let number = Int(text) {
      return .integer(number)
    }
    return .text(text)
  }
}

extension ValueKind {
  fileprivate var json: JSONText {
    switch self {
    case .integer(let range):
      .object([
        "kind": .text(name), "min": bound(range.lowerBound), "max": bound(range.upperBound),
      ])
    case .choice(let names):
      .object(["kind": .text(name), "choices": .texts(names)])
    case .declaration(let types):
      .object(["kind": .text(name), "types": .texts(types)])
    case .text, .schema, .schemaOrField, .equality, .field, .fields, .fieldFor, .fieldsFor,
      .order, .relations, .condition, .groupCondition, .timeZone,
      .assignment, .id, .function, .file, .schemaFiles, .outputFile, .folder,
      .store,
      .topic, .command:
      .object(["kind": .text(name)])
    }
  }
}

/// Returns a bound of a range as JSON: null for `Int.min` and `Int.max`, which mean that there is
/// no bound.
private func bound(_ number: Int) -> JSONText {
  number == .min || number == .max ? .null : .integer(number)
}

/// A JSON value whose objects keep the order of their keys.
indirect enum JSONText {
  case text(String)
  case integer(Int)
  case boolean(Bool)
  case null
  case array([JSONText])
  case object(KeyValuePairs<String, JSONText>)

  /// Returns the value as JSON text, indented by two spaces per level, without a final newline.
  func serialized(indent: String = "") -> String {
    let deeper = indent + "  "
    switch self {
    case .text(let text):
      return JSONText.quoted(text)
    case .integer(let number):
      return String(number)
    case .boolean(let flag):
      return flag ? "true" : "false"
    case .null:
      return "null"
    case .array(let values):
      guard !values.isEmpty else { return "[]" }
      let lines = values.map { deeper + $0.serialized(indent: deeper) }
      return "[\n" + lines.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let pairs):
      guard !pairs.isEmpty else { return "{}" }
      let lines = pairs.map { key, value in
        "\(deeper)\(JSONText.quoted(key)): \(value.serialized(indent: deeper))"
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\t": quoted += "\\t"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
