package import DataModel

/// The file that declares a schema: `todo.json`.
package enum SchemaFile {
  /// Reads a file into a draft and reports everything that is wrong with it, each with its line.
  ///
  /// Whether the schema holds together, `Schema(checking:)` says.
  package static func read(
    _ bytes: [UInt8], file: String? = nil
  ) throws(DataError) -> SchemaDraft {
    let node = try JSONNode.read(bytes, file: file, code: .invalidSchema)
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
    SchemaFileWriter(schema).text()
  }
}
