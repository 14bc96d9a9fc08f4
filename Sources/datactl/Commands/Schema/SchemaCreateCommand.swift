import ClientCore
import CommandSyntax
import DataModel
import DataStore
import SchemaText

/// `datactl schema create`: creates a schema from fields given on the command line.
struct SchemaCreateCommand: DeclaredCommand {
  var name = ""
  var fields: [String] = []
  var isUser = false
  var change = SchemaChangeOptions()

  static let declaration = CommandDeclaration(
    SchemaCreateCommand.self, "create", "Create a schema with the given fields.",
    discussion: [
      """
      Creates a schema with the given fields and a primary key. The primary key is named after the \
      schema, such as `todo_id`. If the store does not exist, it is created.
      """,
      .heading("Fields"),
      "A field is given as FIELD:TYPE. TYPE is a type or, for a relation, the name of a schema:",
      .definitions([
        Definition("title:text", "a text field"),
        Definition("title:text!", "a required text field"),
        Definition("tags:text+", "an array of strings"),
        Definition("owner:user", "a to-one relation to the schema `user`"),
        Definition(
          "order:order:lines",
          "a to-one relation to the schema `order`, whose inverse is called `lines`"),
        Definition(
          "order:order:lines:owned",
          """
          the same relation, with which an order owns its lines (see `datactl help schema-files`)
          """),
        Definition("steps:step+", "a to-many relation to the schema `step`"),
      ]),
      """
      To declare rules such as `max` or `one_of`, write a schema file, and apply it with `schema \
      apply`. `datactl schema types` prints all types.
      """,
    ],
    inputs: [
      .operand("NAME", \.name, "The name of the schema."),
      .operands(
        "FIELD:TYPE", \.fields, kind: .declaration(types: FieldShorthand.types),
        "The fields of the schema."),
      .flag(
        "--user", \.isUser,
        """
        Create the schema of the users who can log in. It gets the primary key `username` and the \
        field `password`, unless you give a field of type `id` or `password`, such as `email:id`.
        """),
      .group(\.change, SchemaChangeOptions.inputs),
    ],
    examples: [
      Example(
        "datactl schema create todo title:text! done:boolean due:datetime tags:text+",
        "Create a schema with four fields."),
      Example(
        "datactl schema create node title:text! parent:node:children:owned",
        "Create a tree, in which each node owns its children."),
      Example(
        "datactl schema create user email:text --user",
        "Create the schema of users who can log in."),
    ],
    exitStatuses: [
      .done, .failed, .usageOfOptions, .schemaNotFound, .forbidden, .schemaConflict, .invalid,
      .store,
      .interrupted, .terminated,
    ],
    seeAlso: ["schema apply", "schema types", "schema-files"])
}

extension SchemaCreateCommand {
  func run(with context: CommandContext) async throws {
    let draft = try FieldShorthand.draft(schema: name, fields, kind: isUser ? .user : .records)
    let schema = try Schema(checking: draft)
    let client = try await context.open(for: .writing, wait: change.wait)
    try await change.apply(
      on: client, with: context, reporting: "Schema \(name) created."
    ) { stored throws(DataError) in
      guard stored.catalog[name] == nil else {
        throw DataError(
          Problem(
            .exists, "the schema already exists",
            hint: "to add fields, edit the schema file and run datactl schema apply", schema: name))
      }
      try checkTargets(of: schema, in: stored.catalog)
      return try SchemaPlan(from: stored, to: [schema], reading: .partial)
    }
  }

  /// Throws an error if a relation refers to a schema that does not exist. This can happen because
  /// a misspelled type is parsed as the name of a schema.
  private func checkTargets(of schema: Schema, in catalog: Catalog) throws(DataError) {
    let names = catalog.schemas.map(\.name) + [schema.name]
    let problems = schema.fields.compactMap { field -> Problem? in
      guard let target = field.type.relation?.target, !names.contains(target) else { return nil }
      let near = FieldType.hint(for: target, among: names + FieldType.names)
      return Problem(
        .usage, "\(field.name):\(target): there is no type or schema \(target)",
        hint: near ?? "see datactl schema types",
        schema: schema.name, field: field.name)
    }
    if let error = DataError(problems) { throw error }
  }
}
