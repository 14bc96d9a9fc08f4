/// A model type that specifies the name of its schema.
///
/// By default, the name of the schema is derived from the name of the type: values of `BlogPost`
/// are records of the schema `blog_post`. Conform to this protocol to use a different schema:
///
/// ```swift
/// struct Article: Codable, Sendable, Recorded {
///   static let schema = "blog_post"
///   var blogPostID: RecordID
/// }
/// ```
public protocol Recorded {
  /// The name of the schema.
  static var schema: String { get }
}

/// Determines the names of the schemas of model types.
enum TypeNames {
  /// Returns the name of a type's schema. This is the name that the type specifies with `Recorded`,
  /// or a name derived from the type's own name.
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
