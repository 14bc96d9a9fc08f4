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

        Arguments:
          SCHEMA        The kind of record.
          FIELD=VALUE…  What the records have in common.

        Options:
              --order FIELDS   Sort by these fields; a - before a field sorts downwards.
          -l, --limit N        Print at most so many (0 to 100; default 20).
          -f, --field FIELD    Print this field too (may be repeated).
          -o, --output FORMAT  How to print (json or table).
          -c, --count          Print only how many there are.
          Only one of --count and --output can be used.

        Global options:
              --store ADDRESS  Where the records live.
              --errors FORM    How errors are printed (json or table).
          -q, --quiet          Print nothing but errors.
          -v, --verbose        Say what is being done.
          -h, --help           Print help and exit.
              --version        Print the version and exit.
          Only one of --quiet and --verbose can be used.

        Examples:
          shop list tea
              Print all tea.
          shop list tea green=true --order -price
              Print green tea, dearest first.

        Exit status:
          0  all that was asked was done
          2  the command line is wrong

        See also:
          shop help save, shop help formats

        """#)
  }

  @Test("shows required inputs in the usage line")
  func required() {
    let help = Shop.program.description.help(.command(["move"]), width: 80, style: .plain)
    #expect(help.contains("\n  shop move ID… SHELF --reason TEXT [OPTIONS]\n"))
    #expect(help.contains("\n  -r, --reason TEXT  Why they move (required).\n"))
  }

  @Test(
    "wraps lines at the given width, but at no less than 40 and no more than 80 columns",
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
