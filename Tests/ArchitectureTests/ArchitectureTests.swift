import Foundation
import Testing

@Suite("Architecture")
struct ArchitectureTests {
  /// Modules of the toolchain that every module may import.
  private static let toolchain: Set = ["Swift", "Synchronization"]
  /// The names of the C library module on each platform.
  private static let system: Set = ["Glibc", "Musl", "Darwin"]

  @Test("each module imports only modules that the module table in Sources/README.md allows")
  func imports() throws {
    let architecture = try Architecture()
    #expect(!architecture.files.isEmpty)
    for file in architecture.files {
      guard let allowed = architecture.modules[file.module] else {
        Issue.record("\(file.module) is not on the map")
        continue
      }
      let others = Set(file.imports).subtracting(allowed).subtracting(Self.toolchain)
        .subtracting(Self.system)
      #expect(others.isEmpty, "\(file) imports \(others.sorted())")
    }
  }

  @Test(
    "only files in Platform folders import the C library, and each imports it for every platform")
  func system() throws {
    for file in try Architecture().files where !Self.system.isDisjoint(with: file.imports) {
      #expect(file.isPlatform, "\(file) imports the C library")
      #expect(Self.system.isSubset(of: file.imports), "\(file) imports it on some platforms only")
    }
  }

  @Test("no module imports Foundation, and only DataClient imports FoundationEssentials")
  func foundation() throws {
    for file in try Architecture().files {
      let foundation = file.imports.filter { $0.hasPrefix("Foundation") }
      let allowed = file.module == "DataClient" ? ["FoundationEssentials"] : []
      #expect(Set(foundation).isSubset(of: allowed), "\(file) imports \(foundation)")
    }
  }

  @Test("Package.swift declares only dependencies that a target imports and the README allows")
  func dependencies() throws {
    let architecture = try Architecture()
    let targets = try Architecture.dependencies()
    for module in Set(architecture.files.map(\.module)) {
      let dependencies = try #require(targets[module], "\(module) is no target")
      let allowed = try #require(architecture.modules[module], "\(module) is not on the map")
      #expect(dependencies.isSubset(of: allowed), "\(module) depends on \(dependencies.sorted())")
      let imported = Set(architecture.files.filter { $0.module == module }.flatMap(\.imports))
      #expect(dependencies.isSubset(of: imported), "\(module) depends on what it does not import")
    }
  }

  @Test("the module table of Sources/README.md contains no cyclic dependencies")
  func layers() throws {
    let modules = try Architecture().modules
    var resolved: Set<String> = ["FoundationEssentials"]
    while case let next = modules.filter({
      !resolved.contains($0.key) && $0.value.isSubset(of: resolved)
    }),
      !next.isEmpty
    {
      resolved.formUnion(next.keys)
    }
    #expect(Set(modules.keys).subtracting(resolved) == [])
  }

  @Test("no file or folder has a meaningless name such as util or helper")
  func names() throws {
    let vague = ["util", "helper", "common", "shared", "manager", "extensions", "misc"]
    for file in try Architecture().files {
      for word in vague {
        #expect(!file.path.lowercased().contains(word), "\(file) is named \(word)")
      }
    }
  }

  @Test("each file with a part of a type, such as Client+Pages.swift, has at least 40 lines")
  func extensionFiles() throws {
    let divided = try Architecture().files.filter { $0.path.contains("+") }
    #expect(!divided.isEmpty)
    for file in divided {
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
      #expect(lines >= 40, "\(file) has only \(lines) lines: merge it with another file")
    }
  }

