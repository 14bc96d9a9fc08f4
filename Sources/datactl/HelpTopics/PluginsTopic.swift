import CommandSyntax

extension HelpTopics {
  static let plugins = Topic(
    "plugins", "Commands that other programs add.",
    manual: ManualName("datactl-plugins", section: 7),
    body: [
      """
      A program named `datactl-NAME` in a folder of `PATH` adds the command NAME. It can be written \
      in any language. For example, this program counts the records of each schema:
      """,
      .literal(
        """
        $ cat ~/bin/datactl-counts
        #!/bin/sh
        case ${1-} in
          --help) echo 'Counts the records of each schema.'; exit ;;
          --complete) exit ;;
        esac
        for schema in $("$DATACTL_BIN" schema list -o ids); do
          echo "$schema $("$DATACTL_BIN" list "$schema" --count)"
        done
        $ datactl --store shop.db counts
        todo 3
        user 2
        """),
      """
      `datactl help` lists the names of the plugins, and `datactl help NAME` prints what \
      `datactl-NAME --help` prints, as does `datactl -h NAME`. With `--help` or `--complete` as its \
      first argument, a plugin must do nothing else. A script must begin with `#!`.
      """,
      .heading("How a plugin is found"),
      """
      A name consists of ASCII letters, digits, `-` and `_`. The first folder of `PATH` that \
      contains the program is used. Empty and relative folders in `PATH` are not searched. Commands \
      of datactl always take precedence. Only the command line runs plugins: a server never does, \
      and `datactl.json` cannot name them.
      """,
      .heading("How a plugin is run"),
      """
      The program replaces datactl, so it has the same standard input, output and error, and its \
      exit status is that of the command. The words after the name are its arguments. It gets the \
      environment of datactl, in which these variables are set:
      """,
      .definitions([
        Definition("`DATACTL_BIN`", "the path of datactl, with which the plugin runs commands"),
        Definition(
          "`DATACTL_STORE`", "the value of `--store`, if this option precedes the name"),
        Definition(
          "`DATACTL_COMPLETING`",
          "1 while the plugin completes a word; datactl then asks no plugin for completions"),
      ]),
      """
      A plugin should run `$DATACTL_BIN` without `--store`. The store and the session are then \
      chosen as in other commands. No other option can precede the name. Options after the name \
      are arguments of the plugin, even `--store`.
      """,
      .heading("Completion"),
      """
      To complete an argument, the scripts of `datactl completion` run \
      `datactl-NAME --complete WORD…`. The last WORD is the argument as typed so far, which can be \
      empty; the others are the arguments before it. The program prints one candidate per line, \
      which a tab and a description can follow. If it takes longer than 100 milliseconds, it is \
      killed, and nothing is offered.
      """,
    ],
    seeAlso: ["completion", "environment"])
}
