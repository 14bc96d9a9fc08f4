extension OptionDescription {
  /// The forms of the option as help lists them, `-l, --limit N`.
  var term: String {
    let short = short.map { "`\($0)`, " } ?? "    "
    let value = value.map { " \($0.placeholder)" } ?? ""
    return "\(short)`\(name)`\(value)"
  }

  /// The option as a usage line shows it, `--reason TEXT`.
  var usage: String {
    [name, value?.placeholder].compactMap(\.self).joined(separator: " ")
  }

  /// The summary with all that is to be known of the value.
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
    return summary.noted(notes)
  }
}

extension OperandDescription {
  /// The summary with all that is to be known of the words.
  var explanation: String {
    summary.noted([kind.note].compactMap(\.self))
  }

  /// The operand as help lists it, `ID…`.
  var term: String {
    switch count {
    case .one, .optional: name
    case .many: "\(name)…"
    }
  }
}

extension ValueKind {
  /// What a reader must know of the values, in brackets behind the summary.
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
  /// The sentence with notes in brackets before its full stop.
  fileprivate func noted(_ notes: [String]) -> String {
    guard !notes.isEmpty else { return self }
    let sentence = hasSuffix(".") ? String(dropLast()) : self
    return "\(sentence) (\(notes.joined(separator: "; ")))."
  }
}
