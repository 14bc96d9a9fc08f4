/// An error or a notice from a server.
package struct Complaint: Hashable, Sendable {
  /// The SQLSTATE that pgbouncer uses for all errors of its own, and for some errors of the server
  /// that it passes on.
  static let stateOfPooler = "08P01"

  package let state: String
  package let said: String
  /// The name of the violated constraint or unique index.
  package var constraint: String?
  /// Whether the error was raised in a procedure that is not one of datactl's functions.
  package var isOfProcedure = false
  /// Whether the error ends the connection. Any other error does not mean that the connection is
  /// lost.
  package var endsConnection = true

  package init(state: String, said: String = "") {
    self.state = state
    self.said = said
  }
}
