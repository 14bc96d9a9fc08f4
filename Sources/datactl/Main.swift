import DataModel
import Platform

/// The entry point. It runs the program with the console of the current process.
@main
enum Main {
  @MainActor
  static func main() async {
    CurrentProcess.reserveStandardDescriptors()
    // Linux replaces an empty argument vector with one empty argument.
    if ProcessArguments.texts.allSatisfy({ $0.isEmpty }) {
      Signals.quitImmediately(
        ErrorCode.failed.exitStatus, printing: "datactl: the argument vector is empty\n")
    }
    Signals.ignoreWriteSignals()
    SignalHandler.install()
    let status = await Program.run(on: .current)
    // End the process with SIGPIPE, so that the parent process receives the usual wait status.
    if SignalHandler.received == .closedPipe { Signals.raisePipeSignal() }
    CurrentProcess.quit(status)
  }
}
