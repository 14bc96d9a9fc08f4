import Platform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Asks for the size of a terminal, and switches its echo off and on.
enum Terminal {
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Returns the width of a terminal in columns (`TIOCGWINSZ`), or nil if it is unknown.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// The attributes of a terminal, which can be restored after they were changed.
  struct State {
    fileprivate var attributes: termios
  }

  /// Returns the attributes of the terminal of stdin (`tcgetattr`), or nil if stdin is no terminal.
  static var inputState: State? {
    var attributes = termios()
    return unsafe tcgetattr(0, &attributes) == 0 ? State(attributes: attributes) : nil
  }

  /// Restores the attributes of the terminal of stdin.
  static func restoreInput(_ state: State) { restore(state, of: 0) }

  /// Switches off the echo of a terminal (`tcsetattr`), and returns its previous state. Input that
  /// was typed but has not been read yet is kept.
  static func hideEcho(of descriptor: Int32) throws(SystemCallError) -> State {
    var attributes = termios()
    guard unsafe tcgetattr(descriptor, &attributes) == 0 else { throw .last }
    let previous = State(attributes: attributes)
    attributes.c_lflag &= ~tcflag_t(ECHO)
    attributes.c_lflag |= tcflag_t(ECHONL)
    guard unsafe tcsetattr(descriptor, TCSADRAIN, &attributes) == 0 else { throw .last }
    return previous
  }

  static func restore(_ state: State, of descriptor: Int32) {
    var attributes = state.attributes
    // An error is ignored. If the terminal has been closed, there is nothing to restore.
    _ = unsafe tcsetattr(descriptor, TCSADRAIN, &attributes)
  }
}
