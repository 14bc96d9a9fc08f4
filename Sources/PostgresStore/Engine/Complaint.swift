/// What a server says as it refuses a statement.
package struct Complaint: Hashable, Sendable {
  /// The state that pgbouncer gives to all that it does not like, and to what a server has told it.
  static let stateOfPooler = "08P01"

  package let state: String
  package let said: String
  /// The rule that was broken, or the index.
  package var constraint: String?
  /// Whether it comes out of a procedure, which only others have in the database.
  package var isOfProcedure = false
  /// An error that does not end the connection cannot mean that it is lost.
  package var endsConnection = true

  package init(state: String, said: String = "") {
    self.state = state
    self.said = said
  }
}
