import DataModel
import JSONText
import RecordText

/// How the values of a field are represented in XML.
enum XMLType: BitwiseCopyable, Sendable {
  /// The type of a value that is the text of an element or attribute.
  enum Scalar: BitwiseCopyable, Sendable {
    case text
    case number
    case boolean
    /// The text is JSON.
    case json
    /// The type is unknown, so it is inferred from the text.
    case any
  }

  case scalar(Scalar)
  case list(Scalar)
  case geopoint
  case file
  /// The value of a to-one relation: an id or a nested record.
  case reference
  case references

  init(_ type: FieldType) {
    switch type.descriptor.kind {
    case .key, .text, .scalar, .json, .password, .system: self = .scalar(Scalar(type))
    case .geopoint: self = .geopoint
    case .file: self = .file
    case .reference: self = .reference
    case .references: self = .references
    case .array: self = .list(Scalar(type.elementType.fieldType))
    }
  }
}

extension XMLType.Scalar {
  fileprivate init(_ type: FieldType) {
    switch type.descriptor.textForm {
    case .quoted: self = .text
    case .bare: self = type.descriptor.storage == .boolean ? .boolean : .number
    case .json: self = .json
    }
  }
}

extension XMLType.Scalar {
  /// Appends a value as JSON, and returns nil. If the value is not valid for its type, appends it
  /// as a string, so that the reader of the JSON reports the error. A `json` field would accept the
  /// string, so for invalid JSON, appends the number `0` and returns an error message.
  func append(_ value: Span<UInt8>, to output: inout [UInt8]) -> String? {
    switch self {
    case .number where NumberText.isJSONNumber(value): output.append(copying: value)
    case .boolean where Self.isBoolean(value): output.append(copying: value)
    case .any where Self.isBoolean(value) || ScalarText.isPlainNumber(value):
      output.append(copying: value)
    case .any
    where !value.isEmpty && (value[0] == UInt8(ascii: "{") || value[0] == UInt8(ascii: "[")):
      if let json = try? ScalarText.json(value) {
        output.append(contentsOf: json)
      } else {
        JSONQuote.append(value, to: &output)
      }
    case .json:
      do throws(ScalarText.JSONError) {
        output.append(contentsOf: try ScalarText.json(value))
      } catch {
        output.append(UInt8(ascii: "0"))
        return "expected JSON: \(error.message)"
      }
    case .text, .number, .boolean, .any: JSONQuote.append(value, to: &output)
    }
    return nil
  }

  private static func isBoolean(_ text: Span<UInt8>) -> Bool {
    text.isEqual(to: "true".utf8.span) || text.isEqual(to: "false".utf8.span)
  }
}
