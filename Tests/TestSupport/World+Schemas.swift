import DataModel

extension SampleData {
  /// Returns schemas that refer to each other, with a random subset of their fields.
  static func catalog(_ random: inout SeededRandom) throws(DataError) -> Catalog {
    let towns = draft("town", townFields, &random)
    let items = draft("item", itemFields, &random)
    var users = draft("user", [Field("town", .relation(Relation(to: "town")))], &random)
    users.kind = .user
    users.fields[0].field.name = "username"
    users.fields.append(.init(Field("password", .password)))
    return try Catalog(
      checking: [
        try Schema(checking: towns), try Schema(checking: users), try Schema(checking: items),
      ])
  }

  private static var townFields: [Field] {
    [
      Field("name", .text), Field("population", .integer), Field("place", .geopoint),
      Field("mayor", .relation(Relation(to: "user"))),
      Field("items", .relation(Relation(to: "item", isMany: true))),
    ]
  }

  private static var itemFields: [Field] {
    [
      Field("title", .text), Field("like", .text), Field("stock", .integer),
      Field("least_stock", .integer), Field("price", .number), Field("done", .boolean),
      Field("due", .datetime), Field("place", .geopoint), Field("photo", .file),
      Field("details", .json), Field("owner", .relation(Relation(to: "user"))),
      Field("town", .relation(Relation(to: "town"))),
      Field("parent", .relation(Relation(to: "item"))),
      Field("parts", .relation(Relation(to: "item", isMany: true))),
      Field("towns", .relation(Relation(to: "town", isMany: true))),
      Field("tags", .array(.text)), Field("sizes", .array(.integer)),
      Field("weights", .array(.number)), Field("flags", .array(.boolean)),
      Field("times", .array(.datetime)),
    ]
  }

  private static func draft(
    _ name: String, _ fields: [Field], _ random: inout SeededRandom
  ) -> SchemaDraft {
    var draft = SchemaDraft(name: name)
    draft.fields = [.init(Field("\(name)_id", .id))]
    for field in fields.shuffled(using: &random) where random.chance(75) {
      draft.fields.append(.init(field))
    }
    return draft
  }
}
