import Conditions
public import DataModel
import Testing

/// The schemas of most condition tests and a condition reader for them.
struct Shop {
  static let now: Timestamp = "2026-11-20T12:00:00Z"

  let catalog: Catalog
  let todo: Schema

  init() throws {
    catalog = try Catalog(checking: [
      try Schema(checking: Self.todoDraft),
      try Schema(
        checking: Self.draft("step", [Field("title", .text), Field("count", .integer)])),
      try Schema(checking: Self.userDraft),
    ])
    todo = try catalog.schema("todo")
  }

  private static var todoDraft: SchemaDraft {
    var draft = draft(
      "todo",
      [
        Field("title", .text), Field("note", .text), Field("done", .boolean),
        Field("due", .datetime), Field("day", .date),
        Field("days", .array(.date)), Field("priority", .integer), Field("price", .number),
        Field("place", .geopoint), Field("photo", .file), Field("details", .json),
        Field("tags", .array(.text)), Field("sizes", .array(.integer)),
        Field("owner", .relation(Relation(to: "user"))),
        Field("steps", .relation(Relation(to: "step", isMany: true))),
        Field("parent", .relation(Relation(to: "todo"))), Field("in", .text),
        Field("story_points", .integer),
      ])
    draft.properties = [.init("assignee", field: "owner")]
    return draft
  }

  private static var userDraft: SchemaDraft {
    var draft = draft("user", [Field("full_name", .text), Field("home", .geopoint)])
    draft.kind = .user
    draft.fields[0] = .init(Field("username", .id))
    draft.fields.append(.init(Field("password", .password)))
    return draft
  }

  private static func draft(_ name: String, _ fields: [Field]) -> SchemaDraft {
    var draft = SchemaDraft(name: name)
    draft.fields = [.init(Field("\(name)_id", .id))] + fields.map { .init($0) }
    return draft
  }

  func reader(
    _ parameters: [String: String] = [:], zone: TimeZoneRules? = nil
  ) -> ConditionReader {
    ConditionReader(
      catalog, now: Self.now, zone: zone,
      parameters: ConditionParameters(parameters.mapValues(ConditionParameters.Argument.text)))
  }

  func condition(
    _ text: String, _ parameters: [String: String] = [:], alias: String? = nil
  ) throws -> Condition {
    var reader = reader(parameters)
    return try reader.read(text, of: todo, alias: alias)
  }

  /// Returns the errors of a condition as a terminal shows them, or nil if it is valid.
  func errorText(_ text: String, _ parameters: [String: String] = [:]) -> String? {
    do throws(DataError) {
      var reader = reader(parameters)
      _ = try reader.read(text, of: todo)
      return nil
    } catch {
      return error.problems.map(\.shown).joined(separator: "\n")
    }
  }
}

extension Problem {
  /// The message with the hint on the next line.
  var shown: String { message + (hint.map { "\n" + $0 } ?? "") }
}

extension Timestamp: ExpressibleByStringLiteral {
  public init(stringLiteral text: String) {
    do {
      try self.init(parsing: text.utf8.span)
    } catch {
      preconditionFailure("a test wrote no datetime: \(text)")
    }
  }
}
