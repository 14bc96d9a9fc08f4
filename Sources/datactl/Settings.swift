import CommandSyntax

/// The values of the global options, such as `--store` and `--quiet`.
package struct Settings: BoundInputs, Equatable {
  var store: String?
  var errors: ErrorFormat?
  var verbosity = Verbosity.normal

  package init() {}

  /// Which messages are printed on stderr in addition to errors.
  enum Verbosity: String, Sendable {
    case quiet
    case normal
    case verbose
  }

  static let inputs: [Input<Settings>] = [
    .option(
      "--store", \.store, value: "ADDRESS", kind: .store,
      """
      The store: a file such as `shop.db`, an address such as `https://shop.example`, or a name \
      that `datactl.json` defines. See `datactl help stores`.
      """),
    .choice("--errors", \.errors, value: "FORMAT", "Print errors as text or as JSON objects."),
    .flag(
      "--quiet", letter: "q", \.verbosity, sets: .quiet,
      "Omit notes, summaries and progress on standard error."),
    .flag(
      "--verbose", letter: "v", \.verbosity, sets: .verbose,
      """
      Print on standard error which store is used. With `--version`, print the versions of the \
      libraries that are used.
      """),
  ]

  static let rules: [InputRule] = [.atMostOne(["--quiet", "--verbose"])]

  /// The names of the environment variables whose values must be UTF-8.
  static var variables: [String] { textVariables.map(\.name) + ["HOME"] }

  static var environment: [EnvironmentVariable] {
    textVariables + [
      EnvironmentVariable(
        "VISUAL", "the editor that `datactl edit` runs, with its arguments"),
      EnvironmentVariable(
        "EDITOR", "the editor if `VISUAL` is not set; `vi` if neither is"),
      EnvironmentVariable(
        "PATH", "the folders of the programs that add commands; see `datactl help plugins`"),
    ]
  }

  private static let textVariables = [
    EnvironmentVariable("DATACTL_STORE", "the store, unless `--store` is given"),
    EnvironmentVariable(
      "DATACTL_TOKEN",
      """
      a session token of `datactl login`, used only if `--store` or `DATACTL_STORE` is a file or \
      an address, not a name from `datactl.json`
      """),
    EnvironmentVariable(
      "DATACTL_ERRORS", "the format of errors (`text` or `json`), unless `--errors` is given"),
    EnvironmentVariable(
      "NO_COLOR",
      """
      if not empty, disables bold text and the colors of errors, ids and differences, which are \
      used on a terminal
      """),
    EnvironmentVariable("COLUMNS", "the width of the terminal in columns"),
    EnvironmentVariable("TERM", "if `dumb`, disables colors, bold text and the progress line"),
    EnvironmentVariable("CI", "if not empty, disables prompts"),
    EnvironmentVariable(
      "XDG_DATA_HOME",
      """
      the data folder, which contains the default store and the texts of `datactl edit`; by default \
      `~/.local/share`
      """),
    EnvironmentVariable(
      "XDG_CONFIG_HOME",
      """
      the configuration folder, which contains the sessions of `datactl login`; by default \
      `~/.config`
      """),
  ]
}
