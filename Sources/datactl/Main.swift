import DataModel

/// Runs the program on the console of the process.
@main
enum Main {
  @MainActor
  static func main() async {
    Platform.occupyStandardDescriptors()
    Platform.ignorePipeSignal()
    SignalWatch.begin()
    Platform.quit(await Program.run(on: .ofProcess))
  }
}
