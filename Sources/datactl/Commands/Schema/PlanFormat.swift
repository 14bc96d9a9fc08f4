import CommandSyntax

/// The output formats of plans, differences and the schema log.
enum PlanFormat: String, CaseIterable, Sendable {
  case text
  case json
}

extension Input where Value == PlanFormat {
  static var planFormat: Input {
    .choice(
      "--output", letter: "o", value: "FORMAT", of: PlanFormat.allCases, default: .text,
      "The output format.")
  }
}
