package import DataModel

/// The header by which an administrator sends a request for another user.
package enum ActingUser {
  package static let headerName = "Datactl-As"

  /// Returns the value of the header for the id of a user. It is empty for a caller who is not
  /// logged in.
  package static func encode(_ user: String) -> String { PercentEncoding.encode(user) }

  /// Returns the value of the header in the response to a request with the given value. By this
  /// header, a client recognizes that the server supports the request.
  package static func confirmation(of value: String) -> String { "user=\(value)" }

  /// Returns the id of the user that the header contains, or an empty text for a caller who is not
  /// logged in.
  package static func decode(_ text: String) throws(DataError) -> String {
    do throws(Parameters.ParseError) {
      return try PercentEncoding.decode(text.utf8, as: .path)
    } catch {
      throw DataError(.usage, "\(headerName): expected a percent-encoded user")
    }
  }
}

/// The key by which a server recognizes a request that it has already executed.
package enum IdempotencyKey {
  package static let headerName = "Idempotency-Key"

  package static func new() -> String {
    var generator = SystemRandomNumberGenerator()
    return String(generator.next(), radix: 16) + String(generator.next(), radix: 16)
  }
}
