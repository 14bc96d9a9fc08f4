package import DataModel
package import DataStore

extension SQLiteStore {
  package func log() throws(DataError) -> [AppliedPlan] {
    guard try isThere() || access != .writing(creates: true) else { return [] }
    return try connection().value.log()
  }
}

extension Connection {
  /// The log; a store that was made before there was one has it once something changes.
  fileprivate func log() throws(DataError) -> [AppliedPlan] {
    let isThere = try hasRow("select 1 from sqlite_schema where name = '_changes'")
    guard isThere else { return [] }
    let statement = try Statement(
      "select time, user, program, steps from _changes order by number", on: self)
    var plans: [AppliedPlan] = []
    while try statement.step() {
      plans.append(
        AppliedPlan(
          time: Timestamp(microseconds: statement.integer(0)) ?? .earliest,
          user: statement.text(1), program: statement.text(2) ?? "",
          steps: statement.text(3) ?? "[]"))
    }
    return plans
  }

  /// Writes into the log that a plan was carried out.
  func addToLog(_ plan: AppliedPlan) throws(DataError) {
    try run(
      """
      create table if not exists _changes (number integer not null primary key, \
      time integer not null, user text, program text not null, steps text not null) strict
      """)
    try run(
      """
      insert into _changes (time, user, program, steps) values (\(.datetime(plan.time)), \
      \(plan.user.map(Value.text) ?? .null), \(.text(plan.program)), \(.text(plan.steps)))
      """)
  }
}
