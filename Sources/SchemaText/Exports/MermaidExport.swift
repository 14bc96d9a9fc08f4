package import DataModel

/// Exports schemas as an entity relationship diagram for Mermaid.
package enum MermaidExport {
  /// Returns the code of the diagram in the Mermaid language.
  package static func text(_ schemas: [Schema]) -> String {
    var lines = ["erDiagram"]
    for schema in schemas {
      lines.append("  \"\(schema.name)\" {")
      lines += schema.fields.map { "    " + attribute($0) }
      lines.append("  }")
    }
    for schema in schemas {
      for field in schema.fields {
        guard let relation = field.type.relation else { continue }
        let marks = RelationCardinality(field, relation)
        lines.append(
          "  \"\(schema.name)\" \(left(marks.source))--\(right(marks.target)) "
            + "\"\(relation.target)\" : \"\(field.name)\"")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func attribute(_ field: Field) -> String {
    var keys: [String] = []
    if field.type == .id { keys.append("PK") }
    if field.type.relation != nil { keys.append("FK") }
    if field.isUnique { keys.append("UK") }
    let key = keys.isEmpty ? "" : " " + keys.joined(separator: ", ")
    let marks = (field.isRequired ? ["required"] : []) + (field.type.isOwned ? ["owned"] : [])
    let comment = marks.isEmpty ? "" : " \"\(marks.joined(separator: ", "))\""
    return "\(field.typeLabel) \(field.name)\(key)\(comment)"
  }

  private static func left(_ count: RelationCardinality.Count) -> String {
    switch count {
    case .one: "||"
    case .atMostOne: "|o"
    case .any: "}o"
    }
  }

  private static func right(_ count: RelationCardinality.Count) -> String {
    switch count {
    case .one: "||"
    case .atMostOne: "o|"
    case .any: "o{"
    }
  }
}

/// How many records there can be at each end of a relation, such as one owner of many todos.
struct RelationCardinality {
  enum Count {
    case one
    case atMostOne
    case any
  }

  /// How many records can refer to one record.
  let source: Count
  /// How many records one record can refer to.
  let target: Count

  init(_ field: Field, _ relation: Relation) {
    source = field.isUnique ? .atMostOne : .any
    target = relation.isMany ? .any : field.isRequired ? .one : .atMostOne
  }
}
