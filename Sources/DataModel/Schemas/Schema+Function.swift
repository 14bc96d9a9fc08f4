extension Schema {
  /// The built-in schema of stored functions, which every store has and which cannot be declared.
  package static let function = Schema(
    name: functionName, doc: "A stored question, which programs ask by its name.", kind: .records,
    fields: [
      Field("function_id", .id, doc: "What programs name."),
      Field("function_name", .text, doc: "A label."),
      Field(
        "function_type", .text,
        doc: "SQLiteQuery or RDSQuery, which mean the same; it may be missing."),
      Field("item_type", .text, isRequired: true, doc: "The schema of the records that it gives."),
      Field(
        "function", .json, isRequired: true,
        doc:
          "The question: selectCore, tableAlias, containsWhere, orderedBy, segmentedBy, faultBlocks."
      ),
      Field("extra", .json, doc: "Whatever else belongs to it."),
    ],
    indexes: [], properties: [], keySlot: 0)

  /// The name of the schema of stored functions.
  static let functionName = "function"

  /// Whether the schema is built in instead of declared.
  package var isBuiltIn: Bool { name == Schema.functionName }
}