  @Test("only the listed files have cases of a switch that list five or more field types")
  func listsOfTypes() throws {
    let types: Set = [
      "id", "text", "integer", "number", "decimal", "boolean", "date", "datetime", "geopoint",
      "file", "json",
      "password", "relation", "array",
    ]
    var counts: [String: Int] = [:]
    for file in try Architecture().files {
      for match in file.text.matches(of: /case ([^:{}"]*):/) {
        let names = match.1.matches(of: /\.([a-z]+)/).map { String($0.1) }
        if names.filter(types.contains).count >= 5 { counts[file.path, default: 0] += 1 }
      }
    }
    #expect(
      counts == [
        // The kinds of values in JSON.
        "Maps/MappedRecordReader.swift": 1, "Maps/MappedRecordWriter.swift": 1,
        // Values, whose type is not known when the program is compiled.
        "DataModel/Problems/Excerpt.swift": 1, "DataModel/Queries/Expression.swift": 1,
        "DataModel/Values/Value.swift": 1, "DataModel/Values/ValueOrder.swift": 1,
        "DataOutput/Text/TextTable.swift": 1,
        // The storages of columns and the kinds of slots.
        "RecordText/Records/RecordColumn.swift": 1, "SQLiteStore/Saving/ReferenceChecks.swift": 1,
      ])
  }

  @Test("parses a Markdown table of modules and the imports of a Swift file")
  func parsingTable() {
    let map = """
      | module | what it is for | may import | never holds |
      | --- | --- | --- | --- |
      | `A` | a | – | `B` |
      | `B` | b | `A` `C` | x |

      | other | table |
      """
    #expect(Architecture.modules(in: map) == ["A": [], "B": ["A", "C"]])
    let file = Architecture.SourceFile(
      module: "A", path: "A/F.swift",
      text:
        "import One\npackage import Two\n@preconcurrency import Three\n// import Four\nlet x = 1")
    #expect(file.imports == ["One", "Two", "Three"])
  }

  @Test("each of the 53 command-line conventions has exactly one test")
  func contractNumbers() throws {
    let folder = Architecture.package.appending(path: "Tests/CommandTests/Contract").path
    var numbers: [Int] = []
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      let declared = text.matches(of: /\.contract\(([0-9]+)\)/).compactMap { Int($0.1) }
      let checked = text.matches(of: /subject\.checkContract\(([0-9]+)\)/).compactMap { Int($0.1) }
      #expect(checked == declared)
      numbers += declared
    }
    #expect(numbers.sorted() == Array(1...53))
  }
}

@Suite("Vocabulary")
struct VocabularyTests {
  /// Words that must not occur in any identifier, comment, message or document.
  private static let forbidden = [
    "whoever", "nobody", "somebody", "anew", "journey", "stranger", "overtaken",
  ]
  /// Words that are rarely plain, and may occur only a few times.
  private static let rare = ["behind", "beside", "lies", "otherwise"]

  /// Returns the files that contain code, help texts or documents, except this one.
  private func texts() throws -> [(path: String, text: String)] {
    let root = Architecture.package.path
    let endings = [".swift", ".md", ".sh", ".json", ".py", ".1", ".5", ".7"]
    var texts: [(path: String, text: String)] = []
    for folder in ["Sources", "Tests", "man", "completions"] {
      for path in try FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)").sorted()
      where endings.contains(where: path.hasSuffix) && !path.contains("Fixtures/")
        && !path.hasSuffix("ArchitectureTests.swift")
      {
        let file = "\(folder)/\(path)"
        texts.append((file, try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)))
      }
    }
    for file in try FileManager.default.contentsOfDirectory(atPath: root)
    where file.hasSuffix(".md") {
      texts.append((file, try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)))
    }
    return texts
  }

  /// Returns the words of a text in lowercase. Identifiers are split at capital letters.
  static func words(of text: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    for byte in text.utf8 {
      let isCapital = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
      let isSmall = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
      if !isSmall, !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word = []
      }
      if isCapital || isSmall { word.append(byte | 0x20) }
    }
    if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
    return words
  }

  @Test("code, comments, messages and documents contain no forbidden words")
  func terms() throws {
    var counts: [String: Int] = [:]
    for (path, text) in try texts() {
      // The name of an option is not prose.
      let prose = text.replacing(/behind\\?-proxy/, with: "")
      let words = Self.words(of: prose)
      for (index, word) in words.enumerated() {
        let singular = word.hasSuffix("s") ? String(word.dropLast()) : word
        #expect(
          !Self.forbidden.contains(word) && !Self.forbidden.contains(singular), "\(path): \(word)")
        let next = index + 1 < words.count ? words[index + 1] : ""
        if word == "stands" { #expect(next == "for", "\(path): stands") }
        if Self.rare.contains(word) { counts[word, default: 0] += 1 }
      }
    }
    for (word, count) in counts { #expect(count <= 20, "\(word) occurs \(count) times") }
  }

  @Test("splits identifiers such as readAll into words")
  func splitting() {
    #expect(
      Self.words(of: "let isBehindPage = readAll(x)")
        == ["let", "is", "behind", "page", "read", "all", "x"])
  }
}
