import CommandSyntax
import DataModel
import Maps

extension CommandContext {
  /// Reads the map that `--map` names or contains: a built-in map, a file, or JSON. Returns nil if
  /// the option was not passed.
  func map(_ name: String?) throws(DataError) -> DataMap? {
    guard let name else { return nil }
    if let map = try DataMap(argument: name) { return map }
    do throws(DataError) {
      return try DataMap(
        parsing: try input(name, for: "a map").readAll(atMost: 1 << 20), file: name)
    } catch {
      guard error.code == .fileNotFound else { throw error }
      let names = DataMap.builtIn.map(\.name)
      throw DataError(
        Problem(
          .fileNotFound, "no such file or built-in map",
          hint: nearest(name, among: names).map { "did you mean \($0)?" }
            ?? "built-in maps are \(names.joined(separator: ", "))", file: name))
    }
  }
}

extension Input {
  /// The option `--map`, which names a built-in map or a map file, or contains a map.
  static func map(
    _ property: @autoclosure @escaping Property<String?>, _ summary: String
  ) -> Input {
    .option("--map", property(), value: "MAP", kind: .file, summary)
  }
}
