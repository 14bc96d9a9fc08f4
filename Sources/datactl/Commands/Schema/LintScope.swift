import Conditions
import DataModel
import DataStore

/// What `schema lint` can check in some schema files. If single files were passed, other files may
/// declare schemas that these files refer to.
struct LintScope {
  /// The names of the schemas that relations can reference, or nil if not all of them are known.
  let targets: Set<String>?
  /// The changes of the schemas from the deployed ones to those in the files.
  let changes: SchemaChanges
  /// The deployed schemas that the files do not declare.
  let undeclared: [Schema]
  /// The schemas, or nil if not all of them are known or if some of them are invalid.
  private let catalog: Catalog?
  /// The names of the referenced schemas that other files may declare.
  private let missing: [String]
  /// The names of the schemas whose conditions in access rules are not checked. A name in such a
  /// condition may be the inverse of a relation that another file declares.
  private let uncheckedRules: [String]
  private let uncheckedNames: Set<String>

  /// Creates the scope of a check.
  ///
  /// - Parameter deployed: The schemas with which the files are compared (`--against`), or nil if
  ///   there are none.
  init(_ files: SchemaFiles, against deployed: [Schema]?) {
    let schemas = files.schemas.map(\.schema)
    let unread = files.invalidSchemaNames
    let targets = Set(schemas.map(\.name) + unread + (deployed ?? []).map(\.name))
    changes = SchemaChanges(from: deployed ?? [], to: files.schemas)
    undeclared = changes.undeclared(except: unread)
    let catalog = try? Catalog(checking: schemas + undeclared)
    guard files.reading == .partial, deployed == nil else {
      (self.targets, self.catalog, missing) = (targets, catalog, [])
      (uncheckedRules, uncheckedNames) = ([], [])
      return
    }
    let references = schemas.flatMap(\.fields).compactMap { $0.type.relation?.target }
    missing = Set(references).subtracting(targets).sorted()
    self.targets = missing.isEmpty ? targets : nil
    self.catalog = missing.isEmpty ? catalog : nil
    let isMissing = !missing.isEmpty
    uncheckedRules = schemas.filter { schema in
      guard !schema.conditions.isEmpty else { return false }
      return isMissing
        || catalog.map { AccessConditions.haveUnknownNames(schema, in: $0) } == true
    }.map(\.name)
    uncheckedNames = Set(uncheckedRules)
  }

  /// Returns the catalog against which the conditions in the access rules of the schema are
  /// checked, or nil if they cannot be checked.
  func catalog(for schema: Schema) -> Catalog? {
    uncheckedNames.contains(schema.name) ? nil : catalog
  }

  /// A line that says what is not checked, and how to check it. Nil if everything is checked.
  var omission: String? {
    var parts: [String] = []
    if !missing.isEmpty { parts.append("relations to \(missing.joined(separator: ", "))") }
    if !uncheckedRules.isEmpty {
      parts.append(
        "conditions of access rules in \(uncheckedRules.joined(separator: ", "))")
    }
    guard !parts.isEmpty else { return nil }
    let remedy = missing.isEmpty ? "the folder" : "all files or the folder"
    return "not checked: \(parts.joined(separator: ", and ")), because other files may declare "
      + "what they refer to; to check them, pass \(remedy)"
  }
}
