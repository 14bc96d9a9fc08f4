extension Schema {
  /// The built-in schema of stored functions, which every store has and which cannot be declared.
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

  /// The name of the schema of stored functions.
  static let functionName = "function"

  /// Whether the schema is built in instead of declared.
  package var isBuiltIn: Bool { name == Schema.functionName }
}
