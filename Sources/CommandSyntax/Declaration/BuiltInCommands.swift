/// The commands that every program has: `help` and `completion`.
struct BuiltInCommands {
  let program: String
  let exitStatuses: [ExitStatus]

  private var statuses: [ExitStatus] { exitStatuses.filter { $0.code == 0 || $0.code == 2 } }

  func help<Action>() -> CommandDeclaration<Request<Action>> {
    CommandDeclaration(
      "help", "Print help for a command or a topic.",
      discussion: [
        "`\(program) COMMAND --help` prints the same. Help looks at no store and no settings."
      ],
      inputs:
        .operands("NAME", kind: .command, "A command, as it is typed, or a topic."),
      .flag("--json", "Print the whole tree of commands, options and topics as JSON."),
      examples: [
        Example("\(program) help", "Print what the program can do."),
        Example("\(program) help help", "Print this page."),
        Example("\(program) help --json", "Print everything, for other programs to read."),
      ],
      exitStatuses: statuses, seeAlso: ["completion"]
    ) { _, json in
      json ? .helpJSON : .help(.program)
    }
  }

  func completion<Action>() -> CommandDeclaration<Request<Action>> {
    CommandDeclaration(
      "completion", "Print a script that completes commands in a shell.",
      discussion: [
        """
        The script asks `\(program)` itself for what can stand at a place, so it need not be \
        printed anew when the program changes.
        """,
        """
        For bash and zsh, put `source <(\(program) completion bash)`, with the shell's own name, \
        into `~/.bashrc` or, behind `compinit`, into `~/.zshrc`. For fish, write the script to \
        `~/.config/fish/completions/\(program).fish`.
        """,
      ],
      inputs:
        .choiceOperand("SHELL", of: Shell.allCases, "The shell that is to read the script."),
      examples: [
        Example("\(program) completion bash", "Print the script for bash."),
        Example(
          "\(program) completion fish > \(program).fish", "Keep the script for fish in a file."),
      ],
      exitStatuses: statuses, seeAlso: ["help"]
    ) { shell in
      .completionScript(shell)
    }
  }
}
