import CommandSyntax

/// A small program that declares every kind of input.
enum Shop {
  enum Format: String, CaseIterable, Sendable {
    case json, table
  }

  struct Settings: BoundInputs, Equatable {
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
    settings: [
      .option("--store", \.store, value: "ADDRESS", kind: .store, "Where the records live."),
      .choice("--errors", \.errors, value: "FORM", "How errors are printed."),
      .flag("--quiet", letter: "q", \.isQuiet, "Print nothing but errors."),
      .flag("--verbose", letter: "v", \.isVerbose, "Say what is being done."),
    ],
    rules: [.atMostOne(["--quiet", "--verbose"])],
    commands: [
      .command("list", List.declaration), .command("save", Save.declaration),
      .command("delete", Delete.declaration), .command("move", Move.declaration),
      .group(
        "schema",
        GroupDeclaration(
          "schema", "Describe what the shop sells.",
          discussion: ["A schema is a kind of record."],
          commands: [Create.declaration, Load.declaration], seeAlso: ["formats"])),
    ],
    environment: [
      EnvironmentVariable("SHOP_STORE", "the store, if `--store` is not there")
    ],
    exitStatuses: [done, usage, missing],
    topics: [formats])

  struct List: BoundCommand {
    var schema = ""
    var assignments: [String] = []
    var order: String?
    var limit = 20
    var fields: [String] = []
    var format: Format?
    var isCount = false

    var action: Action {
      .list(
        schema: schema, assignments: assignments, order: order, limit: limit, fields: fields,
        format: format, count: isCount)
    }

    static let declaration = CommandDeclaration(
      List.self, "list", "Print records.",
      discussion: [
        """
        Prints all records of a schema, or those whose fields have the values given. Without \
        `--order` they come in the order of their ids.
        """,
        .definitions([Definition("FIELD=VALUE", "the field has this value")]),
      ],
      inputs: [
        .operand("SCHEMA", \.schema, kind: .schema, "The kind of record."),
        .operands(
          "FIELD=VALUE", \.assignments, kind: .assignment, "What the records have in common."),
        .option(
          "--order", \.order, value: "FIELDS", kind: .fields,
          "Sort by these fields; a - before a field sorts downwards."),
        .integer(
          "--limit", letter: "l", \.limit, value: "N", in: 0...100, "Print at most so many."),
        .repeatedOption(
          "--field", letter: "f", \.fields, value: "FIELD", kind: .field, "Print this field too."),
        .choice("--output", letter: "o", \.format, value: "FORMAT", "How to print."),
        .flag("--count", letter: "c", \.isCount, "Print only how many there are."),
      ],
      rules: [.atMostOne(["--count", "--output"]), .excludes("--order", ["--field", "--count"])],
      examples: [
        Example("shop list tea", "Print all tea."),
        Example("shop list tea green=true --order -price", "Print green tea, dearest first."),
      ],
      exitStatuses: [done, usage], seeAlso: ["save", "formats"])
  }

  struct Save: BoundCommand {
    struct Mode: Sendable {
      var isCreate = false
      var isUpdate = false

      static let inputs: [Input<Self>] = [
        .flag("--create", \.isCreate, "Refuse an id that is there."),
        .flag("--update", \.isUpdate, "Refuse an id that is not there."),
      ]
    }

    var schema = ""
    var id: String?
    var assignments: [String] = []
    var mode = Mode()
    var skipsInvalid = false
    var rejects: String?

    var action: Action {
      .save(
        schema: schema, id: id, assignments: assignments, create: mode.isCreate,
        update: mode.isUpdate, skip: skipsInvalid, rejects: rejects)
    }

    static let declaration = CommandDeclaration(
      Save.self, "save", "Save a record.",
      inputs: [
        .operand("SCHEMA", \.schema, kind: .schema, "The kind of record."),
        .optionalOperand("ID", \.id, kind: .id, "The record's id."),
        .operands("FIELD=VALUE", \.assignments, kind: .assignment, "What the record has."),
        .group(\.mode, Mode.inputs),
        .flag("--skip-invalid", \.skipsInvalid, "Save the valid records."),
        .option("--rejects", \.rejects, value: "FILE", kind: .file, "Where invalid records go."),
      ],
      rules: [.atMostOne(["--create", "--update"]), .needs("--rejects", "--skip-invalid")],
      examples: [
        Example("shop save tea price=4", "Save a new tea."),
        Example("shop save tea 7 price=5", "Change the price of one."),
      ],
      exitStatuses: [done, usage, missing], seeAlso: ["list"])
  }

  struct Delete: BoundCommand {
    var schema = ""
    var ids: [String] = []
    var isAll = false
    var revision: Int?

    var action: Action {
      .delete(schema: schema, ids: ids, all: isAll, revision: revision)
    }

