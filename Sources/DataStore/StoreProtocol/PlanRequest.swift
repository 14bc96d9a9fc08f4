package import DataModel

/// A plan to apply, with the parameters of its execution.
package struct PlanRequest: Sendable {
  package var plan: SchemaPlan
  /// The names of the schemas (`todo`) and fields (`todo.note`) whose values may be lost.
  package var consents: Set<String>
  /// The mark to set if the plan begins a copy of another store, or continues one.
  package var copyMark: CopyMark?
  /// The time and the user of the change.
  package var stamp: Stamp
  /// The program and its version, for the log.
  package var program: String
  package var wait: WriteWait
  /// How the transaction ends: the changes are committed, or rolled back in a dry run. In both
  /// cases, the plan is validated against the records.
  package var end: WriteRequest.End
  /// Returns a problem for each stored function that was valid with the old schemas and is invalid
  /// with the new ones. `functions` contains the records of `Schema.function`.
  package var review:
    @Sendable (_ functions: Rows, _ before: Catalog, _ after: Catalog) -> [Problem]

  package init(
    _ plan: SchemaPlan, consents: Set<String> = [], stamp: Stamp, program: String,
    wait: WriteWait = WriteWait(), end: WriteRequest.End = .commit,
    review: @escaping @Sendable (Rows, Catalog, Catalog) -> [Problem] = { _, _, _ in [] }
  ) {
    self.plan = plan
    self.consents = consents
    self.stamp = stamp
    self.program = program
    self.wait = wait
    self.end = end
    self.review = review
  }
}

/// An applied plan, as an entry of the store's log.
package struct AppliedPlan: Hashable, Sendable {
  package var time: Timestamp
  package var user: String?
  package var program: String
  /// The steps of the plan, as a JSON array.
  package var steps: String

  package init(time: Timestamp, user: String?, program: String, steps: String) {
    self.time = time
    self.user = user
    self.program = program
    self.steps = steps
  }

  /// Creates the log entry for a request.
  package init(_ request: PlanRequest) {
    self.init(
      time: request.stamp.time, user: request.stamp.user, program: request.program,
      steps: SchemaPlan.Step.json(request.plan.steps))
  }
}
