package import DataModel
internal import JSONText

/// The body of a request to log in.
package struct LogInDocument: Hashable, Sendable {
  package var user: String
  package var password: String
  /// The number of days until the session expires, or nil for the default.
  package var days: Int?
  /// The name of the session, or nil.
  package var name: String?

  package init(user: String, password: String, days: Int? = nil, name: String? = nil) {
    self.user = user
    self.password = password
    self.days = days
    self.name = name
  }

  package var json: [UInt8] {
    var members: [JSONValue.Member] = [
      .init("user", .text(user)), .init("password", .text(password)),
    ]
    if let days { members.append(.init("days", JSONValue(days))) }
    if let name { members.append(.init("name", .text(name))) }
    return JSONValue.object(members).line
  }

  package init(parsing text: Span<UInt8>) throws(DataError) {
    let body = try RequestObject(parsing: text, keys: ["user", "password", "days", "name"])
    user = try body.text("user")
    password = try body.text("password")
    days = try body.integer("days")
    name = try body.optionalText("name")
  }
}

/// The response to a login: the token of the new session, its user, and the time at which it
/// expires.
package struct SessionDocument: Hashable, Sendable {
  package var token: String
  package var user: String
  package var expires: Timestamp

  package init(token: String, user: String, expires: Timestamp) {
    self.token = token
    self.user = user
    self.expires = expires
  }

  package var json: [UInt8] {
    let value: JSONValue = [
      "token": .text(token), "user": .text(user), "expires": .text(expires.description),
    ]
    return value.line
  }

  package init(parsing text: Span<UInt8>) throws(DataError) {
    let body = try RequestObject(parsing: text, keys: ["token", "user", "expires"])
    token = try body.text("token")
    user = try body.text("user")
    expires = try body.time("expires")
  }
}

/// The response to a request for the user of the session: the user, and the time at which the
/// session expires.
package struct UserDocument: Hashable, Sendable {
  package var user: String
  package var expires: Timestamp

  package init(user: String, expires: Timestamp) {
    self.user = user
    self.expires = expires
  }

  package var json: [UInt8] {
    let value: JSONValue = ["user": .text(user), "expires": .text(expires.description)]
    return value.line
  }

  package init(parsing text: Span<UInt8>) throws(DataError) {
    let body = try RequestObject(parsing: text, keys: ["user", "expires"])
    user = try body.text("user")
    expires = try body.time("expires")
  }
}

/// The response to a request to end the sessions of a user.
package struct EndedSessionsDocument: Hashable, Sendable {
  /// The number of sessions that were ended.
  package var ended: Int

  package init(ended: Int) {
    self.ended = ended
  }

  package var json: [UInt8] {
    let value: JSONValue = ["ended": JSONValue(ended)]
    return value.line
  }

  package init(parsing text: Span<UInt8>) throws(DataError) {
    guard let ended = try RequestObject(parsing: text, keys: ["ended"]).integer("ended") else {
      throw DataError(.invalid, "ended is missing")
    }
    self.ended = ended
  }
}

/// The body of a request to change a password.
package struct PasswordDocument: Hashable, Sendable {
  /// The current password. It is nil if an administrator sets the password of another user.
  package var old: String?
  package var new: String
  /// The user whose password is set, or nil for the caller.
  package var user: String?

  package init(old: String? = nil, new: String, user: String? = nil) {
    self.old = old
    self.new = new
    self.user = user
  }

  package var json: [UInt8] {
    var members: [JSONValue.Member] = []
    if let old { members.append(.init("old", .text(old))) }
    members.append(.init("new", .text(new)))
    if let user { members.append(.init("user", .text(user))) }
    return JSONValue.object(members).line
  }

  package init(parsing text: Span<UInt8>) throws(DataError) {
    let body = try RequestObject(parsing: text, keys: ["old", "new", "user"])
    old = try body.optionalText("old")
    new = try body.text("new")
    user = try body.optionalText("user")
    guard (old == nil) != (user == nil) else {
      throw DataError(
        .invalid, "expected either \"old\" or \"user\", found \(old == nil ? "neither" : "both")",
        hint: "send the old password to change your own; administrators send the user instead")
    }
  }
}

/// A parser for a small JSON object in the body of a request. It rejects unknown keys. Its error
/// messages do not show values, because they can be secrets.
struct RequestObject {
  private let value: JSONValue

  init(parsing text: Span<UInt8>, keys: [String]) throws(DataError) {
    value = try JSONValue(parsing: text)
    guard case .object(let members) = value else {
      throw DataError(.invalid, "expected a JSON object with \(keys.joined(separator: ", "))")
    }
    for member in members where !keys.contains(member.name) {
      throw DataError(
        .unknownField, "unknown key \(Excerpt.quoted(member.name))",
        hint: nearest(member.name, among: keys).map { "did you mean \($0)?" }
          ?? "the keys are \(keys.joined(separator: ", "))")
    }
  }

  func optionalText(_ key: String) throws(DataError) -> String? {
    switch value[key] {
    case nil, .null?: nil
    case .text(let text)?: text
    case .boolean?, .number?, .array?, .object?:
      throw DataError(.invalid, "\(key): expected a text")
    }
  }

  func text(_ key: String) throws(DataError) -> String {
    guard let text = try optionalText(key) else {
      throw DataError(.invalid, "\(key) is missing")
    }
    return text
  }

  func time(_ key: String) throws(DataError) -> Timestamp {
    guard let time = try? Timestamp(parsing: text(key).utf8.span) else {
      throw DataError(.invalid, "\(key): expected a time")
    }
    return time
  }

  func integer(_ key: String) throws(DataError) -> Int? {
    switch value[key] {
    case nil, .null?: return nil
    case .number(let number)?:
      if let integer = number.integer { return Int(integer) }
    case .boolean?, .text?, .array?, .object?: break
    }
    throw DataError(.invalid, "\(key): expected a whole number")
  }
}
