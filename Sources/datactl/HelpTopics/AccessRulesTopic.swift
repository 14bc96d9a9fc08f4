import CommandSyntax

extension HelpTopics {
  static let accessRules = Topic(
    "access-rules", "Access rules: who may read and change which records.",
    manual: ManualName("datactl-access-rules", section: 7),
    body: [
      """
      The access rules of a schema say what users may do with its records. They are a part of the \
      schema file, so they are kept in git, planned and applied like the fields. Swift programs \
      enforce them with `client.acting(as:)`, on any store. Everyone who can open the file or the \
      database directly is an administrator, and can do everything.
      """,
      .heading("Rules"),
      """
      The key `access` of a schema has a rule, or a list of rules, for each of `read`, `create`, \
      `update`, `delete` and `history`. A list grants what one of its rules grants. What no rule \
      grants is only for administrators. A rule is one of these:
      """,
      .definitions([
        Definition("anyone", "everyone, even without logging in"),
        Definition("users", "all users who are logged in"),
        Definition("role:NAME", "the users with the role NAME"),
        Definition(
          "a condition",
          """
          a condition on the record, in which `:user` is the id of the acting user, such as `owner \
          = :user`; see `datactl help conditions`. Not for `history`
          """),
      ]),
      """
      For a caller who is not logged in, every comparison with `:user` is false, and so is its negation. A \
      condition sees all records: no rule applies inside a rule. It can have at most 50 comparisons \
      and follow at most 4 relations.
      """,
      .heading("Roles"),
      """
      The key `roles` of the user schema names a field of type `[text]` that contains the roles of \
      a user. Only administrators write this field. Users with the role `admin` are administrators.
      """,
      .heading("Fields"),
      """
      A field can have rules too: `"access": {"read": "role:staff", "write": "role:staff"}`. They \
      are words, not conditions. A field that a user may not read is unknown to the user. A field that \
      a user may not write keeps its value, or gets its default in a new record.
      """,
      .heading("Hidden records"),
      """
      For a user, a record that the user may not read does not exist. It is in no list, count or group, \
      and in a path it is null. A relation to it still shows its id. `update` and `delete` are \
      checked against the stored record, and `create` and `update` also against the record as it is \
      saved.
      """,
      .heading("Examples"),
      """
      A shop has customers, staff and administrators. Customers see their own orders, staff see and \
      change all of them, and only staff see the notes:
      """,
      .literal(
        #"""
        $ cat user.json
        {"schema": "user", "kind": "user", "roles": "roles",
         "fields": {"username": {"type": "id"},
                    "password": {"type": "password"},
                    "roles": {"type": "[text]"}},
         "access": {"read": ["username = :user", "role:staff"]}}
        $ cat purchase.json
        {"schema": "purchase",
         "fields": {"purchase_id": {"type": "id"},
                    "item": {"type": "text", "required": true},
                    "customer": {"type": "relation", "to": "user"},
                    "sent": {"type": "boolean", "default": false,
                             "access": {"write": "role:staff"}},
                    "note": {"type": "text",
                             "access": {"read": "role:staff"}}},
         "access": {"read": ["customer = :user", "role:staff"],
                    "create": "customer = :user",
                    "update": "role:staff",
                    "delete": "customer = :user and sent = false"}}
        $ datactl schema apply user.json purchase.json
        create schema purchase
        create schema user
        $ datactl save user cora roles:='[]' -o none
        1 saved: 1 new
        $ datactl save user sam roles+=staff -o none
        1 saved: 1 new
        $ datactl save purchase p1 item=Tea customer=cora -o none
        1 saved: 1 new
        $ datactl access cora delete purchase p1
        yes: cora may delete purchase p1
          customer = :user and sent = false: yes
        $ datactl access sam update purchase
        yes: sam may update some records of purchase
          role:staff: yes
        $ datactl access --anonymous read purchase p1 2> problems || echo $?
        no: a caller who is not logged in may not read purchase p1
          customer = :user: no
          role:staff: no
        1
        """#),
    ],
    seeAlso: ["access", "schema-files", "conditions", "login"])
}
