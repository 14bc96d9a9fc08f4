import ClientCore
import DataModel
import DataServer
import SchemaText

/// The formats in which schemas are exported (`schema export --format`).
enum SchemaFormat: String, CaseIterable, Sendable {
  case json
  case sql
  case jsonSchema = "jsonschema"
  case openAPI = "openapi"
  case swift
  case typeScript = "typescript"
  case markdown
  case mermaid
  case dot
  case meta

  /// A description of the format for use in the help.
  var summary: String {
    switch self {
    case .json: "schema files, which `schema apply` can read"
    case .sql:
      """
      the SQL statements that create the tables, for the engine of the store or the engine given \
      by `--engine`
      """
    case .jsonSchema:
      """
      a JSON Schema (2020-12) with three definitions for each schema. For example, `todo` \
      describes the printed records, `todo.new` describes a record to create, and `todo.change` \
      describes a change
      """
    case .openAPI:
      """
      an OpenAPI document (3.1) of the API that `datactl serve` provides for the schemas (see \
      `datactl help api`)
      """
    case .swift: "Swift types for programs that use the library DataClient"
    case .typeScript: "TypeScript types for records in JSON"
    case .markdown: "documentation in Markdown, with a table for each schema"
    case .mermaid: "a diagram in the Mermaid format"
    case .dot: "a diagram in the Graphviz format"
    case .meta: "the JSON Schema of schema files, for use in editors. It does not require a store"
    }
  }

  /// Returns the schemas in this format, with a newline at the end.
  func text(
    of declared: [DeclaredSchema], engine: TableEngine?, for program: any CommandProgram
  ) throws(DataError) -> String {
    let schemas = declared.map(\.schema)
    switch self {
    case .json: return declared.map(SchemaFile.text).joined()
    case .sql:
      guard let engine else {
        throw DataError(
          .usage, "cannot export SQL, because the store has no tables",
          hint: "pass an engine: --engine sqlite")
      }
      return engine.definition(of: schemas)
    case .jsonSchema: return JSONSchemaExport.text(schemas)
    case .openAPI:
      var text = ""
      try OpenAPIDocument(schemas, program, hasMethods: false).write { text += $0 }
      return text
    case .swift: return SwiftExport.text(schemas)
    case .typeScript: return TypeScriptExport.text(schemas)
    case .markdown: return MarkdownExport.text(schemas)
    case .mermaid: return MermaidExport.text(schemas)
    case .dot: return DOTExport.text(schemas)
    case .meta: return MetaSchemaExport.text
    }
  }

  /// Returns the file name and the text of the schema file for each schema.
  static func files(of schemas: [DeclaredSchema]) -> [(name: String, text: String)] {
    schemas.map { ("\($0.schema.name).json", SchemaFile.text($0)) }
  }
}
