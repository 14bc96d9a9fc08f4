extension ProgramDescription {
  /// Returns a script that completes the program's command lines in a shell.
  ///
  /// The script contains no commands: it runs the program for each completion and prints nothing if
  /// that fails.
  package func completionScript(for shell: Shell) -> String {
    let letters = name.unicodeScalars.map { $0.properties.isAlphabetic ? Character($0) : "_" }
    let function = "_" + String(letters)
    return switch shell {
    case .bash: bashScript(program: name, function: function)
    case .zsh: zshScript(program: name, function: function)
    case .fish: fishScript(program: name, function: function)
    }
  }
}
