package import DataModel

/// Exports schemas as a Graphviz graph, with a table for each schema and an edge for each relation.
package enum DOTExport {
  /// Returns the code of the graph in the DOT language.
  package static func text(_ schemas: [Schema]) -> String {
    let names = Set(schemas.map(\.name))
    let foreignTargets = Set(schemas.flatMap { $0.fields.compactMap(\.type.relation?.target) })
      .subtracting(names).sorted()
    var text = """
      digraph "schemas" {
        graph [rankdir=LR, nodesep=0.45, ranksep=1.1, pad=0.3, bgcolor="\(paper)"];
        node [shape=plain, fontname="Helvetica,Arial,sans-serif", fontsize=11, fontcolor="\(ink)"];
        edge [color="\(line)", penwidth=1.2, arrowsize=0.9, dir=both];

      """
    text += legend(schemas)
    for schema in schemas { text += table(schema) }
    for name in foreignTargets {
      text += """
          "\(name)" [shape=box, style="dashed,rounded", color="\(line)", label="\(name)"];

        """
    }
    for schema in schemas {
      for field in schema.fields { text += edge(from: field, of: schema, among: schemas) }
    }
    return text + "}\n"
  }

  private static let paper = "#ffffff"
  private static let ink = "#1f2933"
  private static let pale = "#616e7c"
  private static let line = "#7b8794"

  private static func lineColor(_ onDelete: Relation.OnDelete) -> String {
    switch onDelete {
    case .nullify: line
    case .cascade: "#b44d12"
    case .deny: ink
    }
  }

  /// Returns a legend of the edge colors, or an empty string if all edges have the default color.
  private static func legend(_ schemas: [Schema]) -> String {
    let used = Set(schemas.flatMap { $0.fields.compactMap(\.type.relation?.onDelete) })
    var meanings: [String] = []
    if used.contains(.cascade) { meanings.append("orange: deleted together with the target") }
    if used.contains(.deny) { meanings.append("black: prevents deletion of the target") }
    guard !meanings.isEmpty else { return "" }
    return """
        label="\(meanings.joined(separator: "    "))";
        labelloc=b; labeljust=l; fontname="Helvetica,Arial,sans-serif"; fontsize=10; \
      fontcolor="\(pale)";

      """
  }

  private static func headColor(_ schema: Schema) -> String {
    switch schema.kind {
    case .records: "#2f5d8a"
    case .user: "#8a4b2f"
    }
  }

  private static func table(_ schema: Schema) -> String {
    let tip = DocText.html(DocText.line(schema.doc ?? schema.name))
    var rows = """
          <tr><td port="_" colspan="3" align="left" bgcolor="\(headColor(schema))">\
      <font color="#ffffff" point-size="13"><b>\(schema.name)</b></font></td></tr>

      """
    for field in schema.fields { rows += row(field) }
    return """
        "\(schema.name)" [tooltip="\(tip.escapedForDOT)", label=<
          <table border="1" cellborder="0" cellspacing="0" cellpadding="4" color="\(line)" \
      bgcolor="#ffffff">
      \(rows)    </table>>];

      """
  }

  private static func row(_ field: Field) -> String {
    let name =
      field.type == .id
      ? "<b><u>\(field.name)</u></b>" : field.isRequired ? "<b>\(field.name)</b>" : field.name
    var marks: [String] = []
    if field.type == .id { marks.append("key") }
    if field.isRequired { marks.append("required") }
    if field.isUnique { marks.append("unique") }
    if field.type.isOwned { marks.append("owned") }
    return """
          <tr><td port="\(field.name)" align="left">\(name)</td>\
      <td align="left"><font color="\(pale)">\(field.typeLabel)</font></td>\
      <td port="\(field.name).end" align="left">\(marks.isEmpty ? "" : small(marks.joined(separator: ", ")))</td></tr>

      """
  }

  private static func small(_ text: String) -> String {
    "<font color=\"\(pale)\" point-size=\"9\">\(text)</font>"
  }

  private static func edge(
    from field: Field, of schema: Schema, among schemas: [Schema]
  ) -> String {
    guard let relation = field.type.relation else { return "" }
    let marks = RelationCardinality(field, relation)
    let color = lineColor(relation.onDelete)
    if relation.target == schema.name { return loop(field, of: schema, marks, color) }
    let target = schemas.first { $0.name == relation.target }
    // An edge starts on the right of the field's row and ends on the left of the target's primary
    // key.
    let end = target.map { "\"\($0.name)\":\"\($0.key.name)\":w" }
    return """
        "\(schema.name)":"\(field.name).end":e -> \(end ?? "\"\(relation.target)\"") \
      [arrowtail=\(arrow(marks.source)), arrowhead=\(arrow(marks.target)), color="\(color)"];

      """
  }

  /// Returns DOT code for a relation from a schema to itself: a point to the right of the table,
  /// and two edges between the table and the point. Graphviz would draw a single edge from the
  /// table to itself across other tables, but it keeps other tables away from a point.
  private static func loop(
    _ field: Field, of schema: Schema, _ marks: RelationCardinality, _ color: String
  ) -> String {
    let point = "\"\(schema.name).\(field.name)\""
    let isBelowKey = schema.fields.firstIndex(of: field) ?? 0 > schema.keySlot
    func half(_ name: String, _ side: String, _ mark: RelationCardinality.Count) -> String {
      """
        "\(schema.name)":"\(name).end":e -> \(point):\(side) \
      [dir=back, arrowtail=\(arrow(mark)), color="\(color)"];

      """
    }
    return """
        \(point) [shape=point, width=0.05, color="\(color)", label=""];

      """ + half(field.name, isBelowKey ? "s" : "n", marks.source)
        + half(schema.key.name, isBelowKey ? "n" : "s", marks.target)
  }

  private static func arrow(_ count: RelationCardinality.Count) -> String {
    switch count {
    case .one: "noneteetee"
    case .atMostOne: "noneteeodot"
    case .any: "crowodot"
    }
  }
}

extension String {
  /// The text with quotes and backslashes escaped, for a quoted string in DOT.
  fileprivate var escapedForDOT: String {
    var escaped = ""
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}
