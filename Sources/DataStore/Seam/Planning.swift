package import DataModel

/// A plan that is to be carried out, and what only the one knows who wants it.
package struct PlanRequest: Sendable {
  package var plan: SchemaPlan
  /// The names of the schemas and fields whose loss somebody agreed to: `todo`, `todo.note`.
  package var consents: Set<String>
  /// When it is done, and by whom.
  package var stamp: Stamp
  /// The program that does it, with its version, for the log.
  package var program: String
  package var wait: WriteWait
  /// Taken back at the end, the plan has still been tried on the records that are there.
  package var end: SaveRequest.End
  /// Says what is wrong with the stored functions, all of which it is given as rows of their schema,
  /// by the schemas as they will be, if they were right by the schemas as they are.
  package var review:
    @Sendable (_ functions: Rows, _ before: Catalog, _ after: Catalog) -> [Problem]

  package init(
    _ plan: SchemaPlan, consents: Set<String> = [], stamp: Stamp, program: String,
    wait: WriteWait = WriteWait(), end: SaveRequest.End = .commit,
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

/// A plan that was carried out, as the store's log has it.
package struct AppliedPlan: Hashable, Sendable {
  package var time: Timestamp
  package var user: String?
  package var program: String
  /// The steps, as a JSON array.
  package var steps: String

  package init(time: Timestamp, user: String?, program: String, steps: String) {
    self.time = time
    self.user = user
    self.program = program
    self.steps = steps
  }

  /// What the log has of a request.
  package init(_ request: PlanRequest) {
    self.init(
      time: request.stamp.time, user: request.stamp.user, program: request.program,
      steps: SchemaPlan.Step.json(request.plan.steps))
  }
}
