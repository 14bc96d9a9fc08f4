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

/// The modules; `Sources/README.md` describes them.
let modules: [(name: String, mayImport: [String])] = [
  ("JSONText", []),
  ("DataModel", ["JSONText", "CSHA256"]),
  ("Platform", ["CZlib", "CGlibc"]),
  ("RecordText", ["DataModel", "JSONText"]),
  ("Conditions", ["RecordText", "DataModel", "JSONText"]),
  ("SchemaText", ["RecordText", "DataModel", "JSONText"]),
  ("Inference", ["RecordText", "DataModel", "JSONText"]),
  ("Maps", ["Inference", "RecordText", "DataModel", "JSONText"]),
  ("DataXML", ["Maps", "RecordText", "DataModel", "JSONText", "Platform", "CXML"]),
  ("DataAPI", ["DataModel", "JSONText"]),
  ("DataStore", ["DataModel", "JSONText"]),
  (
    "DataOutput",
    [
      "Conditions", "SchemaText", "Maps", "DataXML", "DataStore", "RecordText", "DataModel",
      "JSONText", "Platform",
    ]
  ),
  ("ServerClient", ["DataAPI", "DataModel", "JSONText", "Platform", "CCurl"]),
  ("SQLiteStore", ["DataStore", "DataModel", "JSONText", "Platform", "CSQLite"]),
  ("PostgresStore", ["DataStore", "DataModel", "JSONText", "Platform", "CPostgres"]),
  (
    "ClientCore",
    [
      "SQLiteStore", "PostgresStore", "ServerClient", "DataOutput", "DataXML", "DataAPI",
      "DataStore", "Conditions", "SchemaText", "Inference", "Maps", "RecordText", "DataModel",
      "JSONText", "Platform", "CSodium",
    ]
  ),
  (
    "DataClient",
    [
      "ClientCore", "DataOutput", "DataStore", "SchemaText", "Maps", "RecordText", "DataModel",
      "JSONText",
    ]
  ),
  (
    "DataServer",
    [
      "ClientCore", "DataAPI", "DataOutput", "DataStore", "Conditions", "SchemaText", "RecordText",
      "DataModel", "JSONText", "Platform", "CMicroHTTP",
    ]
  ),
  ("CommandSyntax", []),
]

/// The C modules, which contain headers only.
let cModules: [Target] = [
  .systemLibrary(name: "CSQLite"),
  .systemLibrary(name: "CPostgres"),
  .systemLibrary(name: "CSodium"),
  .systemLibrary(name: "CXML"),
  .systemLibrary(name: "CZlib"),
  .systemLibrary(name: "CMicroHTTP"),
  .systemLibrary(name: "CCurl"),
  .systemLibrary(name: "CGlibc"),
  .systemLibrary(name: "CSHA256"),
]

/// Each test target with the modules that it imports.
let tests: [(name: String, imports: [String])] = [
  ("JSONTextTests", ["DataModel", "JSONText", "TestSupport"]),
  ("DataModelTests", ["DataModel", "JSONText", "TestSupport"]),
  (
    "RecordTextTests",
    ["DataModel", "JSONText", "RecordText", "SchemaText", "Inference", "Maps", "TestSupport"]
  ),
  (
    "ConditionsTests",
    ["DataModel", "JSONText", "RecordText", "Conditions", "SchemaText", "TestSupport"]
  ),
  ("SchemaTextTests", ["DataModel", "SchemaText"]),
  (
    "InferenceTests",
    ["DataModel", "JSONText", "RecordText", "SchemaText", "Inference", "TestSupport"]
  ),
  (
    "DataXMLTests",
    ["DataModel", "JSONText", "RecordText", "Inference", "Maps", "DataXML", "TestSupport"]
  ),
  ("DataOutputTests", ["DataOutput"]),
  ("DataAPITests", ["DataAPI", "DataModel", "TestSupport"]),
  (
    "DataServerTests",
    ["DataServer", "ClientCore", "DataStore", "DataModel", "Platform", "TestSupport"]
  ),
  (
    "StoreContractTests",
    [
      "ClientCore", "DataModel", "DataStore", "SQLiteStore", "PostgresStore", "TestSupport",
      "PostgresHarness", "CSQLite",
    ]
  ),
  ("SQLiteStoreTests", ["SQLiteStore", "DataStore", "DataModel", "CSQLite", "TestSupport"]),
  ("PostgresStoreTests", ["PostgresStore", "DataStore", "DataModel"]),
  (
    "DataClientTests",
    [
      "DataClient", "ServerClient", "DataOutput", "Conditions", "SchemaText", "RecordText",
      "DataStore", "DataModel", "TestSupport",
    ]
  ),
  ("ExportedTypesTests", ["DataClient"]),
  ("CommandSyntaxTests", ["CommandSyntax", "TestSupport"]),
  (
    "datactlTests",
    [
      "datactl", "ClientCore", "DataStore", "DataAPI", "DataOutput", "DataModel", "Platform",
      "CommandSyntax", "TestSupport", "ProgramHarness",
    ]
  ),
  ("ArchitectureTests", []),
  // Its tests read the module interfaces of the library, so the library is built before them.
  ("ProductTests", ["DataClient", "TestSupport"]),
]

/// What several test targets share: random schemas, records and conditions, temporary folders, and a
/// store in memory that is the model of all engines.
let samples = Target.target(
  name: "TestSupport", dependencies: ["DataModel", "JSONText", "RecordText", "DataStore"],
  path: "Tests/TestSupport", swiftSettings: settings)

/// A PostgreSQL server for tests, with proxies and fakes.
let servers = Target.target(
  name: "PostgresHarness", dependencies: ["ProgramHarness"], path: "Tests/PostgresHarness",
  swiftSettings: settings)

/// What runs the program as a child process: a harness, the tests of the commands, and the benchmarks.
let outside: [Target] = [
  .target(name: "CHarness", path: "Tests/CHarness"),
  .target(
    name: "ProgramHarness", dependencies: ["CHarness"], path: "Tests/ProgramHarness",
    swiftSettings: settings),
  .testTarget(
    name: "CommandTests",
    dependencies: ["ProgramHarness", "PostgresHarness", "TestSupport", "DataClient"],
    exclude: [
      "Cases", "Examples/session.sh", "Fixtures", "Golden", "Model", "Schemas/validate.py",
      "Fakes",
    ], swiftSettings: settings),
  .executableTarget(
    name: "Benchmarks", dependencies: ["ProgramHarness", "PostgresHarness"],
    path: "Tests/Benchmarks", exclude: ["README.md", "tasks.sh"], swiftSettings: settings),
]

/// The program.
let program = (
  name: "datactl",
  mayImport: [
    "DataModel", "JSONText", "RecordText", "Conditions", "SchemaText", "Inference", "Maps",
    "DataXML", "DataStore", "DataOutput", "DataAPI", "DataServer", "ClientCore", "ServerClient",
    "CommandSyntax", "Platform",
  ]
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
  targets: modules.map { module in
    .target(
      name: module.name, dependencies: dependencies(module.mayImport), swiftSettings: settings)
  }
    + [
      .executableTarget(
        name: program.name, dependencies: dependencies(program.mayImport), swiftSettings: settings)
    ]
    + tests.map { test in
      .testTarget(
        name: test.name, dependencies: dependencies(test.imports), swiftSettings: settings)
    } + cModules + outside + [samples, servers]
)
