import DataModel

/// The TypeScript types of field values, with names that do not collide with schemas.
struct TypeScriptSyntax {
  private let point: String
  private let file: String
  private let json: String
  private let sum: String
  private let list: String
  private let types: [FieldType]

  init(of schemas: [Schema], _ names: inout TypeNames) {
    point = names.take("GeoPoint")
    file = names.take("FileReference")
    json = names.take("JSONValue")
    sum = names.take("NumberOperation")
    list = names.take("ListOperation")
    types = schemas.flatMap { $0.fields.map(\.type) }
  }

  /// The declarations of the types that the schemas use.
  var declarations: [String] {
    var declarations: [String] = []
    if types.contains(.geopoint) {
      declarations.append(
        """
        /** A geographic point, in degrees. */
        export interface \(point) {
          lat: number;
          lon: number;
        }

        """)
    }
    if types.contains(.file) {
      declarations.append(
        """
        /** A file; `data` has its content in base64, if included. */
        export interface \(file) {
          name: string;
          type?: string;
          size?: number;
          sha256?: string;
          data?: string;
        }

        """)
    }
    if types.contains(.json) {
      declarations.append(
        """
        export type \(json) =
          null | boolean | number | string | \(json)[] | { [name: string]: \(json) };

        """)
    }
    if types.contains(where: { operation(on: $0) == sum }) {
      declarations.append(
        """
        /** Adds to the current number. */
        export interface \(sum) {
          $add: number;
        }

        """)
    }
    if types.contains(where: \.isList) {
      declarations.append(
        """
        /** Removes elements from the current list, then appends others. */
        export interface \(list)<Element> {
          $remove?: Element[];
          $append?: Element[];
        }

        """)
    }
    return declarations
  }

  /// Returns the type of a field's values, without null.
  func type(of field: Field) -> String {
    if case .array(let element) = field.type {
      let type = choices(of: field) ?? self.type(of: element.fieldType)
      return field.oneOf.count > 1 ? "(\(type))[]" : "\(type)[]"
    }
    return choices(of: field) ?? type(of: field.type)
  }

  /// Returns the type of the operations that a change can have instead of a value, or nil if none.
  func operation(on type: FieldType) -> String? {
    switch type {
    case .integer, .number: sum
    case .array(let element): "\(list)<\(self.type(of: element.fieldType))>"
    case .relation(let relation): relation.isMany ? "\(list)<string>" : nil
    case .id, .text, .boolean, .datetime, .geopoint, .file, .json, .password: nil
    }
  }

  private func type(of type: FieldType) -> String {
    switch type {
    case .id, .text, .datetime, .password: "string"
    case .integer, .number: "number"
    case .boolean: "boolean"
    case .geopoint: point
    case .file: file
    case .json: json
    case .relation(let relation): relation.isMany ? "string[]" : "string"
    case .array(let element): "\(self.type(of: element.fieldType))[]"
    }
  }

  private func choices(of field: Field) -> String? {
    guard !field.oneOf.isEmpty else { return nil }
    return field.oneOf.map { Self.literal($0.jsonText) }.joined(separator: " | ")
  }

  /// Converts a JSON string literal to JavaScript. Older versions of JavaScript treat U+2028 and
  /// U+2029 as line terminators, so these are escaped.
  private static func literal(_ json: String) -> String {
    var literal = ""
    for scalar in json.unicodeScalars {
      switch scalar.value {
      case 0x2028: literal += "\\u2028"
      case 0x2029: literal += "\\u2029"
      default: literal.unicodeScalars.append(scalar)
      }
    }
    return literal
  }
}
