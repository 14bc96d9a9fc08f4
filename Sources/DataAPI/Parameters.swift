/// The parameters of a request, in the order in which they were given. A name may occur several
/// times.
package struct Parameters: Hashable, Sendable {
  /// The name and the value of a parameter, without percent-encoding.
  package struct Parameter: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The reason why a text cannot be parsed as parameters.
  package enum ParseError: Error, Hashable {
    /// A `%` is not followed by two hexadecimal digits.
    case invalidEscape
    /// The decoded text is not UTF-8.
    case notUTF8
  }

  package private(set) var list: [Parameter]

  package init(_ list: [Parameter] = []) {
    self.list = list
  }

  /// Parses the query of a URL or the body of a form (`application/x-www-form-urlencoded`).
  package init(parsing text: some Collection<UInt8>) throws(ParseError) {
    list = []
    for part in text.split(separator: UInt8(ascii: "&")) {
      let sign = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
      let value = part[sign...].dropFirst()
      list.append(
        Parameter(
          try PercentEncoding.decode(part[..<sign], as: .form),
          try PercentEncoding.decode(value, as: .form)))
    }
  }

  /// The parameters as the query of a URL, without `?`.
  package var text: String {
    list.map { parameter in
      "\(PercentEncoding.encode(parameter.name))=\(PercentEncoding.encode(parameter.value))"
    }.joined(separator: "&")
  }

  /// The values of the parameters with the given name, in order.
  package subscript(name: String) -> [String] {
    list.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
  }

  package mutating func append(_ name: String, _ value: String) {
    list.append(Parameter(name, value))
  }

  /// Removes the parameters with the given name, and returns their values.
  package mutating func remove(_ name: String) -> [String] {
    let values = self[name]
    list.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
    return values
  }
}

/// Percent-encoding of texts in URLs.
package enum PercentEncoding {
  /// The part of a URL that a percent-encoded text comes from.
  package enum Location {
    /// A segment of the path, where `+` is an ordinary character.
    case path
    /// A name or value in a query or a form, where `+` means a space.
    case form
  }

  /// Returns a text in which every byte is encoded except letters, digits and `-._~`.
  package static func encode(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns the decoded text. Throws an error if the bytes are not valid percent-encoded UTF-8.
  package static func decode(
    _ bytes: some Collection<UInt8>, as location: Location
  ) throws(Parameters.ParseError) -> String {
    // Most texts contain nothing to decode.
    let plus = location == .form ? UInt8(ascii: "+") : UInt8(ascii: "%")
    guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == plus }) else {
      guard let text = String(validating: bytes, as: UTF8.self) else { throw .notUTF8 }
      return text
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(value), let low = rest.popFirst().flatMap(value)
        else { throw .invalidEscape }
        result.append(high << 4 | low)
      case UInt8(ascii: "+") where location == .form: result.append(UInt8(ascii: " "))
      default: result.append(byte)
      }
    }
    guard let text = String(validating: result, as: UTF8.self) else { throw .notUTF8 }
    return text
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
