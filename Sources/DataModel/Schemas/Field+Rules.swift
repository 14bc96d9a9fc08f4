extension Field {
  /// Returns the rules that a text violates, as messages.
  func violations(ofText text: Span<UInt8>) -> [String] {
    var violations: [String] = []
    if case .integer(let lowerBound) = minimum, (text.count + 3) / 4 < lowerBound {
      let length = UTF8Check.scalarCount(in: text)
      if length < lowerBound {
        violations.append(
          "expected at least \(pluralized(lowerBound, "character")), found \(length)")
      }
    }
    if case .integer(let upperBound) = maximum, Int64(text.count) > upperBound {
      let length = UTF8Check.scalarCount(in: text)
      if length > upperBound {
        violations.append(
          "expected at most \(pluralized(upperBound, "character")), found \(length)")
      }
    }
    if !oneOf.isEmpty && !oneOf.contains(where: { $0.isText(text) }) {
      violations.append(choiceViolation(Excerpt.quoted(text)))
    }
    if let pattern, !pattern.matches(text) {
      violations.append(
        "expected text that matches \(pattern.source), found \(Excerpt.quoted(text))")
    }
    return violations
  }

  /// Returns the rules that an integer violates, as messages.
  func violations(ofInteger integer: Int64) -> [String] {
    var violations: [String] = []
    if case .integer(let lowerBound) = minimum, integer < lowerBound {
      violations.append("expected at least \(lowerBound), found \(integer)")
    }
    if case .integer(let upperBound) = maximum, integer > upperBound {
      violations.append("expected at most \(upperBound), found \(integer)")
    }
    if !oneOf.isEmpty && !oneOf.contains(.integer(integer)) {
      violations.append(choiceViolation("\(integer)"))
    }
    return violations
  }

  /// Returns the rules that a number violates, as messages.
  func violations(ofNumber number: Double) -> [String] {
    var violations: [String] = []
    if case .number(let lowerBound) = minimum, number < lowerBound {
      violations.append(
        "expected at least \(Value.number(lowerBound).display), found \(Value.number(number).display)"
      )
    }
    if case .number(let upperBound) = maximum, number > upperBound {
      violations.append(
        "expected at most \(Value.number(upperBound).display), found \(Value.number(number).display)"
      )
    }
    if !oneOf.isEmpty && !oneOf.contains(.number(number)) {
      violations.append(choiceViolation(Value.number(number).display))
    }
    return violations
  }

  /// Returns the rules that a datetime violates, as messages.
  func violations(ofDatetime time: Timestamp) -> [String] {
    var violations: [String] = []
    if case .datetime(let lowerBound) = minimum, time < lowerBound {
      violations.append("expected no earlier than \(lowerBound), found \(time)")
    }
    if case .datetime(let upperBound) = maximum, time > upperBound {
      violations.append("expected no later than \(upperBound), found \(time)")
    }
    if !oneOf.isEmpty && !oneOf.contains(.datetime(time)) {
      violations.append(choiceViolation("\(time)"))
    }
    return violations
  }

  /// Returns the rules that a list violates, as messages.
  func violations(ofList values: [Value]) -> [String] {
    var violations: [String] = []
    if case .integer(let lowerBound) = minimum, values.count < lowerBound {
      violations.append(
        "expected at least \(pluralized(lowerBound, "element")), found \(values.count)")
    }
    if case .integer(let upperBound) = maximum, values.count > upperBound {
      violations.append(
        "expected at most \(pluralized(upperBound, "element")), found \(values.count)")
    }
    if !oneOf.isEmpty, let wrong = values.first(where: { !oneOf.contains($0) }) {
      violations.append(choiceViolation(wrong.display))
    }
    return violations
  }

  /// Returns the rules that a value of the field's type violates, as messages.
  func violations(of value: Value) -> [String] {
    switch value {
    case .text(let text): violations(ofText: text.utf8.span)
    case .integer(let integer): violations(ofInteger: integer)
    case .number(let number): violations(ofNumber: number)
    case .datetime(let time): violations(ofDatetime: time)
    case .list(let values): violations(ofList: values)
    case .null, .boolean, .geopoint, .file, .json: []
    }
  }

  private func choiceViolation(_ found: String) -> String {
    "expected one of \(oneOf.map(\.display).joined(separator: ", ")), found \(found)"
  }

  private func pluralized(_ count: Int64, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }
}

extension Value {
  fileprivate func isText(_ bytes: Span<UInt8>) -> Bool {
    if case .text(let text) = self { text.utf8.span.isEqual(to: bytes) } else { false }
  }
}
