// swift-tools-version: 6.2

import PackageDescription

/// Settings that hold for every target, without exception.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// The rooms of the house; `Sources/README.md` has the picture.
let rooms: [(name: String, mayImport: [String])] = [
  ("DataModel", []),
  ("DataText", ["DataModel"]),
  ("DataStore", ["DataModel"]),
  ("SQLiteStore", ["DataStore", "DataModel", "CSQLite"]),
  ("PostgresStore", ["DataStore", "DataModel", "CPostgres"]),
  (
    "ClientCore",
    ["SQLiteStore", "PostgresStore", "DataStore", "DataText", "DataModel", "CSodium"]
  ),
  ("DataClient", ["ClientCore", "DataStore", "DataText", "DataModel"]),
  ("CommandSyntax", []),
]

/// The doors to C, which hold no logic.
let doors: [Target] = [
  .systemLibrary(name: "CSQLite"),
  .systemLibrary(name: "CPostgres"),
  .systemLibrary(name: "CSodium"),
]

/// Each test target with the rooms whose door it uses.
let tests: [(name: String, imports: [String])] = [
  ("DataModelTests", ["DataModel", "TestSupport"]),
  ("DataTextTests", ["DataModel", "DataText", "TestSupport"]),
  (
    "StoreContractTests",
    [
      "DataModel", "DataStore", "SQLiteStore", "PostgresStore", "TestSupport",
      "PostgresHarness", "CSQLite",
    ]
  ),
  ("SQLiteStoreTests", ["SQLiteStore", "DataStore", "DataModel", "CSQLite"]),
  ("PostgresStoreTests", ["PostgresStore", "DataStore", "DataModel"]),
  ("DataClientTests", ["DataClient", "DataText", "DataStore", "DataModel"]),
  ("ExportedTypesTests", ["DataClient"]),
  ("CommandSyntaxTests", ["CommandSyntax"]),
  ("datactlTests", ["datactl", "DataModel", "CommandSyntax"]),
  ("ArchitectureTests", []),
  // Its tests read the module interfaces of the library, so the library is built before them.
  ("ProductTests", ["DataClient"]),
]

/// What tests of several rooms share: random schemas, records and conditions.
let samples = Target.target(
  name: "TestSupport", dependencies: ["DataModel"], path: "Tests/TestSupport",
  swiftSettings: settings)

/// A PostgreSQL server for tests, and what stands in its way.
let servers = Target.target(
  name: "PostgresHarness", path: "Tests/PostgresHarness", swiftSettings: settings)

/// What runs the program from outside: a harness, the tests of the commands, and the benchmarks.
let outside: [Target] = [
  .target(name: "CHarness", path: "Tests/CHarness"),
  .target(
    name: "ProgramHarness", dependencies: ["CHarness"], path: "Tests/ProgramHarness",
    swiftSettings: settings),
  .testTarget(
    name: "CommandTests", dependencies: ["ProgramHarness", "PostgresHarness", "TestSupport"],
    exclude: [
      "Cases", "Examples/session.sh", "Fixtures", "Golden", "Model", "Schemas/validate.py",
      "Fakes",
    ], swiftSettings: settings),
  .executableTarget(
    name: "Benchmarks", dependencies: ["ProgramHarness", "PostgresHarness"],
    path: "Tests/Benchmarks",
    swiftSettings: settings),
]

/// The program, which stands on all of them.
let program = (
  name: "datactl", mayImport: ["DataModel", "DataText", "DataStore", "ClientCore", "CommandSyntax"]
)

func dependencies(_ names: [String]) -> [Target.Dependency] {
  names.map { .target(name: $0) }
}

let package = Package(
  name: "datactl",
  products: [
    .executable(name: "datactl", targets: ["datactl"]),
    .library(name: "DataClient", targets: ["DataClient"]),
  ],
  targets: rooms.map { room in
    .target(
      name: room.name, dependencies: dependencies(room.mayImport), swiftSettings: settings)
  }
    + [
      .executableTarget(
        name: program.name, dependencies: dependencies(program.mayImport), swiftSettings: settings)
    ]
    + tests.map { test in
      .testTarget(
        name: test.name, dependencies: dependencies(test.imports), swiftSettings: settings)
    } + doors + outside + [samples, servers]
)
