import DataModel

/// Runs the program with the console of the process.
@main
enum Main {
  @MainActor
  static func main() async {
    CurrentProcess.reserveStandardDescriptors()
    Signals.ignoreWriteSignals()
    SignalHandler.install()
    let status = await Program.run(on: .current)
    // End with SIGPIPE, so that the parent process gets the usual wait status.
    if SignalHandler.received == .closedPipe { Signals.raisePipeSignal() }
    CurrentProcess.quit(status)
  }
}
