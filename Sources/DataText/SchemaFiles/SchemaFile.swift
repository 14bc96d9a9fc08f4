package import DataModel

/// The file that declares a schema: `todo.json`.
package enum SchemaFile {
  /// Reads a file into a draft and reports everything that is wrong with it, each with its line.
  ///
  /// Whether the schema holds together, `Schema(checking:)` says.
  package static func read(
    _ bytes: [UInt8], file: String? = nil
  ) throws(DataError) -> SchemaDraft {
    try draft(of: try JSONNode.read(bytes, file: file, code: .invalidSchema), in: bytes, file: file)
  }

  /// Reads all the schemas that stand in a text one after the other, as `schema export` prints them.
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

  /// Reads the schema that stands in a larger text.
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

  /// The one form in which datactl writes a schema.
  package static func text(_ schema: Schema) -> String {
    text(DeclaredSchema(schema))
  }

  /// The same form, with the names that the schema and its fields had before.
  package static func text(_ declared: DeclaredSchema) -> String {
    SchemaFileWriter(declared).text()
  }
}
