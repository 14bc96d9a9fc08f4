import DataModel

/// Runs the program with the console of the process.
@main
enum Main {
  @MainActor
  static func main() async {
    Platform.occupyStandardDescriptors()
    Platform.ignoreWriteSignals()
    SignalWatch.begin()
    let status = await Program.run(on: .ofProcess)
    // End with SIGPIPE, so that the parent process gets the usual wait status.
    if SignalWatch.received == .closedPipe { Platform.endByPipeSignal() }
    Platform.quit(status)
  }
}
