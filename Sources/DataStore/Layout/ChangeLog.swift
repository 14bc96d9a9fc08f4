package import DataModel

/// The log of applied plans, in the table `_changes`.
extension SQLTransaction where Self: ~Copyable {
  package borrowing func log() throws(DataError) -> [AppliedPlan] {
    var plans: [AppliedPlan] = []
    try forEachRow(
      "select time, \(name: "user"), program, steps from \(table: "_changes") order by number",
      [.datetime, .text, .text, .text]
    ) { values in
      guard case .datetime(let time) = values[0], case .text(let program) = values[2],
        case .text(let steps) = values[3]
      else { return }
      var user: String?
      if case .text(let text) = values[1] { user = text }
      plans.append(AppliedPlan(time: time, user: user, program: program, steps: steps))
    }
    return plans
  }
}

extension PlanTransaction where Self: ~Copyable {
  /// Adds an applied plan to the log.
  borrowing func addToLog(_ plan: AppliedPlan) throws(DataError) {
    try createLogTable()
    try alter(
      """
      insert into \(table: "_changes") (number, time, \(name: "user"), program, steps) select \
      coalesce(max(number), 0) + 1, \(.datetime(plan.time)), \
      cast(\(plan.user.map(Value.text) ?? .null) as text), \(.text(plan.program)), \
      \(.text(plan.steps)) from \(table: "_changes")
      """)
  }
}
