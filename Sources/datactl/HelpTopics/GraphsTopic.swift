import CommandSyntax

extension HelpTopics {
  static let graphs = Topic(
    "graphs", "Saving and printing records together with their related records.",
    manual: ManualName("datactl-graphs", section: 7),
    body: [
      """
      A tree is a record whose relations contain the related records instead of their ids. `save \
      --deep` reads trees, and `list --expand` and `get --expand` print them:
      """,
      .literal(
        """
        $ datactl schema create step text:text!
        Schema step created.
        $ datactl schema create person name:text!
        Schema person created.
        $ datactl schema create trip title:text! owner:person steps:step+
        Schema trip created.
        $ cat trips.json
        {"trip_id": "alps", "title": "Alps",
         "owner": {"person_id": "ann", "name": "Ann"},
         "steps": [{"step_id": "s1", "text": "Pack"}, {"text": "Go"}]}
        $ datactl save trip --deep --file trips.json -o none
        1 saved: 1 new (and 3 nested: 3 new)
        $ datactl list trip --expand owner,steps -o json |
            datactl save trip --deep -o none
        1 saved: 1 the same (and 3 nested: 3 the same)
        """),
      .heading("Values in a tree"),
      .definitions([
        Definition("a string, a number, a boolean", "the value of a field"),
        Definition("an object", "a record in a to-one relation, or a value in a `json` field"),
        Definition(
          "an array",
          """
          the values of an array field; records, ids or both in a to-many relation; or a value in \
          a `json` field
          """),
        Definition(
          "an object of objects",
          """
          a value in a `json` field; with a map, also the records of a to-many relation (see the \
          map `book` in Examples)
          """),
      ]),
      .heading("Nested records"),
      """
      Each object in a relation is saved as a record of the schema to which the relation refers. \
      A missing id is generated, except for users. If an object contains a `revision`, it must be \
      that of the stored record.
      """,
      """
      In the summary, the number of nested records is in parentheses. Each of them is counted \
      once. Records that are only referred to by their ids are not counted.
      """,
      """
      `-o diff` also prints what changes in nested records. Their lines begin with the key \
      `schema`, and come before the line of the outer record. Here, the outer record does not \
      change:
      """,
      .literal(
        """
        $ echo '{"trip_id":"alps","owner":{"person_id":"ann","name":"Anna"}}' |
            datactl save trip --deep -o diff | jq -c '{schema, changes}'
        {"schema":"person","changes":{"name":["Ann","Anna"]}}
        1 saved: 1 the same (and 1 nested: 1 changed)
        """),
      "These rules apply to nested records:",
      .list([
        """
        Nested records are created or changed, also with `--create` and `--replace`, which apply \
        only to the outer records. With `--update`, a nested record that does not exist is an \
        error.
        """,
        """
        An object that contains only an id refers to a record without changing it. With such \
        objects, records can refer to each other in a cycle.
        """,
        """
        Without a map, an object without an id always creates a record. If the same tree is saved \
        again, another record is created.
        """,
        "`--deep` deletes nothing. A record that is removed from a list remains in the store.",
      ]),
      .heading("Records that occur several times"),
      """
      A record can occur several times in a tree, with the same keys and values, or only with its \
      id. If the values differ, the command fails, and the error shows both locations. In \
      different trees, the values can differ: those in the later tree replace the earlier ones.
      """,
      """
      If a record occurs twice with `{"$add": 1}` in the same field, 2 is added to the field.
      """,
      .heading("Errors"),
      """
      All errors of a tree are reported, each with its line and the path of the value. In a path, \
      `$` means the outer record. With `--errors json`, the key `path` contains the path.
      """,
      .literal("datactl: other.json:3: $.steps[1].text: required"),
      .heading("Limits"),
      """
      A tree has at most 32 levels, of which the outer record is the first. `--expand` follows \
      paths of at most three relations. The memory that `save --deep` needs grows slowly with the \
      number of trees: 200,000 trees of three records need about 70 MB.
      """,
      .heading("Trees that are partly invalid"),
      """
      With `--skip-invalid`, a tree is saved or skipped as a whole. With `--rejects FILE`, the \
      whole skipped tree is written to the file, with the errors of all its records.
      """,
      """
      With `--commit-every N`, the command commits after N trees, and never between the records of \
      a tree.
      """,
      .heading("Examples"),
    ] + graphExamples,
    seeAlso: ["save", "list", "get", "maps", "schema-files"])
}
