import ClientCore
import CommandSyntax
import DataModel
import DataOutput
import DataStore

/// `datactl schema drop`: drops a schema and its records.
struct SchemaDropCommand: DeclaredCommand {
  var schemaName = ""
  var consent: String?
  var change = SchemaChangeOptions()

  static let declaration = CommandDeclaration(
    SchemaDropCommand.self, "drop", "Drop a schema and its records.",
    discussion: [
      """
      Drops a schema and its records. If the schema has records, the command asks you to type the \
      name of the schema, unless you pass `--allow-loss SCHEMA`.
      """,
      """
      In a script and with `--dry-run`, the command does not ask. If the schema has records, it \
      then fails without `--allow-loss`.
      """,
      "A schema cannot be dropped while another schema has a relation to it.",
    ],
    inputs: [
      .operand("SCHEMA", \.schemaName, kind: .schema, "The name of the schema."),
      .option(
        "--allow-loss", \.consent, value: "NAME", kind: .schema,
        "Allow the records of the schema to be lost. NAME must be the name of the schema."),
      .group(\.change, SchemaChangeOptions.inputs),
    ],
    examples: [
      Example("datactl schema drop draft", "Drop a schema without records."),
      Example("datactl schema drop todo --allow-loss todo", "Drop a schema with all its records."),
    ],
    exitStatuses: [
      .done, .failedOrDeclined, .usageOfOptions, .schemaNotFound, .forbidden, .schemaConflict,
      .store, .interrupted, .terminated,
    ],
    seeAlso: ["schema list", "delete"])
}

extension SchemaDropCommand {
  func validate() throws(UsageError) {
    guard let consent, consent != schemaName else { return }
    throw UsageError(
      "--allow-loss names \(EscapedWord(consent)), but SCHEMA is \(EscapedWord(schemaName))")
  }

  func run(with context: CommandContext) async throws {
    let client = try await context.open(for: .writing, wait: change.wait)
    let stored = try await context.catalog(of: client)
    let schema = try stored.catalog.schema(schemaName)
    _ = try SchemaPlan(dropping: [schemaName], from: stored)
    var consents = Set([consent].compactMap(\.self))
    if consents.isEmpty, try await isConfirmed(schema, client, context) {
      consents.insert(schemaName)
    }
    try await change.apply(
      on: client, with: context, consents: consents, reporting: "Schema \(schemaName) dropped."
    ) { stored throws(DataError) in
      try SchemaPlan(dropping: [schemaName], from: stored)
    }
  }

  /// Asks the user to confirm the loss of all records by typing the name of the schema.
  ///
  /// - Returns: True if the user typed the name. False if the schema has no records, so that no
  ///   confirmation is needed.
  /// - Throws: An error if the user typed something else, if the program cannot prompt, or in a dry
  ///   run.
  private func isConfirmed(
    _ schema: Schema, _ client: Client, _ context: CommandContext
  ) async throws -> Bool {
    let count = try await client.store.count(Query(schema, slots: [schema.keySlot]))
    if count == 0 { return false }
    let loss = "\(count.counted("record")) would be lost in \(client.address)"
    guard context.console.canPrompt, !change.isDryRun else {
      throw DataError(
        Problem(
          .loss, loss, hint: "pass --allow-loss \(schema.name)", schema: schema.name))
    }
    let answer = try context.console.ask(
      "\(schema.name): \(loss). Type the schema's name to continue: ")
    guard answer.utf8.elementsEqual(schema.name.utf8) else {
      throw DataError(
        .declined,
        "nothing was dropped in \(client.address): the name of the schema was not confirmed")
    }
    return true
  }
}
