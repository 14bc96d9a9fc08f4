import CommandSyntax

extension HelpTopics {
  static let agents = Topic(
    "agents", "Driving datactl from another program.",
    manual: ManualName("datactl-agents", section: 7),
    body: [
      """
      This page is for programs that run datactl, such as scripts, CI jobs and assistants. It says \
      what they can rely on, and which options spare them parsing text.
      """,
      .definitions([
        Definition(
          "Data and messages",
          """
          Only data is printed on standard output. Errors, summaries and warnings are printed on \
          standard error. `--quiet` omits everything there but errors.
          """),
        Definition(
          "Formats",
          """
          On a terminal, the default format is a table. In a pipe, it is JSON or NDJSON. \
          `-o ndjson` prints one record per line, `-o json` an array, `-o ids` only ids, and \
          `-o none` nothing. See `datactl help formats`.
          """),
        Definition(
          "Errors",
          """
          With `--errors json`, or `DATACTL_ERRORS=json`, each error is a JSON object on a line of \
          its own. Its `code` never changes; its `message` and `hint` are sentences, which may.
          """),
        Definition(
          "Exit statuses",
          """
          0 means that everything was done. 3 means that there is no such record, 5 a conflict \
          with stored data, 6 invalid data, 7 that the store could not be used. A command that \
          exits with 2 has done nothing. See `datactl help exit-codes`.
          """),
        Definition(
          "Questions",
          """
          datactl asks only if standard input and standard error are terminals. Without a \
          terminal, a command that would have to ask fails with exit status 2 and names the \
          option, such as `--yes`.
          """),
        Definition(
          "What there is",
          """
          `datactl help --json` describes all commands and options, and \
          `datactl help COMMAND --json` describes one command. `datactl schema list -o json` lists \
          the schemas of the store, and `datactl schema show SCHEMA` prints one. Plugins are not \
          in the JSON: they are the programs `datactl-NAME` in the folders of `PATH`, which \
          `datactl help` lists.
          """),
      ]),
      .heading("Changing data safely"),
      """
      A command that changes records is one transaction. If it fails, nothing is changed, so it \
      can be repeated after the error is corrected.
      """,
      .definitions([
        Definition(
          "`--dry-run`",
          """
          reports the errors and the numbers of a `save`, `delete`, `batch` or `schema apply`, and \
          changes nothing
          """),
        Definition(
          "Ids of your own",
          """
          If the records contain their ids, a save that is repeated changes nothing: its summary \
          says `the same`. A record without an id becomes another record each time.
          """),
        Definition(
          "`revision`",
          """
          A record that is saved with the `revision` it was read with replaces no newer version: \
          the save fails with exit status 5 and the code `changed`. Read the record again, and \
          repeat the change.
          """),
        Definition(
          "`--create`, `--update`, `--replace`",
          "the save only creates records, or only changes them, or replaces them as a whole"),
        Definition(
          "Operations",
          """
          `stock+=2`, and `{"stock":{"$add":2}}` as input, change the value that is stored by then
          """),
        Definition(
          "`batch`",
          "changes to several schemas that belong together are one transaction"),
      ]),
      .heading("Examples"),
      "A test runs these examples in order, in a new store.",
      .literal(
        #"""
        $ datactl schema create item title:text! price:decimal:8,2 stock:integer
        Schema item created.
        $ datactl schema show item | jq -c '.fields.title'
        {"type":"text","required":true}
        $ cat items.ndjson
        {"item_id": "tea", "title": "Green tea", "price": "4.50", "stock": 12}
        {"item_id": "mug", "title": "Mug", "price": 8, "stock": 3}
        $ datactl save item --file items.ndjson --dry-run -o none
        2 would be saved: 2 new
        $ datactl save item --file items.ndjson -o none
        2 saved: 2 new
        $ datactl save item --file items.ndjson -o none
        2 saved: 2 the same
        $ datactl get item coffee --errors json 2>&1 | jq -r .code
        not_found
        $ datactl save item tea stock=11 revision=7 --errors json 2>&1 |
            jq -r .code
        changed
        $ echo '{"item_id": "pot"}' | datactl save item --errors json 2>&1 |
            jq -c '[.code, .field]'
        ["invalid","title"]
        $ datactl save item tea stock-=2 --quiet | jq -c '[.stock, .revision]'
        [10,2]
        $ datactl list item --where 'stock < :least' --param least=5 -o ids
        mug
        $ datactl delete item --where 'stock < 5' --errors json 2>&1 |
            jq -r .hint
        pass --yes
        """#),
    ],
    seeAlso: ["exit-codes", "formats", "environment"])
}
