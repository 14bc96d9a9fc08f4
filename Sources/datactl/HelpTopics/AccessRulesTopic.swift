import CommandSyntax

extension HelpTopics {
  static let accessRules = Topic(
    "access-rules", "Rules that say which users may read and change records.",
    manual: ManualName("datactl-access-rules", section: 7),
    body: [
      """
      The access rules of a schema say which users may read, create, change and delete its \
      records. The key `access` of the schema file contains the rules:
      """,
      .literal(
        #"""
        {"schema": "purchase",
         "fields": {"purchase_id": {"type": "id"},
                    "customer": {"type": "relation", "to": "user"}},
         "access": {"read": ["customer = :user", "role:staff"],
                    "create": "customer = :user",
                    "update": "role:staff"}}
        """#),
      """
      With these rules, users may create purchases for themselves and read their own purchases. \
      Users with the role `staff` may read and change all purchases. No rule allows deletion, so \
      only administrators may delete purchases.
      """,
      """
      The rules take effect with `datactl schema apply`, like every change of a schema file.
      """,
      .heading("Administrators"),
      """
      The rules do not apply to administrators: users with the role `admin`, and everyone who can \
      open the file or the database of the store.
      """,
      """
      The rules apply to all other callers of a server (see `datactl help server`), including \
      those who are not logged in. In Swift, `client.acting(as:)` returns a client to which the \
      rules for a user apply.
      """,
      .heading("Rules"),
      """
      There are five operations: `read`, `create`, `update`, `delete` and `history`. For each \
      operation, `access` can contain a rule or a list of rules. If there are several rules, one \
      that allows the operation is enough. An operation without rules is reserved for \
      administrators.
      """,
      """
      A rule is one of these:
      """,
      .definitions([
        Definition("anyone", "allows all callers, including those who are not logged in"),
        Definition("users", "allows all users who are logged in"),
        Definition("role:NAME", "allows the users with the role NAME"),
        Definition(
          "a condition",
          """
          allows all callers, including those who are not logged in, if the record matches the \
          condition, such as `published = true`
          """),
      ]),
      """
      `history` means reading earlier versions of a record. No command prints earlier versions, so \
      rules for `history` affect only the answers of `datactl access`. A rule for `history` cannot \
      be a condition.
      """,
      .heading("Conditions"),
      """
      In a condition, `:user` is the id of the user. The condition `owner = :user` therefore \
      allows only users who are logged in.
      """,
      """
      For callers who are not logged in, a comparison with `:user` is never true, even after \
      `not`: for them, `owner = :user` and `not owner = :user` are both false.
      """,
      """
      A condition can use records and fields that the user may not read. In a rule, it can contain \
      at most 50 comparisons, and each path can follow at most 4 relations. `datactl help \
      conditions` describes the syntax.
      """,
      .heading("Roles"),
      """
      Users can have roles, such as `staff`. The roles of a user are in a field of type `[text]` \
      of the user schema. The key `roles` of this schema contains the name of the field. Only \
      administrators can change this field.
      """,
      """
      A condition cannot contain `role:NAME`, but a path to the roles. With this rule, only users \
      with the role `customer` may create records, and only their own:
      """,
      .literal(
        #"""
        "create": "owner = :user and owner.roles contains 'customer'"
        """#),
      .heading("Disabled users"),
      """
      The key `disabled` of the user schema contains the name of a `boolean` field. If the field is \
      true, the user cannot log in, and has no access. A save that makes it true ends all sessions \
      of the user in the same transaction. Null means false. Only administrators can change this \
      field:
      """,
      .literal(
        """
        $ datactl save user cora disabled=true -o none
        $ datactl save user --where "company = 'acme'" disabled=true
        """),
      .heading("Owners"),
      """
      With the default `:user`, a field of a new record contains the user who creates it (see \
      `datactl help schema-files`). A rule such as `owner = :user` for `update` then lets the users \
      change their own records. To prevent them from giving another owner, restrict writing of the \
      field:
      """,
      .literal(
        #"""
        "owner": {"type": "relation", "to": "user", "default": ":user",
                  "access": {"write": "role:admin"}}
        """#),
      .heading("Rules of a field"),
      """
      A field can have rules for reading its value and for changing it:
      """,
      .literal(
        #"""
        "note": {"type": "text",
                 "access": {"read": "role:staff", "write": "role:staff"}}
        """#),
      """
      These rules can be `anyone`, `users` or `role:NAME`, but not conditions. If a user may not \
      read a field, the field does not exist for this user.
      """,
      """
      If a user may not write a field, changing its value is an error. In a record that this user \
      creates, the field has its default.
      """,
      .heading("Hidden records"),
      """
      If a user may not read a record, the record does not exist for this user. The record is not \
      in any list, count or group. A relation to the record still shows its id, but paths through \
      this relation, such as `customer.name`, are null.
      """,
      .heading("Changes of records"),
      """
      A condition must match these records:
      """,
      .definitions([
        Definition("create", "the new record"),
        Definition("delete", "the stored record"),
        Definition("update", "both the stored record and the changed record"),
      ]),
      .heading("Examples"),
      """
      A shop has customers and staff. Customers may create and read their own purchases, and \
      delete them until they are sent. Staff may read and change all purchases. Only staff may \
      read the notes:
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
        $ datactl access sam update purchase p1
        yes: sam may update purchase p1
          role:staff: yes
        $ datactl access cora read purchase p1
        yes: cora may read purchase p1
          customer = :user: yes
          role:staff: no
        """#),
    ],
    seeAlso: ["access", "schema-files", "conditions", "login"])
}
