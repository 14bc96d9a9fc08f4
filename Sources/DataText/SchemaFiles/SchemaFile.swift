package import DataModel

/// Parses and serializes schema files, such as `todo.json`.
package enum SchemaFile {
  /// Parses a file into a draft.
  ///
  /// This checks the syntax only; `Schema(checking:)` validates the schema.
  ///
  /// - Throws: All problems of the file, each with its line.
  package static func read(
    _ bytes: [UInt8], file: String? = nil
  ) throws(DataError) -> SchemaDraft {
    try draft(of: try JSONNode.read(bytes, file: file, code: .invalidSchema), in: bytes, file: file)
  }

  /// Parses a sequence of schemas in one text, as printed by `schema export`.
  package static func readAll(
    _ bytes: [UInt8], file: String? = nil
  ) throws(DataError) -> [SchemaDraft] {
    var problems: [Problem] = []
    var drafts: [SchemaDraft] = []
    for node in try JSONNode.readAll(bytes, file: file, code: .invalidSchema) {
      do throws(DataError) {
        drafts.append(try draft(of: node, in: bytes, file: file))
      } catch {
        problems += error.problems
      }
    }
    if let error = DataError(problems) { throw error }
    return drafts
  }

  /// Parses a schema that is part of a larger text.
  package static func draft(
    of node: JSONNode, in bytes: [UInt8], file: String?
  ) throws(DataError) -> SchemaDraft {
    var reader = SchemaFileReader(bytes, file: file)
    reader.read(node)
    guard var error = DataError(reader.problems) else { return reader.draft }
    if reader.isTyped {
      do throws(DataError) {
        _ = try Schema(checking: reader.draft)
      } catch let more {
        for problem in more.problems { error.add(problem) }
      }
    }
    throw error
  }

  /// Serializes a schema in the canonical format.
  package static func text(_ schema: Schema) -> String {
    text(DeclaredSchema(schema))
  }

  /// Serializes a schema in the canonical format, with the previous names of the schema and its
  /// fields.
  package static func text(_ declared: DeclaredSchema) -> String {
    SchemaFileWriter(declared).text()
  }
}
