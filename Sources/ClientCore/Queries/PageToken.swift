package import DataModel
internal import DataStore
internal import JSONText

/// Page tokens, which encode cursors as text that needs no quoting in a shell.
///
/// A token contains a hash of the query and the values of the record at the cursor: its id, and the
/// values of the fields that the query sorts by. Therefore the token remains valid if the record is
/// deleted.
extension CheckedQuery {
  /// Returns the page token that encodes a cursor.
  package func token(of cursor: Query.Cursor) -> String {
    var bytes: [UInt8] = []
    JSONValue.array([.text(hash)] + cursor.values.map(\.tokenJSON)).write(to: &bytes)
    var text: [UInt8] = []
    Base64.append(bytes.span, to: &text)
    return String(decoding: text.compactMap(\.urlSafeBase64), as: UTF8.self)
  }

  /// Returns the cursor that a page token encodes.
  ///
  /// - Parameters:
  ///   - token: The page token.
  ///   - option: The command-line option with which the token was passed, for error messages.
  /// - Throws: A usage error if the text is not a token, or if the token belongs to another query.
  package func cursor(
    of token: String, option: String
  ) throws(DataError) -> Query.Cursor {
    guard case .array(let parts)? = Self.content(of: token), case .text(let hash)? = parts.first,
      hash.utf8.count == self.hash.utf8.count
    else {
      throw DataError(
        .usage, "\(option): not a page token: \(Excerpt.quoted(token))",
        hint: "pass the value of next or previous from the output of -o page")
    }
    let resolvedOrder = try query().resolvedOrder(in: stored.catalog)
    var values: [Value] = []
    for (part, term) in zip(parts.dropFirst(), resolvedOrder) {
      if let value = part.value(of: term.value.type) { values.append(value) }
    }
    guard hash == self.hash, values.count == resolvedOrder.count, parts.count == values.count + 1,
      values.last != .null
    else {
      throw DataError(
        .usage, "\(option): the token belongs to another query",
        hint: "repeat the schema, conditions and order of the command that printed the token")
    }
    return Query.Cursor(values)
  }

  /// Returns the JSON value that a token encodes. Returns nil if the text is not a token.
  private static func content(of token: String) -> JSONValue? {
    var characters = token.utf8.map(\.standardBase64)
    while characters.count % 4 != 0 { characters.append(UInt8(ascii: "=")) }
    guard let bytes = Base64.bytes(characters.span) else { return nil }
    return try? JSONValue(parsing: bytes.span)
  }
}

extension UInt8 {
  /// The URL-safe form of a base64 character, such as `-` for `+`; nil for the padding character.
  fileprivate var urlSafeBase64: UInt8? {
    switch self {
    case UInt8(ascii: "+"): UInt8(ascii: "-")
    case UInt8(ascii: "/"): UInt8(ascii: "_")
    case UInt8(ascii: "="): nil
    default: self
    }
  }

  /// The standard form of a URL-safe base64 character, such as `+` for `-`.
  fileprivate var standardBase64: UInt8 {
    switch self {
    case UInt8(ascii: "-"): UInt8(ascii: "+")
    case UInt8(ascii: "_"): UInt8(ascii: "/")
    default: self
    }
  }
}

extension Value {
  /// The value as JSON for a page token, without loss of precision. The type of the value must be
  /// sortable.
  fileprivate var tokenJSON: JSONValue {
    if case .datetime(let time) = self { return .number(JSONNumber(time.microseconds)) }
    if case .number(let number) = self, !number.isFinite {
      // JSON has no infinity, so infinity is encoded as a number that exceeds the largest double.
      return JSONNumber(text: number < 0 ? "-1e999" : "1e999").map(JSONValue.number) ?? .null
    }
    guard let type, type.isOrdered else { return .null }
    if type.descriptor.textForm == .quoted { return .text(text) }
    return (try? JSONValue(parsing: text)) ?? .null
  }
}

extension JSONValue {
  /// Decodes a value from a page token. Returns nil if the JSON is not a value of the given type.
  /// The type must be sortable.
  fileprivate func value(of type: FieldType) -> DataModel.Value? {
    switch self {
    case .null: return .null
    case .text(let text):
      guard type != .datetime, type.descriptor.textForm == .quoted else { return nil }
      return try? type.descriptor.parse(text.utf8.span)
    case .number(let number):
      switch type.descriptor.storage {
      case .datetime:
        return number.integer.flatMap(Timestamp.init(microseconds:)).map { .datetime($0) }
      case .number:
        return .number(number.double ?? (number.text.hasPrefix("-") ? -.infinity : .infinity))
      case .integer,
        .bytes where type.descriptor.textForm == .bare:
        return try? type.descriptor.parse(number.text.utf8.span)
      case .bytes, .boolean, .date, .point: return nil
      }
    case .boolean(let boolean): return type == .boolean ? .boolean(boolean) : nil
    case .array, .object: return nil
    }
  }
}
