import Foundation
import Testing

@Suite("Architecture")
struct HouseTests {
  /// Modules of the toolchain that every module may import.
  private static let toolchain: Set = ["Swift", "Synchronization"]
  /// The names of the C library module on each platform.
  private static let system: Set = ["Glibc", "Musl", "Darwin"]

  @Test("each file imports only the modules that the table allows")
  func imports() throws {
    let house = try House()
    #expect(!house.files.isEmpty)
    for file in house.files {
      guard let allowed = house.rooms[file.room] else {
        Issue.record("\(file.room) is not on the map")
        continue
      }
      let others = Set(file.imports).subtracting(allowed).subtracting(Self.toolchain)
        .subtracting(Self.system)
      #expect(others.isEmpty, "\(file) imports \(others.sorted())")
    }
  }

  @Test("only platform files import the C library")
  func system() throws {
    for file in try House().files where !Self.system.isDisjoint(with: file.imports) {
      #expect(file.isPlatform, "\(file) imports the C library")
    }
  }

  @Test("no module imports Foundation, and only the client imports FoundationEssentials")
  func foundation() throws {
    for file in try House().files {
      let foundation = file.imports.filter { $0.hasPrefix("Foundation") }
      let allowed = file.room == "DataClient" ? ["FoundationEssentials"] : []
      #expect(Set(foundation).isSubset(of: allowed), "\(file) imports \(foundation)")
    }
  }

  @Test("target dependencies match the module table")
  func dependencies() throws {
    let house = try House()
    let targets = try House.dependencies()
    for room in Set(house.files.map(\.room)) {
      let dependencies = try #require(targets[room], "\(room) is no target")
      let allowed = try #require(house.rooms[room], "\(room) is not on the map")
      #expect(dependencies.isSubset(of: allowed), "\(room) depends on \(dependencies.sorted())")
      let imported = Set(house.files.filter { $0.room == room }.flatMap(\.imports))
      #expect(dependencies.isSubset(of: imported), "\(room) depends on what it does not import")
    }
  }

  @Test("the module table has no cycles")
  func floors() throws {
    let rooms = try House().rooms
    var settled: Set<String> = ["FoundationEssentials"]
    while case let next = rooms.filter({
      !settled.contains($0.key) && $0.value.isSubset(of: settled)
    }),
      !next.isEmpty
    {
      settled.formUnion(next.keys)
    }
    #expect(Set(rooms.keys).subtracting(settled) == [])
  }

  @Test("no file is longer than 250 lines")
  func length() throws {
    for file in try House().files {
      let lines = file.text.utf8.count { $0 == 10 }
      #expect(lines <= 250, "\(file) has \(lines) lines")
    }
  }

  @Test("no path contains a meaningless name such as util or helper")
  func names() throws {
    let empty = ["util", "helper", "common", "shared", "manager", "extensions", "misc"]
    for file in try House().files {
      for word in empty {
        #expect(!file.path.lowercased().contains(word), "\(file) is named \(word)")
      }
    }
  }

  @Test("parses the module table and the imports of a file")
  func readingTheMap() {
    let map = """
      | room | what it is for | may import | never holds |
      | --- | --- | --- | --- |
      | `A` | a | – | `B` |
      | `B` | b | `A` `C` | x |

      | other | table |
      """
    #expect(House.rooms(in: map) == ["A": [], "B": ["A", "C"]])
    let file = House.SourceFile(
      room: "A", path: "A/F.swift",
      text:
        "import One\npackage import Two\n@preconcurrency import Three\n// import Four\nlet x = 1")
    #expect(file.imports == ["One", "Two", "Three"])
  }

  @Test("each numbered contract has exactly one test")
  func conventions() throws {
    let folder = House.package.appending(path: "Tests/CommandTests/Contract").path
    var numbers: [Int] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      numbers += text.matches(of: /"contract ([0-9]+):/).compactMap { Int($0.1) }
      let kept = text.matches(of: /subject\.keeps\(([0-9]+)\)/).compactMap { Int($0.1) }
      #expect(kept == text.matches(of: /"contract ([0-9]+):/).compactMap { Int($0.1) })
    }
    #expect(numbers.sorted() == Array(1...53))
  }
}
