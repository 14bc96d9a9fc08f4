/// A model type that names its schema.
///
/// Conform to it only if the default does not apply: by default the values of `BlogPost` belong to
/// the schema `blog_post`.
public protocol Recorded {
  /// The name of the schema.
  static var schema: String { get }
}

/// Derives the names of schemas from model types.
enum TypeNames {
  /// Returns the schema of a type: the one that it names, or the one derived from the type's name.
  static func schema(of type: any Any.Type) throws(DataError) -> String {
    if let recorded = type as? any Recorded.Type { return recorded.schema }
    let name = "\(type)"
    guard let schema = Names.suggested(for: name, as: .schema),
      Names.isValid(schema, as: .schema)
    else {
      throw DataError(
        .usage, "cannot derive a schema name from the type \(name)",
        hint: "conform to Recorded and declare the name of its schema")
    }
    return schema
  }
}
