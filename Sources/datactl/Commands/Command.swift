import CommandSyntax

/// A command that a program or a server runs.
package protocol Command: Sendable {
  /// The store that the command opens. If it is on a server, the server executes the command.
  var storeUse: StoreUse { get }

  /// Runs the command. If it throws an error, the code of this error determines the exit status of
  /// the program.
  func run(with context: CommandContext) async throws
}

extension Command {
  package var storeUse: StoreUse { .selected }
}

/// A command that a command line specifies: the values of the operands and options, their
/// declaration, and the code that runs the command.
protocol DeclaredCommand: Command, BoundCommand where Action == any Command {
  static var declaration: CommandDeclaration<any Command> { get }
}

extension DeclaredCommand {
  var action: any Command { self }
}

/// Which store a command opens.
package enum StoreUse: Sendable {
  /// The store that `--store` or the other settings select.
  case selected
  /// The store with this name or address. If a folder has this name, the command opens no store: it
  /// reads the schema files in the folder instead.
  case named(String)
  /// The command opens no store, or it selects the store itself.
  case none
}