    func validate() throws(UsageError) {
      if revision != nil, ids.count > 1 {
        throw UsageError("--revision needs a single ID", hint: "delete one record at a time")
      }
    }

    static let declaration = CommandDeclaration(
      Delete.self, "delete", "Delete records.",
      usages: ["SCHEMA ID…", "SCHEMA --all"],
      discussion: [
        "Deletes one or more records.",
        .heading("Revisions"),
        "A record has another revision after each change.",
      ],
      inputs: [
        .operand("SCHEMA", \.schema, kind: .schema, "The kind of record."),
        .operands("ID", \.ids, kind: .id, "The records' ids."),
        .flag("--all", \.isAll, "Delete them all."),
        .integer(
          "--revision", \.revision, value: "N", in: 1...Int.max, "Delete only this revision."),
      ],
      rules: [.exactlyOne(["ID", "--all"]), .atMostOne(["--all", "--revision"])],
      examples: [
        Example("shop delete tea 7", "Delete one record."),
        Example("shop delete tea --all", "Delete all tea."),
      ],
      exitStatuses: [done, usage, missing])
  }

  struct Move: BoundCommand {
    var ids: [String] = []
    var shelf = ""
    var reason = ""
    var mode = Format.table

    var action: Action {
      .move(from: ids, to: shelf, reason: reason, mode: mode)
    }

    static let declaration = CommandDeclaration(
      Move.self, "move", "Move records to another shelf.",
      inputs: [
        .operands("ID", \.ids, kind: .id, atLeast: 1, "The records' ids."),
        .operand("SHELF", \.shelf, "The shelf."),
        .requiredOption("--reason", letter: "r", \.reason, value: "TEXT", "Why they move."),
        .choice("--mode", \.mode, value: "MODE", of: [.table, .json], "How they move."),
      ],
      examples: [
        Example("shop move 7 top --reason light", "Move one record."),
        Example("shop move 7 9 top --reason light", "Move two."),
      ],
      exitStatuses: [done, usage])
  }

  struct Create: BoundCommand {
    var name = ""
    var isUser = false

    var action: Action {
      .create(name: name, user: isUser)
    }

    mutating func validate() throws(UsageError) {
      guard name != "user" else { throw UsageError("NAME: user is taken") }
      name = name.uppercased()
    }

    static let declaration = CommandDeclaration(
      Create.self, "create", "Create a schema.",
      inputs: [
        .operand("NAME", \.name, "The schema's name."),
        .flag("--user", \.isUser, "Make it the user schema."),
      ],
      examples: [
        Example("shop schema create tea", "Create a schema."),
        Example("shop schema create guest --user", "Create the schema of those who log in."),
      ],
      exitStatuses: [done, usage], seeAlso: ["schema load"])
  }

  struct Load: BoundCommand {
    var folder = ""

    var action: Action {
      .load(folder: folder)
    }

    static let declaration = CommandDeclaration(
      Load.self, "load", "Load schemas from a folder.",
      inputs: [.operand("FOLDER", \.folder, kind: .folder, "The folder.")],
      examples: [
        Example("shop schema load schemas", "Load a folder."),
        Example("shop schema load -- -odd", "Load one with an odd name."),
      ],
      exitStatuses: [done, usage])
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

/// The settings of programs that have no global options.
struct NoSettings: BoundInputs {}

/// A minimal program with a command, a group and a topic.
enum MinimalProgram {
  private struct Open: BoundCommand {
    var notes: [String] = []
    var coins = 3
    var isLoud = false
    var isSoft = false

    var action: String { notes.joined() }
  }

  static let program = ProgramDeclaration<NoSettings, String>(
    "kiosk", version: "0.1.0", "Sell \"things\".",
    commands: [
      .group(
        "till",
        GroupDeclaration(
          "till", "Handle the till.",
          commands: [
            CommandDeclaration(
              Open.self, "open", "Open the till.",
              inputs: [
                .operands("NOTE", \.notes, atLeast: 1, "Why."),
                .integer("--float", letter: "f", \.coins, value: "N", in: 0...9, "Coins `in` it."),
                .flag("--loud", \.isLoud, "Ring a bell."),
                .flag("--soft", \.isSoft, "Ring none."),
              ],
              rules: [
                .atMostOne(["--loud", "--soft"]), .exactlyOne(["--float", "--loud"]),
                .needs("--soft", "--float"),
              ],
              examples: [Example("kiosk till open lunch", "Open it at noon.")],
              exitStatuses: [ExitStatus(0, "it is open")])
          ]))
    ],
    environment: [EnvironmentVariable("KIOSK", "where it is")],
    exitStatuses: [ExitStatus(0, "done"), ExitStatus(2, "wrong line")],
    topics: [
      Topic("coins", "Coins.", manual: ManualName("kiosk-coins", section: 5), body: ["Round."])
    ])
}
