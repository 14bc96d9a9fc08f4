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

let package = Package(
  name: "datactl",
  targets: [
    .target(name: "DataModel", swiftSettings: settings),
    .target(name: "CommandSyntax", swiftSettings: settings),
    .testTarget(name: "DataModelTests", dependencies: ["DataModel"], swiftSettings: settings),
    .testTarget(name: "CommandSyntaxTests", dependencies: ["CommandSyntax"], swiftSettings: settings),
  ]
)
