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
    case postgres
  }

  /// The shapes are measured at a single size: they differ in the cost per record.
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
    let words = CommandLine.arguments.dropFirst(2)
    let sizes = words.compactMap { Int($0) }
    let parts = words.compactMap { Part(rawValue: $0) }
    guard CommandLine.arguments.count > 1, sizes.count + parts.count == words.count,
      sizes.allSatisfy({ $0 >= 10_000 })
    else {
      let names = Part.allCases.map(\.rawValue).joined(separator: " | ")
      print("usage: Benchmarks BINARY [\(names) | SIZE]…    (a size is at least 10000)")
      exit(2)
    }
    let track = try Track(binary: CommandLine.arguments[1])
    var chosen = parts.isEmpty ? Part.allCases : parts
    if chosen.contains(.postgres), !PostgresServer.isInstalled {
      say(
        "PostgreSQL is not installed, so it is left out. To have it: apt-get install postgresql\n")
      chosen.removeAll { $0 == .postgres }
    }
    if !track.hasSQLiteUtils, chosen != [.postgres] {
      say(
        """
        sqlite-utils is not among the programs, so it is left out. To have it:
          python3 -m venv utils && utils/bin/pip install sqlite-utils
          PATH=$PWD/utils/bin:$PATH make bench

        """)
    }
    try run(
      chosen,
      sizes: sizes.isEmpty ? [10_000, 100_000, 1_000_000] : sizes,
      on: track)
  }

  private static func run(_ parts: [Part], sizes: [Int], on track: Track) throws {
    var table = Table()
    say(try machine(track, parts) + "\n\n" + Table.header)
    func report(_ result: Contest.Result) {
      for line in table.lines(result) { say(line) }
    }
    for part in parts {
      switch part {
      case .starts: try Starts.run(on: track, report)
      case .bulk: for size in sizes { try Bulk.run(on: track, size: size, report) }
      case .shapes:
        for shape in [Shape.csv, .wide, .long, .escaped, .deep] {
          let trial = try Trial(shape, size: min(shapeSize, sizes.max() ?? shapeSize), on: track)
          report(try trial.save().run(on: track))
          report(try trial.list().run(on: track))
        }
      case .finding: for size in sizes { try Finding.run(on: track, size: size, report) }
      case .postgres: try Cluster.run(on: track, sizes: sizes, report)
      }
    }
    say("\n" + table.summary)
  }

  /// Prints without buffering, because the table takes minutes to complete.
  private static func say(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
  }

  /// Describes the machine and the versions of the programs.
  private static func machine(_ track: Track, _ parts: [Part]) throws -> String {
    let system = try track.run(". /etc/os-release && printf %s \"$PRETTY_NAME\"")
    let cores = try track.run("nproc").dropLast()
    let own = try track.run("\"$BINARY\" --version").split(separator: "\n")[0]
    let shell = try track.run("sqlite3 --version").split(separator: " ")[0]
    var programs = ["\(own)", "sqlite3 \(shell)"]
    if track.hasSQLiteUtils {
      let version = try track.run("sqlite-utils --version").split(separator: " ").last ?? ""
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
