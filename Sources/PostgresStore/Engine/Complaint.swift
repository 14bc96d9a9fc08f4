/// An error or a notice from a server.
package struct ServerError: Hashable, Sendable {
  /// The SQLSTATE that pgbouncer uses for all errors of its own, and for some errors of the server
  /// that it passes on.
  static let poolerState = "08P01"

  package let state: String
  package let messageText: String
  /// The name of the violated constraint or unique index.
  package var constraint: String?
  /// Whether the error was raised in a procedure that is not one of datactl's functions.
  package var isFromProcedure = false
  /// Whether the error ends the connection. Any other error does not mean that the connection is
  /// lost.
  package var endsConnection = true

  package init(state: String, messageText: String = "") {
    self.state = state
    self.messageText = messageText
  }
}
