import Foundation
import Glibc
import ProgramHarness
import TestSupport
import Testing

@Suite(
  "Packages", .serialized, .tags(.process, .slow), .from(.all),
  .needs(Binary.path.contains("/release/"), "only a release is packaged"))
struct PackageTests {
  private static func has(_ programs: String...) -> Bool {
    programs.allSatisfy { program in
      ["/usr/bin", "/usr/sbin"].contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
      }
    }
  }

  private static let requiresAll =
    ProcessInfo.processInfo.environment["DATACTL_REQUIRE_ALL"] == "1"

  /// Runs a script of the folder `Tests/Packaging`, which must succeed.
  @discardableResult
  private static func run(_ script: String, _ arguments: String...) throws -> Run {
    var program = Program(
      [Binary.file("Tests/Packaging/\(script)")],
      environment: [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        "HOME": NSHomeDirectory(), "BINARY": Binary.path,
        "DATACTL_REQUIRE_ALL": requiresAll ? "1" : "0",
      ], directory: Binary.package.path)
    program.timeLimit = .seconds(1_500)
    return try program.run(arguments).exits(0)
  }

  /// The package for Debian, and the folder that contains its files. The archive is built too.
  private static let built = Result {
    try run("build.sh", "tarball")
    let listing = try run("build.sh", "deb").output
    let name = try #require(listing.firstMatch(of: /datactl_\S+\.deb/)).output
    return Binary.file(".build/packages/\(name)")
  }

  private let package: String
  private let folder: TestFolder

  init() throws {
    package = try Self.built.get()
    folder = try TestFolder()
    try folder.tool("dpkg-deb", "-R", package, "package")
  }

  @Test("the list of parts names every library that the program is linked with or opens")
  func parts() throws {
    let text = try folder.tool(
      "jq", "-r",
      """
      .packages[1:][] as $package
      | .relationships[] | select([.spdxElementId, .relatedSpdxElement] | index($package.SPDXID))
      | "\\(.relationshipType) \\($package.comment)"
      """, "package/usr/share/doc/datactl/sbom.spdx.json")
    func files(_ relation: String) -> [String] {
      text.lines.filter { $0.hasPrefix("\(relation) Files: ") }
        .flatMap { $0.split(separator: " ").dropFirst(2).map(String.init) }.sorted()
    }
    let linked = try folder.tool("readelf", "-d", "package/usr/bin/datactl").output
      .matches(of: /\(NEEDED\).*\[(.*)\]/).map { String($0.output.1) }
    #expect(files("DYNAMIC_LINK") == linked.sorted())
    var opened: Set<String> = []
    var callers: [String] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: Binary.file("Sources"))
    where path.hasSuffix(".swift") || path.hasSuffix(".h") {
      let source = try Binary.text(of: "Sources/\(path)")
      opened.formUnion(source.matches(of: /"([^"\s]*\.so\.[^"\s]*)"/).map { String($0.output.1) })
      if source.contains("dlopen(") { callers.append(path) }
    }
    #expect(callers == ["Platform/DynamicLibrary.swift"])
    #expect(files("OPTIONAL_DEPENDENCY_OF") == opened.sorted())
    #expect(Set(files("STATIC_LINK")).isSuperset(of: ["libswiftCore.a", "libstdc++.a"]))
  }

  @Test("the program needs no newer glibc than the package says")
  func glibc() throws {
    let versions = try folder.tool("readelf", "-V", "package/usr/bin/datactl").output
      .matches(of: /GLIBC_2\.(\d+)/).compactMap { Int($0.output.1) }
    #expect(versions.max() == 34)
    let control = try String(contentsOfFile: folder.path("package/DEBIAN/control"), encoding: .utf8)
    #expect(control.contains("Depends: libc6 (>= 2.34), "))
  }

  @Test("relocated data of the program is read-only")
  func relocations() throws {
    let segments = try folder.tool("readelf", "-lW", "package/usr/bin/datactl").output
    #expect(segments.contains("GNU_RELRO"))
  }

  @Test("lintian reports no error", .needs(has("lintian"), "lintian is not installed"))
  func lintian() throws {
    try folder.tool("lintian", "--fail-on", "error", package)
  }

  @Test(
    "the unit of systemd exposes little",
    .needs(has("systemd-analyze"), "systemd-analyze is not installed"))
  func exposure() throws {
    try folder.tool(
      "systemd-analyze", "security", "--offline=yes", "--threshold=19", "--no-pager",
      folder.path("package/lib/systemd/system/datactl.service"))
  }

  @Test(
    "a fresh system installs, upgrades, runs and removes the packages",
    .needs(
      getuid() == 0 && has("debootstrap", "curl", "systemd-nspawn", "git"),
      "the user is not root, or debootstrap, curl, git or systemd-container is not installed"),
    arguments: ["deb", "tarball", "older", "container", "service", "twice"])
  func system(part: String) throws {
    do {
      try Self.run("test.sh", "mirror", part == "older" ? "bullseye" : "bookworm")
    } catch  where !Self.requiresAll {
      print("skipped: no mirror of Debian can be reached")
      return
    }
    try Self.run("test.sh", part)
  }
}
