import Conditions
import DataModel
import SchemaText
import Testing

@Suite("Access rules in schema files")
struct AccessRuleTests {
  private let user = """
    {
      "schema": "user",
      "kind": "user",
      "fields": {
        "username": {"type": "id"},
        "password": {"type": "password"},
        "roles": {"type": "[text]"}
      },
      "roles": "roles",
      "access": {
        "read": "users",
        "update": "username = :user"
      }
    }

    """
  private let note = """
    {
      "schema": "note",
      "fields": {
        "note_id": {"type": "id"},
        "public": {"type": "boolean"},
        "text": {"type": "text", "access": {"read": ["users", "role:staff"], "write": "role:staff"}},
        "owner": {"type": "relation", "to": "user"},
        "members": {"type": "relation", "to": "user", "many": true}
      },
      "access": {
        "read": ["public = true or members contains :user", "role:staff"],
        "create": "users",
        "history": []
      }
    }

    """

  private func schema(_ text: String) throws -> Schema {
    try Schema(checking: try SchemaFile.read(Array(text.utf8)))
  }

  private func problems(_ text: String) -> [String] {
    do {
      return AccessConditions.problems(of: try Catalog(checking: [schema(user), schema(text)])).map
      {
        $0.message + ($0.hint.map { " (\($0.split(separator: "\n").last ?? ""))" } ?? "")
      }
    } catch let error as DataError {
      return error.problems.map(\.message)
    } catch {
      return ["\(error)"]
    }
  }

  private func problems(_ old: String, _ new: String) -> [String] {
    problems(note.replacing(old, with: new))
  }

  @Test("reads and writes access rules without changing them")
  func roundTrip() throws {
    for text in [user, note] { #expect(SchemaFile.text(try schema(text)) == text) }
    #expect(problems(note) == [])
    let read = try #require(try schema(note).access[.read])
    #expect(read.last == .role("staff"))
  }

  @Test("reports invalid access rules")
  func invalid() {
    #expect(
      problems("\"create\"", "\"creat\"") == ["\"access\" has no key \"creat\""])
    #expect(
      problems("\"users\",\n    \"history", "\"user\",\n    \"history")
        == ["access.create: note has no field user (did you mean users?)"])
    #expect(
      problems("\"history\": []", "\"history\": \"public\"")
        == ["access.history: expected anyone, users or role:NAME, found \"public\""])
    #expect(
      problems("\"write\": \"role:staff\"", "\"write\": \"public\"")
        == ["access.write: expected anyone, users or role:NAME, found \"public\""])
    #expect(
      problems("\"write\": \"role:staff\"", "\"write\": \"anyone\"")
        == ["access: everyone who may write the field must also be able to read it"])
    #expect(
      problems("role:staff\"],\n", "role:\"],\n")
        == ["access.read: expected the name of a role after \"role:\", found \"\""])
    #expect(problems("\"create\": \"users\"", "\"create\": 3").count == 1)
    #expect(
      problems("\"history\"", "\"update\": \"text = :me\", \"history\"")
        == [
          "access.update: an access rule has no parameter :me (:user is the id of the acting user)"
        ])
    #expect(problems("\"history\"", "\"update\": \"public = :user\", \"history\"").count == 1)
    let long = (0...50).map { "text = '\($0)'" }.joined(separator: " or ")
    #expect(
      problems("\"history\"", "\"update\": \"\(long)\", \"history\"")
        == ["access.update: 51 comparisons in a rule; the limit is 50 (write several rules)"])
    #expect(
      problems("\"access\": {\n    \"read", "\"roles\": \"text\", \"access\": {\n    \"read").count
        == 1)
  }

  @Test("a condition with :user selects no records, even under `not`, when no user is logged in")
  func anonymous() throws {
    let catalog = try Catalog(checking: [schema(user), schema(note)])
    let schema = try #require(catalog["note"])
    func condition(_ text: String) throws -> Condition {
      try AccessConditions.condition(text, of: schema, in: catalog, user: nil, now: .earliest)
    }
    for text in [
      "owner = :user", "owner != :user", "not (owner = :user)", "not not owner = :user",
      "no members (username = :user)", "not any members (username = :user)",
      "all members (username != :user)", "not all members (username = :user)",
      "members contains :user", "members not contains :user", "owner in ('a', :user)",
      "not (owner != :user)",
    ] {
      #expect(try condition(text).normalized.isNeverTrue, "\(text)")
    }
    #expect(
      try condition("public = true or owner = :user").normalized
        == condition("public = true").normalized)
    #expect(
      try condition("not (public = true and owner = :user)").normalized
        == condition("public != true").normalized)
  }
}

extension NormalizedCondition {
  /// Whether the condition is false for every record.
  fileprivate var isNeverTrue: Bool {
    switch self {
    case .constant(let isTrue): !isTrue
    case .meets(.any(_, let inner)): inner.normalized.isNeverTrue
    case .meets, .fails: false
    case .every(let parts): parts.contains(where: \.isNeverTrue)
    case .some(let parts): parts.allSatisfy(\.isNeverTrue)
    }
  }
}
