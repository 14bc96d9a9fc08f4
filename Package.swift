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
  ("CommandSyntax", []),
]

/// Each test target with the rooms whose door it uses.
let tests: [(name: String, imports: [String])] = [
  ("DataModelTests", ["DataModel"]),
  ("DataTextTests", ["DataModel", "DataText", "QuestionSamples"]),
  ("CommandSyntaxTests", ["CommandSyntax"]),
]

/// What tests of several rooms share: random schemas, records and conditions.
let samples = Target.target(
  name: "QuestionSamples", dependencies: ["DataModel"], path: "Tests/QuestionSamples",
  swiftSettings: settings)

func dependencies(_ names: [String]) -> [Target.Dependency] {
  names.map { .target(name: $0) }
}

let package = Package(
  name: "datactl",
  targets: rooms.map { room in
    .target(
      name: room.name, dependencies: dependencies(room.mayImport), swiftSettings: settings)
  }
    + tests.map { test in
      .testTarget(
        name: test.name, dependencies: dependencies(test.imports), swiftSettings: settings)
    } + [samples]
)
