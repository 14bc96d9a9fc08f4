import Foundation
import PostgresHarness
import ProgramHarness

/// Compares datactl with the sqlite3 shell, sqlite-utils and psql: `Benchmarks BINARY [PART |
/// SIZE]…`.
@main
struct Main {
  private enum Part: String, CaseIterable {
    case starts
    case bulk
    case shapes
    case finding
    case trees
    case server
    case postgres
    /// Runs only if it is chosen, because it needs a cluster.
    case citus
  }

  /// The size at which shapes and trees are measured: they differ in the cost per record.
  private static let shapeSize = 100_000

  static func main() {
    do {
      try measure()
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func measure() throws {
    let arguments = CommandLine.arguments.dropFirst(2)
    let sizes = arguments.compactMap { Int($0) }
    let parts = arguments.compactMap { Part(rawValue: $0) }
    guard CommandLine.arguments.count > 1, sizes.count + parts.count == arguments.count,
      sizes.allSatisfy({ $0 >= 10_000 })
    else {
      let names = Part.allCases.map(\.rawValue).joined(separator: " | ")
      print("usage: Benchmarks BINARY [\(names) | SIZE]…    (a size is at least 10000)")
      exit(2)
    }
    let workspace = try Workspace(binary: CommandLine.arguments[1])
    var chosen = parts.isEmpty ? Part.allCases.filter { $0 != .citus } : parts
    if chosen.contains(.postgres), !PostgresServer.isInstalled {
      printNow(
        "PostgreSQL is not installed, so it is left out. To have it: apt-get install postgresql\n")
      chosen.removeAll { $0 == .postgres }
    }
    if chosen.contains(.citus), try CitusServer.shared.get().isFake {
      printNow("set DATACTL_TEST_CITUS to the address of a coordinator: see CONTRIBUTING.md\n")
      chosen.removeAll { $0 == .citus }
    }
    if chosen.contains(.server), try workspace.run("command -v ab || true").isEmpty {
      printNow("ab is not installed, so its part is left out: apt-get install apache2-utils\n")
    }
    if !workspace.hasSQLiteUtils, ![[.trees], [.postgres], [.citus], [.server]].contains(chosen) {
      printNow(
        """
        sqlite-utils is not among the programs, so it is left out. To have it:
          python3 -m venv utils && utils/bin/pip install sqlite-utils
          PATH=$PWD/utils/bin:$PATH make bench

        """)
    }
    try run(
      chosen,
      sizes: sizes.isEmpty ? [10_000, 100_000, 1_000_000] : sizes,
      on: workspace)
  }

  private static func run(_ parts: [Part], sizes: [Int], on workspace: Workspace) throws {
    var table = Table()
    printNow(try machine(workspace, parts) + "\n\n" + Table.header)
    func report(_ result: Comparison.Result) {
      for line in table.lines(result) { printNow(line) }
    }
    for part in parts {
      switch part {
      case .starts: try StartupBenchmark.run(on: workspace, report)
      case .bulk: for size in sizes { try BulkBenchmark.run(on: workspace, size: size, report) }
      case .shapes:
        for shape in [Shape.csv, .wide, .long, .escaped, .deep] {
          let benchmark = try SQLiteBenchmark(
            shape, size: min(shapeSize, sizes.max() ?? shapeSize), on: workspace)
          report(try benchmark.save().run(on: workspace))
          report(try benchmark.list().run(on: workspace))
        }
      case .finding: for size in sizes { try QueryBenchmark.run(on: workspace, size: size, report) }
      case .trees:
        let size = min(shapeSize, sizes.max() ?? shapeSize)
        try TreeBenchmark.run(on: workspace, size: size, report)
      case .server:
        for size in sizes { try ServerBenchmark.run(on: workspace, size: size, report) }
      case .postgres: try PostgresEnvironment.run(.postgres, on: workspace, sizes: sizes, report)
      case .citus: try PostgresEnvironment.run(.citus, on: workspace, sizes: sizes, report)
      }
    }
    printNow("\n" + table.summary)
  }

  /// Prints without buffering, because the table takes minutes to complete.
  private static func printNow(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  /// Describes the machine and the versions of the programs.
  private static func machine(_ workspace: Workspace, _ parts: [Part]) throws -> String {
    let system = try workspace.run(". /etc/os-release && printf %s \"$PRETTY_NAME\"")
    let cores = try workspace.run("nproc").dropLast()
    let own = try workspace.run("\"$BINARY\" --version").split(separator: "\n")[0]
    let shell = try workspace.run("sqlite3 --version").split(separator: " ")[0]
    var programs = ["\(own)", "sqlite3 \(shell)"]
    if workspace.hasSQLiteUtils {
      let version = try workspace.run("sqlite-utils --version").split(separator: " ").last ?? ""
      programs.append("sqlite-utils \(version.trimmingCharacters(in: .whitespacesAndNewlines))")
    }
    if parts.contains(.postgres) {
      let version = try PostgresServer.version().split(separator: " ")[2]
      programs.append("PostgreSQL \(version)")
    }
    let date = Date.now.formatted(.iso8601.year().month().day())
    return "\(system), \(cores) cores; \(programs.joined(separator: ", ")); \(date)"
  }
}
