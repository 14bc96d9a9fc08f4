extension ProgramDescription {
  /// Writes a script that lets a shell complete the program's lines.
  ///
  /// The script knows nothing of the commands: it asks the program each time, and says nothing
  /// when that fails.
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
