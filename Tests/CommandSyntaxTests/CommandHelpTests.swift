import CommandSyntax
import Testing

@Suite("Command help")
struct CommandHelpTests {
  @Test("prints usage, arguments, options, examples, exit statuses and related commands")
  func whole() {
    #expect(
      Shop.program.description.help(.command(["list"]), width: 80, style: .plain)
        == #"""
        Print records.

        Usage:
          shop list SCHEMA [FIELD=VALUE…] [OPTIONS]

        Prints all records of a schema, or those whose fields have the values given.
        Without --order they come in the order of their ids.

          FIELD=VALUE  the field has this value

        Examples:
          shop list tea
              Print all tea.
          shop list tea green=true --order -price
              Print green tea, dearest first.

        Arguments:
          SCHEMA        The kind of record.
          FIELD=VALUE…  What the records have in common.

        Options:
              --order FIELDS   Sort by these fields; a - before a field sorts downwards.
          -l, --limit N        Print at most so many (0 to 100; default 20).
          -f, --field FIELD    Print this field too (may be repeated).
          -o, --output FORMAT  How to print (json or table). Cannot be used with
                               --count.
          -c, --count          Print only how many there are. Cannot be used with
                               --output.

        Global options:
              --store ADDRESS  Where the records live.
              --errors FORM    How errors are printed (json or table).
          -q, --quiet          Print nothing but errors. Cannot be used with --verbose.
          -v, --verbose        Say what is being done. Cannot be used with --quiet.
          -h, --help           Print help and exit.
              --version        Print the version and exit.

        Exit status:
          0  all that was asked was done
          2  the command line is wrong

        See also:
          shop help save, shop help formats

        """#)
  }

  @Test("prints the examples of a command before the titled sections of the command's description")
  func examples() {
    let help = Shop.program.description.help(.command(["delete"]), width: 80, style: .plain)
    let sections = help.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
    #expect(
      sections == [
        "Usage:", "Examples:", "Revisions:", "Arguments:", "Options:", "Global options:",
        "Exit status:",
      ])
  }

  @Test("prints a usage line for each way to call a command")
  func usages() {
    let help = Shop.program.description.help(.command(["delete"]), width: 80, style: .plain)
    #expect(
      help.contains(
        """

        Usage:
          shop delete SCHEMA ID… [OPTIONS]
          shop delete SCHEMA --all [OPTIONS]

        """))
  }

  @Test("names the options and arguments that an option requires or excludes")
  func rules() {
    let program = Shop.program.description
    let save = program.help(.command(["save"]), width: 80, style: .plain)
    #expect(
      save.contains(
        """
        Options:
              --create        Refuse an id that is there. Cannot be used with --update.
              --update        Refuse an id that is not there. Cannot be used with
                              --create.
              --skip-invalid  Save the valid records.
              --rejects FILE  Where invalid records go. Requires --skip-invalid.
        """))
    let delete = program.help(.command(["delete"]), width: 80, style: .plain)
    #expect(
      delete.contains(
        """
          ID…     The records' ids. Cannot be used with --all.

        Options:
          Exactly one of ID or --all is required.
              --all         Delete them all. Cannot be used with ID or --revision.
        """))
  }

  @Test("shows required options and arguments in the usage line")
  func required() {
    let help = Shop.program.description.help(.command(["move"]), width: 80, style: .plain)
    #expect(help.contains("\n  shop move ID… SHELF --reason TEXT [OPTIONS]\n"))
    #expect(help.contains("\n  -r, --reason TEXT  Why they move (required).\n"))
  }

  @Test(
    "wraps lines at the given width, limited to between 40 and 80 columns",
    arguments: [
      (40, 40), (57, 57), (80, 80), (200, 80), (1, 40),
    ])
  func width(asked: Int, most: Int) {
    let program = Shop.program.description
    for subject in [.overview, .program, .group("schema"), .topic("formats")] as [HelpSubject]
      + program.commands.map({ .command($0.path) })
    {
      let help = program.help(subject, width: asked, style: .plain)
      let lines = help.split(separator: "\n").filter { !$0.hasPrefix("  shop ") }
      #expect(lines.allSatisfy { $0.count <= most }, "\(help)")
    }
  }

  @Test("prints escape codes only when styling is enabled")
  func styles() {
    let program = Shop.program.description
    #expect(!program.help(.command(["list"]), width: 80, style: .plain).contains("\u{1B}"))
    #expect(
      program.help(.overview, width: 80, style: .bold).hasPrefix(
        """
        Keep a small shop.

        \u{1B}[1mUsage:\u{1B}[22m
          shop COMMAND [ARGUMENTS] [OPTIONS]

        \u{1B}[1mCommands:\u{1B}[22m
          \u{1B}[1mlist\u{1B}[22m        Print records.

        """))
  }
}
