import TestSupport
import Testing
import datactl

@Suite("access")
struct AccessCommandTests {
  private static let user = #"""
    {"schema": "user", "kind": "user", "roles": "roles",
     "fields": {"username": {"type": "id"}, "password": {"type": "password"},
                "roles": {"type": "[text]"}},
     "access": {"read": "users"}}
    """#

  private static func note(_ read: String, _ update: String = #""role:staff""#) -> String {
    #"""
    {"schema": "note",
     "fields": {"note_id": {"type": "id"}, "owner": {"type": "relation", "to": "user"},
                "code": {"type": "text", "unique": true, "access": {"read": "role:staff"}}},
     "access": {
       "read": \#(read),
       "update": \#(update)}}
    """#
  }

  private func session(_ read: String, _ update: String = #""role:staff""#) throws -> TestSession {
    let session = try TestSession()
    try session.write("schemas/user.json", Self.user)
    try session.write("schemas/note.json", Self.note(read, update))
    return session
  }

  @Test("reports the line of an invalid access rule in schema plan, schema apply and schema lint")
  func invalidRules() async throws {
    let session = try session(#""ownr = :user""#, #"["users", "owner = :me"]"#)
    #expect(await session.run("schema create other name:text").status == 0)
    let errors = """
      datactl: schemas/note.json:5: note: access.read: note has no field ownr
        ownr = :user
        ^
        did you mean owner?
      datactl: schemas/note.json:6: note: access.update: an access rule has no parameter :me
        owner = :me
                ^
        :user is the id of the acting user

      """
    for command in [
      "schema plan schemas", "schema apply schemas", "schema apply --dry-run schemas",
    ] {
      let outcome = await session.run(command)
      #expect(outcome == Outcome(status: 6, output: "", errors: errors), "\(command)")
    }
    let linted = await session.run("schema lint schemas")
    #expect(linted.status == 1)
    #expect(linted.output.contains("schemas/note.json:5"))
    #expect(linted.output.contains("hidden-unique"))
  }

  @Test("prints whether the access rules allow an operation, and exits with 0 for yes and 1 for no")
  func decisions() async throws {
    let session = try session(#"["owner = :user", "role:staff"]"#)
    #expect(await session.run("schema apply schemas").status == 0)
    for user in ["ann", "bob", "sue", "ada"] {
      let roles = ["sue": "staff", "ada": "admin"][user].map { " roles+=\($0)" } ?? " roles:=[]"
      #expect(await session.run("save user \(user)\(roles)").status == 0)
    }
    #expect(await session.run("save note n owner=ann").status == 0)
    let cases = [
      (
        "access ann read note n", 0,
        "yes: ann may read note n\n  owner = :user: yes\n  role:staff: no\n"
      ),
      (
        "access bob read note n", 1,
        "no: bob may not read note n\n  owner = :user: no\n  role:staff: no\n"
      ),
      (
        "access sue read note n", 0,
        "yes: sue may read note n\n  owner = :user: no\n  role:staff: yes\n"
      ),
      (
        "access ada delete note n", 0,
        "yes: ada may delete note n\n  role:admin: an administrator\n"
      ),
      (
        "access bob update note n", 1,
        """
        no: bob may not update note n
          read: the record is hidden
          owner = :user: no
          role:staff: no

        """
      ),
      (
        "access ann delete note", 1,
        "no: ann may not delete any records of note\n  no rule, so only administrators may\n"
      ),
      (
        "access --anonymous read note", 1,
        "no: a caller who is not logged in may not read any records of note\n  owner = :user: no\n  role:staff: no\n"
      ),
    ]
    for (line, status, output) in cases {
      let outcome = await session.run(line)
      #expect(outcome.status == Int32(status), "\(line)")
      #expect(outcome.output == output, "\(line)")
    }
    #expect(await session.run("access eve read note").status == 3)
    #expect(await session.run("access ann red note").status == 2)
  }
}
