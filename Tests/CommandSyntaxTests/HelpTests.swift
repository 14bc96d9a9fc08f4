import CommandSyntax
import Testing

@Suite("Help")
struct HelpTests {
  private func help(_ subject: HelpSubject) -> String {
    Shop.program.description.help(subject, width: 80, style: .plain)
  }

  @Test("prints the commands when called without arguments")
  func overview() {
    #expect(
      help(.overview)
        == #"""
        Keep a small shop.

        Usage:
          shop COMMAND [ARGUMENTS] [OPTIONS]

        Commands:
          list        Print records.
          save        Save a record.
          delete      Delete records.
          move        Move records to another shelf.
          schema      Describe what the shop sells.
          help        Print help for a command or a topic.
          completion  Print a shell completion script.

        See shop help COMMAND for a command, shop help for an overview.

        """#)
  }

  @Test("lists all commands, options, topics, variables and exit statuses")
  func program() {
    #expect(
      help(.program)
        == #"""
        Keep a small shop.

        Usage:
          shop COMMAND [ARGUMENTS] [OPTIONS]

        Everything that the shop sells is a record. Try shop list tea first.

        Commands:
          list           Print records.
          save           Save a record.
          delete         Delete records.
          move           Move records to another shelf.
          schema create  Create a schema.
          schema load    Load schemas from a folder.
          help           Print help for a command or a topic.
          completion     Print a shell completion script.

        Options:
              --store ADDRESS  Where the records live.
              --errors FORM    How errors are printed (json or table).
          -q, --quiet          Print nothing but errors. Cannot be used with --verbose.
          -v, --verbose        Say what is being done. Cannot be used with --quiet.
          -h, --help           Print help and exit.
              --version        Print the version and exit.

        Topics:
          formats  How records are printed.

        Environment:
          SHOP_STORE  the store, if --store is not there

        Exit status:
          0  all that was asked was done
          2  the command line is wrong
          3  there is no such record

        See shop help COMMAND or shop help TOPIC for more.

        """#)
  }

  @Test("lists the subcommands of a group such as `schema`")
  func group() {
    #expect(
      help(.group("schema"))
        == #"""
        Describe what the shop sells.

        Usage:
          shop schema COMMAND [ARGUMENTS] [OPTIONS]

        A schema is a kind of record.

        Commands:
          schema create  Create a schema.
          schema load    Load schemas from a folder.

        See also:
          shop help formats

        See shop help schema COMMAND for more.

        """#)
  }

  @Test("prints the text of a help topic")
  func topic() {
    #expect(
      help(.topic("formats"))
        == #"""
        How records are printed.

        Records are printed in the form that --output names.

        Forms:
          form   for
          json   other programs
          table  people who sit before a terminal

          a very long term of several words
            and what it means

          - the first point
          - the second point

            .tea
              'green\tea'

        See also:
          shop help list

        """#)
  }
}
