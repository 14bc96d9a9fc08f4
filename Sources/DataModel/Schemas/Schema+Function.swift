extension Schema {
  /// The kind of record that stored functions are. Every store has it, and nobody declares it.
  package static let function = Schema(
    name: functionName, doc: "A stored query, which programs run by its id.", kind: .records,
    fields: [
      Field("function_id", .id, doc: "The id by which programs run it."),
      Field("function_name", .text, doc: "A label."),
      Field(
        "function_type", .text,
        doc: "SQLiteQuery or RDSQuery, which are equivalent; optional."),
      Field("item_type", .text, isRequired: true, doc: "The schema of the returned records."),
      Field(
        "function", .json, isRequired: true,
        doc:
          "The query: selectCore, tableAlias, containsWhere, orderedBy, segmentedBy, faultBlocks."
      ),
      Field("extra", .json, doc: "Any other JSON."),
    ],
    indexes: [], properties: [], keySlot: 0)

  /// What the schema of stored functions is called.
  static let functionName = "function"

  /// Whether it is one that every store has and nobody declares.
  package var isBuiltIn: Bool { name == Schema.functionName }
}
