package import DataModel

/// Exports schemas as a Markdown page with a section and a table of fields for each schema.
package enum MarkdownExport {
  /// Returns a Markdown page that describes the schemas.
  package static func text(_ schemas: [Schema]) -> String {
    var blocks = ["# Data model"]
    if schemas.isEmpty {
      blocks.append("No schemas.")
    } else {
      blocks.append(
        schemas.map { schema in
          "- \(link(schema.name, in: schemas))"
            + (schema.doc.map { ": " + MarkdownText.plain(DocText.line($0)) } ?? "")
        }.joined(separator: "\n"))
    }
    for schema in schemas { blocks += section(schema, among: schemas) }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private static func section(_ schema: Schema, among schemas: [Schema]) -> [String] {
    var blocks = ["## \(schema.name)"]
    if let doc = schema.doc { blocks.append(MarkdownText.plain(DocText.line(doc))) }
    switch schema.kind {
    case .records: break
    case .user: blocks.append("Its records are the users who can log in.")
    }
    let rows = schema.fields.map { field in
      [
        MarkdownText.code(field.name), type(of: field, in: schemas), rules(of: field),
        MarkdownText.plain(DocText.line(field.doc ?? "")),
      ]
    }
    blocks.append(table(["Field", "Type", "Rules", "Meaning"], rows))
    if !schema.indexes.isEmpty {
      let indexes = schema.indexes.map { index in
        "- " + index.terms.map { MarkdownText.code($0.text) }.joined(separator: ", ")
      }
      blocks.append("Indexes:\n\n" + indexes.joined(separator: "\n"))
    }
    if !schema.properties.isEmpty {
      let rows = schema.properties.map {
        [MarkdownText.code($0.name), MarkdownText.code($0.field)]
      }
      blocks.append(table(["Property in programs", "Field"], rows))
    }
    let referring = schemas.flatMap { other in
      other.fields.filter { $0.type.relation?.target == schema.name }.map { field in
        "\(link(other.name, in: schemas)) (\(MarkdownText.code(field.name)))"
      }
    }
    if !referring.isEmpty {
      blocks.append("Referred to by \(referring.joined(separator: ", ")).")
    }
    return blocks
  }

  private static func table(_ header: [String], _ rows: [[String]]) -> String {
    ([header, header.map { _ in "---" }] + rows).map { row in
      "| " + row.joined(separator: " | ") + " |"
    }.joined(separator: "\n")
  }

  private static func link(_ name: String, in schemas: [Schema]) -> String {
    schemas.contains { $0.name == name }
      ? "[\(MarkdownText.plain(name))](#\(name))" : MarkdownText.code(name)
  }

  private static func type(of field: Field, in schemas: [Schema]) -> String {
    if field.type == .id { return "id, primary key" }
    if case .array(let element) = field.type { return "list of \(element.rawValue)" }
    guard let relation = field.type.relation else { return field.type.name }
    return (relation.isMany ? "many " : "") + link(relation.target, in: schemas)
  }

  private static func rules(of field: Field) -> String {
    field.rules.map { key, value in
      guard let value else { return key }
      if case .list(let values) = value, key == "one of" {
        return "one of " + values.map { MarkdownText.code($0.markdownText) }.joined(separator: ", ")
      }
      return "\(key) \(MarkdownText.code(value.markdownText))"
    }.joined(separator: ", ")
  }
}

extension Value {
  /// The value as the page shows it: text without quotes, and other values as in a schema file.
  fileprivate var markdownText: String {
    guard type?.descriptor.textForm == .quoted, self != .text("") else { return jsonText }
    return text
  }
}

/// Escapes text, so that Markdown renders it literally.
package enum MarkdownText {
  /// Escapes a line so that Markdown renders it literally.
  static func plain(_ line: String) -> String { quotingStart(of: escaped(line)) }

  /// Escapes a text so that Markdown renders it literally in the cell of a table.
  package static func cell(_ text: String) -> String {
    DocText.lines(text.replacing("\t", with: " ")).map { escaped($0, keepingInnerLowLines: true) }
      .joined(separator: "<br>")
  }

  /// Escapes the characters of a line that have a meaning in Markdown.
  ///
  /// - Parameter keepingInnerLowLines: Whether to leave `_` between letters or digits unescaped.
  ///   Newer Markdown dialects treat it as a literal character there.
  private static func escaped(_ line: String, keepingInnerLowLines: Bool = false) -> String {
    var escaped = ""
    let scalars = Array(line.unicodeScalars)
    func isInWord(_ index: Int) -> Bool {
      index > 0 && index + 1 < scalars.count
        && [scalars[index - 1], scalars[index + 1]].allSatisfy { scalar in
          scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        }
    }
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "_" where keepingInnerLowLines && isInWord(index): escaped += "_"
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "$", "!":
        escaped += "\\"
        escaped.unicodeScalars.append(scalar)
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns the text as inline code. Text with a backquote or `|` becomes an HTML `code` element,
  /// because HTML has entities for these characters.
  static func code(_ text: String) -> String {
    let line = Excerpt.escaped(text)
    let isPlain = !line.isEmpty && line == line.trimmed && !line.contains { "`|".contains($0) }
    if isPlain { return "`\(line)`" }
    var html = ""
    for scalar in DocText.html(line).unicodeScalars {
      switch scalar {
      case "`", "|", "*", "_", "\\", "[", "]", "~", "$": html += "&#\(scalar.value);"
      default: html.unicodeScalars.append(scalar)
      }
    }
    return "<code>\(html)</code>"
  }

  /// Escapes the start of a line so that Markdown does not treat the line as a list item, a heading
  /// or a horizontal rule.
  private static func quotingStart(of line: String) -> String {
    let text = line.drop { $0 == " " }
    guard let first = text.first else { return "" }
    if "-+=".contains(first) { return "\\" + text }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let rest = text.dropFirst(digits.count)
    if !digits.isEmpty, let mark = rest.first, mark == "." || mark == ")" {
      return digits + "\\" + rest
    }
    return String(text)
  }
}

extension String {
  fileprivate var trimmed: String {
    let tail = drop { $0 == " " }.reversed().drop { $0 == " " }
    return String(tail.reversed())
  }
}
