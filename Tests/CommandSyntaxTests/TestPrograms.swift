import CommandSyntax

/// A small program that declares every kind of input.
enum Shop {
  enum Format: String, CaseIterable, Sendable {
    case json, table
  }

  struct Settings: Equatable, Sendable {
    var store: String?
    var errors: Format?
    var isQuiet = false
    var isVerbose = false
  }

  enum Action: Equatable, Sendable {
    case list(
      schema: String, assignments: [String], order: String?, limit: Int, fields: [String],
      format: Format?, count: Bool)
    case save(
      schema: String, id: String?, assignments: [String], create: Bool, update: Bool, skip: Bool,
      rejects: String?)
    case delete(schema: String, ids: [String], all: Bool, revision: Int?)
    case move(from: [String], to: String, reason: String, mode: Format)
    case create(name: String, user: Bool)
    case load(folder: String)
  }

  static let done = ExitStatus(0, "all that was asked was done")
  static let usage = ExitStatus(2, "the command line is wrong")
  static let missing = ExitStatus(3, "there is no such record")

  static let program = ProgramDeclaration<Settings, Action>(
    "shop", version: "1.2.3", "Keep a small shop.",
    discussion: ["Everything that the shop sells is a record. Try `shop list tea` first."],
    settings: Inputs(
      .option("--store", value: "ADDRESS", kind: .store, "Where the records live."),
      .choice("--errors", value: "FORM", of: Format.allCases, "How errors are printed."),
      .flag("--quiet", letter: "q", "Print nothing but errors."),
      .flag("--verbose", letter: "v", "Say what is being done.")
    ) { store, errors, quiet, verbose in
      Settings(store: store, errors: errors, isQuiet: quiet, isVerbose: verbose)
    },
    rules: [.atMostOne(["--quiet", "--verbose"])],
    commands: [
      .command("list", list), .command("save", save), .command("delete", delete),
      .command("move", move),
      .group(
        "schema",
        GroupDeclaration(
          "schema", "Describe what the shop sells.",
          discussion: ["A schema is a kind of record."],
          commands: [create, load], seeAlso: ["formats"])),
    ],
    environment: [
      EnvironmentVariable("SHOP_STORE", "the store, if `--store` is not there")
    ],
    exitStatuses: [done, usage, missing],
    topics: [formats])

  static let list = CommandDeclaration<Action>(
    "list", "Print records.",
    discussion: [
      """
      Prints all records of a schema, or those whose fields have the values given. Without \
      `--order` they come in the order of their ids.
      """,
      .definitions([Definition("FIELD=VALUE", "the field has this value")]),
    ],
    inputs:
      .operand("SCHEMA", kind: .schema, "The kind of record."),
    .operands("FIELD=VALUE", kind: .assignment, "What the records have in common."),
    .option(
      "--order", value: "FIELDS", kind: .fields,
      "Sort by these fields; a - before a field sorts downwards."),
    .integer(
      "--limit", letter: "l", value: "N", in: 0...100, default: 20,
      "Print at most so many."),
    .repeatedOption("--field", letter: "f", value: "FIELD", kind: .field, "Print this field too."),
    .choice("--output", letter: "o", value: "FORMAT", of: Format.allCases, "How to print."),
    .flag("--count", letter: "c", "Print only how many there are."),
    rules: [.atMostOne(["--count", "--output"])],
    examples: [
      Example("shop list tea", "Print all tea."),
      Example("shop list tea green=true --order -price", "Print green tea, dearest first."),
    ],
    exitStatuses: [done, usage], seeAlso: ["save", "formats"]
  ) { schema, assignments, order, limit, fields, format, count in
    .list(
      schema: schema, assignments: assignments, order: order, limit: limit, fields: fields,
      format: format, count: count)
  }

  static let save = CommandDeclaration<Action>(
    "save", "Save a record.",
    inputs:
      .operand("SCHEMA", kind: .schema, "The kind of record."),
    .optionalOperand("ID", kind: .id, "The record's id."),
    .operands("FIELD=VALUE", kind: .assignment, "What the record has."),
    .flag("--create", "Refuse an id that is there."),
    .flag("--update", "Refuse an id that is not there."),
    .flag("--skip-invalid", "Save the valid records."),
    .option("--rejects", value: "FILE", kind: .file, "Where invalid records go."),
    rules: [.atMostOne(["--create", "--update"]), .needs("--rejects", "--skip-invalid")],
    examples: [
      Example("shop save tea price=4", "Save a new tea."),
      Example("shop save tea 7 price=5", "Change the price of one."),
    ],
    exitStatuses: [done, usage, missing], seeAlso: ["list"]
  ) { schema, id, assignments, create, update, skip, rejects in
    .save(
      schema: schema, id: id, assignments: assignments, create: create, update: update,
      skip: skip, rejects: rejects)
  }

