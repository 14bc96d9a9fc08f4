/// The commands that every program has: `help` and `completion`.
struct BuiltInCommands {
  let program: String
  let exitStatuses: @Sendable () -> [ExitStatus]

  private var statuses: [ExitStatus] { exitStatuses().filter { $0.code == 0 || $0.code == 2 } }

  func help<Action>() -> CommandDeclaration<Request<Action>> {
    CommandDeclaration(
      HelpCommand.self, "help", "Print help for a command or a topic.",
      discussion: [
        """
        Prints help for a command or a topic, or an overview of all commands. `\(program) COMMAND \
        --help` prints the same page as `\(program) help COMMAND`.
        """
      ],
      inputs: [
        .operands(
          "NAME", \.names, kind: .command, "A command, which can have two words, or a topic."),
        .flag(
          "--json", \.isJSON,
          "Print all commands, options and topics as JSON, or only the command or topic NAME."),
      ],
      examples: [
        Example("\(program) help", "Print an overview."),
        Example("\(program) help help", "Print this page."),
        Example("\(program) help --json", "Print all help as JSON, for other programs."),
        Example("\(program) help help --json", "Print only this command as JSON."),
      ],
      exitStatuses: statuses, seeAlso: ["completion"])
  }

  func completion<Action>() -> CommandDeclaration<Request<Action>> {
    CommandDeclaration(
      CompletionCommand.self, "completion", "Print a shell completion script.",
      discussion: [
        """
        Prints a script with which a shell completes commands, options and names. The script runs \
        `\(program)` to get the completions, so it also works with later versions.
        """,
        .heading("Installation"),
        .list([
          "bash: add `source <(\(program) completion bash)` to `~/.bashrc`",
          "zsh: add `source <(\(program) completion zsh)` to `~/.zshrc`, below `compinit`",
          "fish: write the script to `~/.config/fish/completions/\(program).fish`",
        ]),
      ],
      inputs: [.choiceOperand("SHELL", \.shell, "The shell that will run the script.")],
      examples: [
        Example("\(program) completion bash", "Print the script for bash."),
        Example(
          "\(program) completion fish > \(program).fish", "Write the script for fish to a file."),
      ],
      exitStatuses: statuses, seeAlso: ["help"])
  }
}

/// The command `help`. The parser interprets its names before it looks up a command.
private struct HelpCommand<Action: Sendable>: BoundCommand {
  var names: [String] = []
  var isJSON = false

  var action: Request<Action> { isJSON ? .helpJSON(.program) : .help(.program) }
}

private struct CompletionCommand<Action: Sendable>: BoundCommand {
  var shell = Shell.bash

  var action: Request<Action> { .completionScript(shell) }
}
