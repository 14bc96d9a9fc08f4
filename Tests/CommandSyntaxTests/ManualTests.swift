import CommandSyntax
import Foundation
import TestSupport
import Testing

@Suite("Manual pages")
struct ManualTests {
  private static let pages = Shop.program.description.manual(date: "November 20, 2026")

  private func text(_ file: String) -> String? {
    ManualTests.pages.first { $0.file == file }?.text
  }

  @Test("generates a manual page for the program and each command, command group and help topic")
  func files() {
    #expect(
      ManualTests.pages.map(\.file) == [
        "shop.1", "shop-list.1", "shop-save.1", "shop-delete.1", "shop-move.1",
        "shop-schema-create.1", "shop-schema-load.1", "shop-help.1", "shop-completion.1",
        "shop-schema.1", "shop-formats.7",
      ])
  }

  @Test("generates a manual page with the same content as the help of the command")
  func command() {
    #expect(
      text("shop-list.1")
        == #"""
        .Dd November 20, 2026
        .Dt SHOP-LIST 1
        .Os
        .Sh NAME
        .Nm shop-list
        .Nd Print records
        .Sh SYNOPSIS
        .Nm shop
        .Cm list
        .Ar SCHEMA
        .Op Ar FIELD=VALUE\[u2026]
        .Op Ar OPTIONS
        .Sh DESCRIPTION
        Prints all records of a schema, or those whose fields have the values given.
        Without \fB\-\-order\fR they come in the order of their ids.
        .Bl -tag -width Ds
        .It FIELD=VALUE
        the field has this value
        .El
        .Ss Examples
        Print all tea.
        .Bd -literal -offset indent
        shop list tea
        .Ed
        .Pp
        Print green tea, dearest first.
        .Bd -literal -offset indent
        shop list tea green=true \-\-order \-price
        .Ed
        .Sh ARGUMENTS
        .Bl -tag -width Ds
        .It Ar SCHEMA
        The kind of record.
        .It Ar FIELD=VALUE\[u2026]
        What the records have in common.
        .El
        .Sh OPTIONS
        .Bl -tag -width Ds
        .It Fl \-order Ar FIELDS
        Sort by these fields; a \- before a field sorts downwards.
        .It Fl l , Fl \-limit Ar N
        Print at most so many (0 to 100; default 20).
        .It Fl f , Fl \-field Ar FIELD
        Print this field too (may be repeated).
        .It Fl o , Fl \-output Ar FORMAT
        How to print (json or table).
        Cannot be used with \fB\-\-count\fR.
        .It Fl c , Fl \-count
        Print only how many there are.
        Cannot be used with \fB\-\-output\fR.
        .El
        .Sh GLOBAL OPTIONS
        .Bl -tag -width Ds
        .It Fl \-store Ar ADDRESS
        Where the records live.
        .It Fl \-errors Ar FORM
        How errors are printed (json or table).
        .It Fl q , Fl \-quiet
        Print nothing but errors.
        Cannot be used with \fB\-\-verbose\fR.
        .It Fl v , Fl \-verbose
        Say what is being done.
        Cannot be used with \fB\-\-quiet\fR.
        .It Fl h , Fl \-help
        Print help and exit.
        .It Fl \-version
        Print the version and exit.
        .El
        .Sh EXIT STATUS
        .Bl -tag -width Ds
        .It 0
        all that was asked was done
        .It 2
        the command line is wrong
        .El
        .Sh SEE ALSO
        .Xr shop 1 ,
        .Xr shop-save 1 ,
        .Xr shop-formats 7

        """#)
  }

  @Test("lists each way to call a command in the synopsis of the manual page")
  func synopsis() throws {
    #expect(
      try #require(text("shop-delete.1")).contains(
        #"""
        .Sh SYNOPSIS
        .Nm shop
        .Cm delete
        .Ar SCHEMA
        .Ar ID\[u2026]
        .Op Ar OPTIONS
        .Nm shop
        .Cm delete
        .Ar SCHEMA
        .Fl \-all
        .Op Ar OPTIONS

        """#))
  }

  @Test("escapes text that resembles a roff macro in the manual page of a help topic")
  func topic() {
    #expect(
      text("shop-formats.7")
        == #"""
        .Dd November 20, 2026
        .Dt SHOP-FORMATS 7
        .Os
        .Sh NAME
        .Nm shop-formats
        .Nd How records are printed
        .Sh DESCRIPTION
        Records are printed in the form that \fB\-\-output\fR names.
        .Ss Forms
        .Bl -column -offset indent "table"
        .It \fBform\fR Ta \fBfor\fR
        .It json Ta other programs
        .It table Ta people who sit before a terminal
        .El
        .Bl -tag -width Ds
        .It a very long term of several words
        and what it means
        .El
        .Bl -bullet
        .It
        the first point
        .It
        the second point
        .El
        .Bd -literal -offset indent
        \&.tea
          \(aqgreen\etea\(aq
        .Ed
        .Sh SEE ALSO
        .Xr shop 1 ,
        .Xr shop-list 1

        """#)
  }

  @Test("lists commands, environment variables and exit statuses on the manual page of the program")
  func program() {
    #expect(
      text("shop.1")
        == #"""
        .Dd November 20, 2026
        .Dt SHOP 1
        .Os
        .Sh NAME
        .Nm shop
        .Nd Keep a small shop
        .Sh SYNOPSIS
        .Nm
        .Ar COMMAND
        .Op Ar ARGUMENTS
        .Op Ar OPTIONS
        .Sh DESCRIPTION
        Everything that the shop sells is a record.
        Try \fBshop\fR \fBlist\fR \fBtea\fR first.
        .Sh COMMANDS
        .Bl -tag -width Ds
        .It Cm list
        Print records.
        .It Cm save
        Save a record.
        .It Cm delete
        Delete records.
        .It Cm move
        Move records to another shelf.
        .It Cm schema create
        Create a schema.
        .It Cm schema load
        Load schemas from a folder.
        .It Cm help
        Print help for a command or a topic.
        .It Cm completion
        Print a shell completion script.
        .El
        .Sh OPTIONS
        .Bl -tag -width Ds
        .It Fl \-store Ar ADDRESS
        Where the records live.
        .It Fl \-errors Ar FORM
        How errors are printed (json or table).
        .It Fl q , Fl \-quiet
        Print nothing but errors.
        Cannot be used with \fB\-\-verbose\fR.
        .It Fl v , Fl \-verbose
        Say what is being done.
        Cannot be used with \fB\-\-quiet\fR.
        .It Fl h , Fl \-help
        Print help and exit.
        .It Fl \-version
        Print the version and exit.
        .El
        .Sh TOPICS
        .Bl -tag -width Ds
        .It Cm formats
        How records are printed.
        .El
        .Sh ENVIRONMENT
        .Bl -tag -width Ds
        .It Ev SHOP_STORE
        the store, if \fB\-\-store\fR is not there
        .El
        .Sh EXIT STATUS
        .Bl -tag -width Ds
        .It 0
        all that was asked was done
        .It 2
        the command line is wrong
        .It 3
        there is no such record
        .El
        .Sh SEE ALSO
        .Xr shop-completion 1 ,
        .Xr shop-delete 1 ,
        .Xr shop-help 1 ,
        .Xr shop-list 1 ,
        .Xr shop-move 1 ,
        .Xr shop-save 1 ,
        .Xr shop-schema 1 ,
        .Xr shop-formats 7

        """#)
  }

  @Test("lists the same options on the manual page of a command as in the help of the command")
  func options() throws {
    for command in Shop.program.description.commands {
      let page = try #require(text("shop-\(command.path.joined(separator: "-")).1"))
      let terms = page.replacing("\\-", with: "-").split(separator: "\n")
        .filter { $0.hasPrefix(".It Fl") }
        .compactMap { $0.split(separator: " ").first { $0.hasPrefix("-") }.map { "-\($0)" } }
      let options = command.options + Shop.program.description.options
      #expect(terms == options.map(\.name))
    }
  }

  @Test(
    "generates pages that the manual page formatter accepts without warnings",
    arguments: [["mandoc", "-Tlint", "-Wwarning"], ["groff", "-ww", "-mandoc", "-Tutf8"]])
  func warnings(command: [String]) throws {
    let folder = try TemporaryFolder()
    for page in ManualTests.pages {
      let file = try folder.write(page.text, to: page.file)
      let outcome = try run(command + [file])
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty && (command[0] == "groff" || outcome.output.isEmpty))
    }
  }
}
