/// A type of a program's own that says which schema its values belong to.
///
/// It is needed only where the rule does not lead there: the values of `BlogPost` belong to
/// `blog_post` without it.
public protocol Recorded {
  /// The name of the schema.
  static var schema: String { get }
}

/// Finds the schema of a program's own type.
enum TypeNames {
  /// The schema that a type's values belong to: what it says itself, or where the rule leads.
  static func schema(of type: any Any.Type) throws(DataError) -> String {
    if let recorded = type as? any Recorded.Type { return recorded.schema }
    let name = "\(type)"
    guard let schema = Names.suggested(for: name, as: .schema),
      Names.isValid(schema, as: .schema)
    else {
      throw DataError(
        .usage, "no schema can be named after the type \(name)",
        hint: "conform to Recorded and name its schema")
    }
    return schema
  }
}
