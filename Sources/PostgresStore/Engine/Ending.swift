/// Why a server, or a connection pooler, ended a connection, with its own message.
package struct Ending: Hashable, Sendable {
  private let state: String
  package let said: String

  /// Creates a termination from a server error, or nil if the error does not end the connection.
  package init?(_ complaint: Complaint) {
    switch complaint.state {
    case "57P01", "57P02", "57P05", "25P03", "25P04", Complaint.stateOfPooler: break
    default: return nil
    }
    state = complaint.state
    said = complaint.said
  }

  /// A hint about the setting of the server, or of pgbouncer, that may have caused it.
  package var hint: String? {
    switch state {
    case "57P05": Self.hint("idle_session_timeout")
    case "25P03": Self.hint("idle_in_transaction_session_timeout")
    case "25P04": Self.hint("transaction_timeout")
    case Complaint.stateOfPooler where said.contains("statement pooling mode"):
      "set pool_mode of pgbouncer to transaction or session"
    default: nil
    }
  }

  private static func hint(_ setting: String) -> String {
    "\(setting) of the server is too short: datactl was waiting for its input or its reader"
  }
}
