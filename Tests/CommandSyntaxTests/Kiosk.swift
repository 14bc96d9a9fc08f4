import CommandSyntax

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
    environment: [EnvironmentVariable("KIOSK", "where it stands")],
    exitStatuses: [ExitStatus(0, "done"), ExitStatus(2, "wrong line")],
    topics: [
      Topic("coins", "Coins.", manual: ManualName("kiosk-coins", section: 5), body: ["Round."])
    ])
}
