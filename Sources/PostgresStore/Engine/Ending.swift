/// Why a server, or a connection pooler, ended a connection, with its own message.
package struct ConnectionTermination: Hashable, Sendable {
  private let state: String
  package let messageText: String

  /// Creates a termination from a server error, or nil if the error does not end the connection.
  package init?(_ serverError: ServerError) {
    switch serverError.state {
    case "57P01", "57P02", "57P05", "25P03", "25P04", ServerError.poolerState: break
    default: return nil
    }
    state = serverError.state
    messageText = serverError.messageText
  }

  /// A hint about the setting of the server, or of pgbouncer, that may have caused it.
  package var hint: String? {
    switch state {
    case "57P05": Self.hint("idle_session_timeout")
    case "25P03": Self.hint("idle_in_transaction_session_timeout")
    case "25P04": Self.hint("transaction_timeout")
    case ServerError.poolerState where messageText.contains("statement pooling mode"):
      "set pool_mode of pgbouncer to transaction or session"
    default: nil
    }
  }

  private static func hint(_ setting: String) -> String {
    "\(setting) of the server is too short: datactl was waiting for its input or its reader"
  }
}
