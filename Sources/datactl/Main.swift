import DataModel

/// Runs the program on the console of the process.
@main
enum Main {
  @MainActor
  static func main() async {
    Platform.occupyStandardDescriptors()
    Platform.ignoreWriteSignals()
    SignalWatch.begin()
    let status = await Program.run(on: .ofProcess)
    // Whoever started the program sees what became of it as with any other.
    if SignalWatch.received == .closedPipe { Platform.endByPipeSignal() }
    Platform.quit(status)
  }
}
