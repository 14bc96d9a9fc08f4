extension OptionDescription {
  /// The forms of the option in a list of options, such as `-l, --limit N`.
  var term: String {
    let short = short.map { "`\($0)`, " } ?? "    "
    let value = value.map { " \($0.placeholder)" } ?? ""
    return "\(short)`\(name)`\(value)"
  }

  /// The option in a usage line, such as `--reason TEXT`.
  var usage: String {
    [name, value?.placeholder].compactMap(\.self).joined(separator: " ")
  }

  /// The summary, with the choices or range, the presence and the default of the value.
  var explanation: String {
    var notes: [String] = []
    if let kind = value?.kind.note {
      notes.append(kind)
    }
    switch value?.presence {
    case .required: notes.append("required")
    case .repeated: notes.append("may be repeated")
    case .defaulted(let text): notes.append("default \(text)")
    case .optional, nil: break
    }
    return summary.withNotes(notes)
  }
}

extension OperandDescription {
  /// The summary, with the choices or range of the value.
  var explanation: String {
    summary.withNotes([kind.note].compactMap(\.self))
  }

  /// The operand in a list of operands, such as `ID…`.
  var term: String {
    switch count {
    case .one, .optional: name
    case .many: "\(name)…"
    }
  }
}

extension ValueKind {
  /// The choices or the range, for the parentheses after the summary.
  fileprivate var note: String? {
    switch self {
    case .choice(let names): listed(names, "or")
    case .integer(let range): range.note
    case .text, .schema, .field, .fields, .fieldFor, .fieldsFor, .relations, .condition,
      .assignment, .declaration, .id, .function,
      .file,
      .folder, .store, .topic, .command:
      nil
    }
  }
}

extension ClosedRange<Int> {
  fileprivate var note: String? {
    switch (lowerBound, upperBound) {
    case (Int.min, Int.max): nil
    case (_, Int.max): "at least \(lowerBound)"
    case (Int.min, _): "at most \(upperBound)"
    default: "\(lowerBound) to \(upperBound)"
    }
  }
}

extension String {
  /// The sentence with notes in parentheses before its period.
  fileprivate func withNotes(_ notes: [String]) -> String {
    guard !notes.isEmpty else { return self }
    let sentence = hasSuffix(".") ? String(dropLast()) : self
    return "\(sentence) (\(notes.joined(separator: "; ")))."
  }
}
