import ProgramHarness

/// A store with users and access rules.
///
/// The users are `ann` and `bob`, `eve` with the role `staff`, and the administrator `root`. Each
/// note belongs to a user. Everyone may read public notes, and users their own. Only staff may read
/// the field `price`. Only administrators may read `vault`.
extension TestFolder {
  static let shopSchemas = """
    {"schema": "user", "kind": "user", "roles": "roles",
     "fields": {"user_id": {"type": "id"}, "password": {"type": "password"},
       "roles": {"type": "[text]"}},
     "access": {"read": "users", "create": "anyone", "update": "user_id = :user"}}
    {"schema": "note",
     "fields": {"note_id": {"type": "id"}, "title": {"type": "text"}, "public": {"type": "boolean"},
       "count": {"type": "integer"}, "owner": {"type": "relation", "to": "user"},
       "price": {"type": "number", "access": {"read": "role:staff", "write": "role:staff"}},
       "photo": {"type": "file"}},
     "access": {"read": ["public = true", "owner = :user", "role:staff"], "create": "owner = :user",
       "update": ["owner = :user", "role:staff"], "delete": "owner = :user"}}
    {"schema": "vault", "fields": {"vault_id": {"type": "id"}, "code": {"type": "text"}}}

    """

  func saveShop() throws {
    try prepare("schema", "apply", "-", input: .text(Self.shopSchemas))
    for user in ["ann", "bob", "eve", "root"] {
      try prepare("save", "user", user, "password@=-", "-o", "none", input: .text("canary99"))
    }
    try prepare("save", "user", "eve", "roles+=staff", "-o", "none")
    try prepare("save", "user", "root", "roles+=admin", "-o", "none")
    try prepare(
      "save", "note", "-o", "none",
      input: .text(
        """
        {"note_id":"pub","title":"public","public":true,"count":1,"owner":"ann","price":9.5}
        {"note_id":"anns","title":"private","public":false,"count":2,"owner":"ann","price":8.5}
        {"note_id":"bobs","title":"hidden","public":false,"count":3,"owner":"bob","price":7.5}

        """))
    try prepare("save", "vault", "v1", "code=4711", "-o", "none")
  }
}