  static let delete = CommandDeclaration<Action>(
    "delete", "Delete records.",
    usages: ["SCHEMA ID…", "SCHEMA --all"],
    discussion: [
      "Deletes one or more records.",
      .heading("Revisions"),
      "A record has another revision after each change.",
    ],
    inputs:
      .operand("SCHEMA", kind: .schema, "The kind of record."),
    .operands("ID", kind: .id, "The records' ids."),
    .flag("--all", "Delete them all."),
    .integer("--revision", value: "N", in: 1...Int.max, "Delete only this revision."),
    rules: [.exactlyOne(["ID", "--all"]), .atMostOne(["--all", "--revision"])],
    examples: [
      Example("shop delete tea 7", "Delete one record."),
      Example("shop delete tea --all", "Delete all tea."),
    ],
    exitStatuses: [done, usage, missing]
  ) { schema, ids, all, revision throws(UsageError) in
    if revision != nil, ids.count > 1 {
      throw UsageError("--revision needs a single ID", hint: "delete one record at a time")
    }
    return .delete(schema: schema, ids: ids, all: all, revision: revision)
  }

  static let move = CommandDeclaration<Action>(
    "move", "Move records to another shelf.",
    inputs:
      .operands("ID", kind: .id, atLeast: 1, "The records' ids."),
    .operand("SHELF", "The shelf."),
    .requiredOption("--reason", letter: "r", value: "TEXT", "Why they move."),
    .choice(
      "--mode", value: "MODE", of: [.table, .json], default: Format.table, "How they move."),
    examples: [
      Example("shop move 7 top --reason light", "Move one record."),
      Example("shop move 7 9 top --reason light", "Move two."),
    ],
    exitStatuses: [done, usage]
  ) { ids, shelf, reason, mode in
    .move(from: ids, to: shelf, reason: reason, mode: mode)
  }

  static let create = CommandDeclaration<Action>(
    "create", "Create a schema.",
    inputs:
      Input.operand("NAME", "The schema's name.").map { name throws(UsageError) in
        guard name != "user" else { throw UsageError("NAME: user is taken") }
        return name.uppercased()
      },
    .flag("--user", "Make it the user schema."),
    examples: [
      Example("shop schema create tea", "Create a schema."),
      Example("shop schema create guest --user", "Create the schema of those who log in."),
    ],
    exitStatuses: [done, usage], seeAlso: ["schema load"]
  ) { name, user in
    .create(name: name, user: user)
  }

  static let load = CommandDeclaration<Action>(
    "load", "Load schemas from a folder.",
    inputs:
      .operand("FOLDER", kind: .folder, "The folder."),
    examples: [
      Example("shop schema load schemas", "Load a folder."),
      Example("shop schema load -- -odd", "Load one with an odd name."),
    ],
    exitStatuses: [done, usage]
  ) { folder in
    .load(folder: folder)
  }

  static let formats = Topic(
    "formats", "How records are printed.", manual: ManualName("shop-formats", section: 7),
    body: [
      "Records are printed in the form that `--output` names.",
      .heading("Forms"),
      .table(
        header: ["form", "for"],
        rows: [["json", "other programs"], ["table", "people who sit before a terminal"]]),
      .definitions([Definition("a very long term of several words", "and what it means")]),
      .list(["the first point", "the second point"]),
      .literal(".tea\n  'green\\tea'\n"),
    ],
    seeAlso: ["list"])

  /// Returns the name that shares the longest prefix and suffix with a word.
  static let nearest: @Sendable (String, [String]) -> String? = { word, names in
    func similarity(_ name: String) -> Int {
      zip(word, name).prefix { $0 == $1 }.count
        + zip(word.reversed(), name.reversed()).prefix { $0 == $1 }.count
    }
    return names.filter { similarity($0) * 2 >= $0.count }.max { similarity($0) < similarity($1) }
  }

  static func parse(_ line: String...) -> ParsedLine<Settings, Action> {
    program.parse(line, nearest: nearest)
  }
}

/// A minimal program with a command, a group and a topic.
enum MinimalProgram {
  static let program = ProgramDeclaration<Void, String>(
    "kiosk", version: "0.1.0", "Sell \"things\".",
    settings: Inputs(make: {}),
    commands: [
      .group(
        "till",
        GroupDeclaration(
          "till", "Handle the till.",
          commands: [
            CommandDeclaration(
              "open", "Open the till.",
              inputs:
                .operands("NOTE", atLeast: 1, "Why."),
              .integer("--float", letter: "f", value: "N", in: 0...9, default: 3, "Coins `in` it."),
              .flag("--loud", "Ring a bell."),
              .flag("--soft", "Ring none."),
              rules: [
                .atMostOne(["--loud", "--soft"]), .exactlyOne(["--float", "--loud"]),
                .needs("--soft", "--float"),
              ],
              examples: [Example("kiosk till open lunch", "Open it at noon.")],
              exitStatuses: [ExitStatus(0, "it is open")]
            ) { notes, _, _, _ in notes.joined() }
          ]))
    ],
    environment: [EnvironmentVariable("KIOSK", "where it is")],
    exitStatuses: [ExitStatus(0, "done"), ExitStatus(2, "wrong line")],
    topics: [
      Topic("coins", "Coins.", manual: ManualName("kiosk-coins", section: 5), body: ["Round."])
    ])
}
