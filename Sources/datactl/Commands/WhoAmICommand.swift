package import CommandSyntax
import DataModel

/// `datactl whoami`: says who acts, where, and until when.
struct WhoAmICommand: Command {
  let format: SentenceFormat?

  static let declaration = CommandDeclaration<any Command>(
    "whoami", "Say as whom commands act, where, and until when.",
    discussion: [
      "Without a session the exit status is 4."
    ],
    inputs:
      .choice(
        "--output", letter: "o", value: "FORMAT", of: SentenceFormat.allCases,
        "Print a sentence, or one JSON object."),
    examples: [
      Example("datactl whoami", "Say it in a sentence."),
      Example("datactl whoami -o json | jq -r .user", "Print the user's id."),
    ],
    exitStatuses: [.done, .usage, .forbidden, .store],
    seeAlso: ["login", "logout"]
  ) { format in
    WhoAmICommand(format: format)
  }
}
