/// Why a server ended a connection, in its own words.
package struct Ending: Hashable, Sendable {
  package let state: String
  package let said: String

  /// Reads an error; nil if it ends no connection.
  package init?(state: String, said: String) {
    switch state {
    case "57P01", "57P02", "57P05", "25P03", "25P04": break
    default: return nil
    }
    self.state = state
    self.said = said
  }

  /// Which setting of the server's let it do so.
  package var setting: String? {
    switch state {
    case "57P05": "idle_session_timeout"
    case "25P03": "idle_in_transaction_session_timeout"
    case "25P04": "transaction_timeout"
    default: nil
    }
  }
}
