import CommandSyntax

/// The values of the global options.
package struct Settings: Sendable, Equatable {
  var store: String?
  var errors: ErrorForm?
  var talk: Talk

  /// The amount of messages on stderr, apart from errors.
  enum Talk: Sendable {
    case quiet
    case normal
    case verbose
  }

  static let inputs = Inputs<Settings>(
    .option(
      "--store", value: "ADDRESS", kind: .store,
      "Where the records live: an address, a path, or a name from `datactl.json`."),
    .choice(
      "--errors", value: "FORM", of: ErrorForm.allCases,
      "Print errors as text, or as one JSON object each."),
    .flag("--quiet", letter: "q", "Print nothing but errors on standard error."),
    .flag("--verbose", letter: "v", "Say on standard error what is being done.")
  ) { store, errors, quiet, verbose in
    Settings(store: store, errors: errors, talk: quiet ? .quiet : verbose ? .verbose : .normal)
  }

  static let rules: [InputRule] = [.atMostOne(["--quiet", "--verbose"])]

  /// The names of all environment variables that the program reads.
  static var variables: [String] { environment.map(\.name) + ["HOME"] }

  static let environment = [
    EnvironmentVariable("DATACTL_STORE", "the store, unless `--store` names one"),
    EnvironmentVariable(
      "DATACTL_TOKEN",
      "the session to act in, on a store that `--store` or `DATACTL_STORE` names"),
    EnvironmentVariable(
      "DATACTL_ERRORS", "`text` or `json`: how errors are printed, unless `--errors` says it"),
    EnvironmentVariable("NO_COLOR", "if it is not empty, no colours and no bold letters"),
    EnvironmentVariable("COLUMNS", "how wide the terminal is"),
    EnvironmentVariable("TERM", "if it is `dumb`, no colours and no progress line"),
    EnvironmentVariable("CI", "if it is not empty, nothing is asked"),
    EnvironmentVariable(
      "XDG_DATA_HOME", "the folder of the default store; `~/.local/share` without it"),
    EnvironmentVariable(
      "XDG_CONFIG_HOME", "the folder of the sessions of `datactl login`; `~/.config` without it"),
  ]
}
