import CommandSyntax

extension HelpTopics {
  static let graphs = Topic(
    "graphs", "Saving and printing records together with their related records.",
    manual: ManualName("datactl-graphs", section: 7),
    body: [
      """
      An order and its lines are edited as one. The lines are parts of the order: they are *owned* \
      (see `datactl help schema-files`). Comments, messages and other records that many people add \
      are no parts: they need a relation with an `inverse` and `"on_delete": "cascade"`.
      """,
      .literal(
        """
        $ datactl schema create order customer:text
        Schema order created.
        $ datactl schema create line order:order:lines:owned product:text
        Schema line created.
        $ cat order.json
        {"order_id": "o1", "customer": "Ann",
         "lines": [{"line_id": "l1", "product": "tea"},
                   {"line_id": "l2", "product": "cup"}]}
        $ datactl save order --deep --file order.json -o none
        1 saved: 1 new (and 2 nested: 2 new)
        $ datactl get order o1 --expand lines -o json |
            jq '.lines |= [{"line_id":"l2","product":"mug"},{"product":"pot"}]' |
            datactl save order --deep -o none
        1 saved: 1 changed (and 3 nested: 1 new, 1 changed, 1 deleted)
        """),
      """
      The list of an order is whole: the line that it no longer names is deleted. The order gets a \
      new revision, so two people who edit the same order notice each other.
      """,
      .heading("Which relation to use"),
      .definitions([
        Definition(
          "parts of one record",
          """
          such as the lines of an order: an owned relation from the part to its owner. The parts \
          are edited and deleted with the owner
          """),
        Definition(
          "records that many people add",
          """
          such as comments: a relation with an `inverse` and `"on_delete": "cascade"`. They are \
          deleted with the other record, but do not change its revision
          """),
        Definition(
          "a record that several others use",
          "such as the customer of orders: a relation to it, with `many` for several records"),
        Definition(
          "values without an identity",
          "such as tags: an array. Objects that are never found by their values: a `json` field"),
      ]),
      .heading("Trees"),
      """
      A tree is a record whose relations contain the related records instead of their ids. `save \
      --deep` reads trees in JSON or XML, and `list --expand` and `get --expand` print them:
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
        $ datactl list trip --expand owner,steps |
            datactl save trip --deep -o none
        1 saved: 1 the same (and 3 nested: 3 the same)
        """),
      .heading("Values in a tree"),
      "The type of a field determines what a tree can contain in this field:",
      .definitions([
        Definition("to-one relation", "an object (a nested record) or an id"),
        Definition("to-many relation", "an array of objects, ids or both"),
        Definition(
          "inverse",
          "an array of objects, ids or both: the records that refer to this one (see Inverses)"),
        Definition("json field", "any JSON value; objects in it are not saved as records"),
        Definition("any other field", "the same values as without `--deep`"),
      ]),
      .heading("Nested records"),
      """
      Each object in a relation is saved as a record of the schema to which the relation refers. \
      These rules apply:
      """,
      .list([
        """
        If a nested record has no id, an id is generated. A second record is then created if the \
        same tree is saved again, unless a map (see Examples) or `save --infer --deep` (see \
        `datactl help schema infer`) derives the ids.
        """,
        "A user cannot be saved without an id.",
        """
        An object that contains only an id refers to a record without changing it. Records in a \
        tree can therefore refer to each other in a cycle.
        """,
        """
        `--create` and `--replace` apply only to the outer records. Nested records are created or \
        changed.
        """,
        "With `--update`, it is an error if a nested record does not exist.",
        "A nested record that is removed from its relation remains in the store.",
      ]),
      """
      In the summary, the number of nested records is in parentheses. `-o diff` also prints what \
      changes in nested records. The lines of nested records begin with the key `"schema"`, and \
      come before the line of the outer record, but those of the list of an inverse come after it. \
      In this example, the outer record does not change:
      """,
      .literal(
        """
        $ echo '{"trip_id":"alps","owner":{"person_id":"ann","name":"Anna"}}' |
            datactl save trip --deep -o diff | jq -c '{schema, changes}'
        {"schema":"person","changes":{"name":["Ann","Anna"]}}
        1 saved: 1 the same (and 1 nested: 1 changed)
        """),
      .heading("Inverses"),
      """
      The inverse of a relation (see `datactl help schema-files`) is a list of the records that \
      refer to the outer one. Each record in it gets the relation to the outer record; a different \
      value is an error. An id in the list names a record that then refers to the outer one, so it \
      moves there from another one. A record can be listed only once.
      """,
      """
      The list of an inverse that is not owned adds, changes and moves records, and leaves the \
      others alone.
      """,
      .heading("Parts"),
      "An owned list is whole: parts that it does not name are deleted, with their own parts.",
      .list([
        """
        A missing list leaves the parts alone, with `--replace` too. `[]` deletes all of them, and \
        null is an error.
        """,
        """
        Deletions come at the end of the command, so a part can move to another owner: what the \
        list of any owner names is kept. An input can contain the list of an owner only once.
        """,
        """
        With `--update`, parts can be added and removed. `--create` takes no part from another \
        owner. `--replace` also applies to the parts.
        """,
        """
        If the relation has a `position`, and the parts would be printed in another order than \
        that of the list, their positions become 1, 2, 3 and so on. `--expand` prints parts in the \
        order of their positions, and those without a position first.
        """,
        """
        Parts that the caller may not read are not deleted. If the caller may read a part but not \
        delete it, nothing is saved.
        """,
      ]),
      """
      `edit --expand` shows a record with its parts and saves them as one. Maps read and write the \
      lists of inverses (see `datactl help maps`), operations of a batch accept them with `"deep": \
      true`, and HTTP requests with `deep=true`.
      """,
      """
      If a part is created, changed, moved or deleted, in whatever way, its owner gets a new \
      `revision` at the end of the transaction, and so does the owner of the owner. \
      `--keep-system-fields`, `copy` and `restore` keep the revisions.
      """,
      .heading("Records that occur several times"),
      """
      A record can occur several times in a tree. All occurrences must have the same keys and \
      values, except those that contain only the id. If the values differ, the command fails, and \
      the error shows both locations.
      """,
      """
      In different trees, the values can differ: those in the later tree replace the earlier ones. \
      Records that contain `revision`, such as those of `list --expand`, are different: if a copy \
      in one tree changes the record, copies with other values in later trees are an error. So \
      make the same change in each copy.
      """,
      .heading("Limits"),
      """
      A tree has at most 32 levels, of which the outer record is the first. `--expand` follows \
      paths of at most three relations.
      """,
      .heading("Trees are saved as a whole"),
      """
      By default, all trees of the input are saved in one transaction. With `--skip-invalid`, each \
      tree is saved or skipped as a whole. With `--commit-every`, the command commits only between \
      trees.
      """,
      .heading("Examples"),
    ] + graphExamples,
    seeAlso: ["save", "list", "get", "maps", "schema-files"])
}
