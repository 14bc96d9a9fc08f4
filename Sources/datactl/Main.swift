import DataModel

/// The entry point. It runs the program with the console of the current process.
@main
enum Main {
  @MainActor
  static func main() async {
    CurrentProcess.reserveStandardDescriptors()
    Signals.ignoreWriteSignals()
    SignalHandler.install()
    let status = await Program.run(on: .current)
    // End the process with SIGPIPE, so that the parent process receives the usual wait status.
    if SignalHandler.received == .closedPipe { Signals.raisePipeSignal() }
    CurrentProcess.quit(status)
  }
}
