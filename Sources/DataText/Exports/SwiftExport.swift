package import DataModel

/// Exports schemas as Swift types for their records.
package enum SwiftExport {
  /// The module that the generated source imports.
  private static let library = "DataClient"

  /// Returns the Swift source.
  package static func text(_ schemas: [Schema]) -> String {
    let head = [
      "// swift-format-ignore-file",
      "// Written by `datactl schema export --format swift`: write it anew instead of editing it.",
      "", "import \(library)",
    ]
    var text = head.map { $0 + "\n" }.joined()
    var names = TypeNames(taken: SwiftWords.types, otherwise: { $0 + "Record" })
    for schema in schemas {
      let type = names.name(for: schema.name)
      text += "\n" + SwiftType(schema: schema, name: type).text
    }
    return text
  }
}

/// A schema as a Swift type.
private struct SwiftType {
  /// A property and its field.
  struct Property {
    let field: Field
    let name: String
    /// Whether the library maps the property's name to the field without a coding key.
    let leadsBack: Bool
  }

  let schema: Schema
  let name: String
  let properties: [Property]

  init(schema: Schema, name: String) {
    self.schema = schema
    self.name = name
    var taken: Set<String> = []
    properties = schema.fields.indices.map { slot in
      let field = schema.fields[slot]
      let name = Self.name(of: field, in: schema, taken: taken)
      taken.insert(name)
      return Property(
        field: field, name: name, leadsBack: schema.slot(ofProperty: name) == slot)
    }
  }

  var text: String {
    let leadsBack = Names.suggested(for: name, as: .schema) == schema.name
    var lines = documentation(schema.doc, indent: "")
    lines.append("struct \(name): Codable, Sendable\(leadsBack ? "" : ", Recorded") {")
    if !leadsBack { lines += ["  static let schema = \"\(schema.name)\"", ""] }
    for property in properties {
      lines += documentation(property.field.doc, indent: "  ")
      lines.append("  " + declaration(property))
    }
    if properties.contains(where: { !$0.leadsBack }) {
      lines += ["", "  private enum CodingKeys: String, CodingKey {"]
      for property in properties {
        let key = property.leadsBack ? "" : " = \"\(property.field.name)\""
        lines.append("    case \(SwiftWords.quoted(property.name))\(key)")
      }
      lines.append("  }")
    }
    lines.append("}")
    return lines.map { $0 + "\n" }.joined()
  }

  private func documentation(_ doc: String?, indent: String) -> [String] {
    DocText.lines(doc ?? "").map { "\(indent)/// \($0)" }
  }

  private func declaration(_ property: Property) -> String {
    let field = property.field
    let isOptional =
      field.type == .password
      || !field.isRequired && field.type != .id && field.type.relation?.isMany != true
    let type = (field.type == .id ? "RecordID" : field.type.swiftName) + (isOptional ? "?" : "")
    let initial = SwiftWords.initial(field, isOptional: isOptional).map { " = " + $0 } ?? ""
    return "var \(SwiftWords.quoted(property.name)): \(type)\(initial)"
  }

  /// Returns the declared name of the property, or the one derived from the field, spelled as in
  /// Swift: `todoID` for `todo_id`.
  private static func name(of field: Field, in schema: Schema, taken: Set<String>) -> String {
    let slot = schema.fields.firstIndex { $0.name == field.name }
    let ruled = Names.property(for: field.name)
    let declared = schema.properties.filter { $0.field == field.name }.map(\.name)
    let spelt = ruled.hasSuffix("Id") ? ["\(ruled.dropLast(2))ID"] : []
    let others = spelt.filter { schema.slot(ofProperty: $0) == slot } + [ruled]
    for candidate in declared + others
    where !taken.contains(candidate) && !SwiftWords.unusable.contains(candidate) {
      return candidate
    }
    var name = ruled + "_"
    while taken.contains(name) || schema.slot(ofProperty: name) != nil { name += "_" }
    return name
  }
}
