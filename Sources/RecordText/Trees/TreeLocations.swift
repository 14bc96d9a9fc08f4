package import DataModel
import Synchronization

/// The location of a record in a tree: the containing record, the field and the index in this
/// field, and the line of the input.
struct TreeLocation: BitwiseCopyable, Sendable {
  /// The index of the containing record's location in the same array of locations, or -1 for the
  /// root of a tree.
  var parent: Int32
  /// The field of the containing record, as an index in `Schema.slots`, followed by the declared
  /// inverses.
  var slot: Int32
  /// The index of the record in a to-many relation, or -1 in a to-one relation.
  var index: Int32
  /// The line of the input in which the record begins.
  var line: Int32
}

/// The locations of all records of an input. Copies of a reader share these locations, so that a
/// problem can be located after more records have been read.
package final class TreeLocations: Sendable {
  /// The number of most recent records whose paths are kept. For earlier records, only the lines
  /// are kept.
  private static let maxPaths = 500_000
  /// The number of locations after which a block is full. Further locations are added to a new
  /// block.
  private static let blockSize = 10_000

  private struct State {
    /// The lines of the first records of the input, whose complete locations were removed to save
    /// memory.
    var lines: [Int32] = []
    /// The complete locations of the most recent records. They are divided into several arrays,
    /// because a single array would be copied when it grows.
    var blocks: [Block] = []

    var count: Int { blocks.last?.end ?? lines.count }

    /// Returns the block that contains the location with the given number, or nil if only the line
    /// of this location is kept.
    func block(_ number: Int) -> Block? {
      number < count ? blocks.last { $0.first <= number } : nil
    }
  }

  private struct Block {
    /// The number of the first location in this block, counted from 0 at the start of the input.
    let first: Int
    /// The locations. Each `parent` is an index in this array.
    var locations: [TreeLocation]

    var end: Int { first + locations.count }
  }

  private let root: Schema
  private let catalog: Catalog
  private let file: String
  private let state = Mutex(State())

  init(_ root: Schema, in catalog: Catalog, file: String) {
    self.root = root
    self.file = file
    self.catalog = catalog
  }

  /// The number of records whose locations have been added.
  var count: Int { state.withLock(\.count) }

  /// Adds the locations of records.
  func add(_ locations: [TreeLocation]) {
    state.withLock { state in
      let number = state.count
      if let last = state.blocks.indices.last, state.blocks[last].locations.count < Self.blockSize {
        let offset = Int32(state.blocks[last].locations.count)
        for var location in locations {
          if location.parent >= 0 { location.parent += offset }
          state.blocks[last].locations.append(location)
        }
      } else {
        // The array of the caller has a larger capacity, and is used again.
        state.blocks.append(Block(first: number, locations: locations.map { $0 }))
      }
      while let oldest = state.blocks.first, number - oldest.end >= Self.maxPaths {
        state.lines += oldest.locations.map(\.line)
        state.blocks.removeFirst()
      }
    }
  }

  /// Returns a copy of a problem with its line in the input and its path in the tree.
  ///
  /// - Parameter problem: A problem whose `line` contains, instead of a line, the number of the
  ///   record's location, counted from 0.
  package func located(_ problem: Problem) -> Problem {
    guard let number = problem.line, let line = line(number) else { return problem }
    var located = problem
    located.file = file
    located.line = line
    located.column = nil
    located.path = path(number)
    return located
  }

  /// Returns the line of the input in which a record begins, or nil if there is no such record.
  ///
  /// - Parameter number: The number of the record's location, counted from 0.
  package func line(_ number: Int) -> Int? {
    state.withLock { state in
      if state.lines.indices.contains(number) { return Int(state.lines[number]) }
      return state.block(number).map { Int($0.locations[number - $0.first].line) }
    }
  }

  /// Returns the path of a record in its tree, such as `$.steps[1]`; `$` is the root of the tree.
  /// Returns nil if the path of the record is not kept.
  ///
  /// - Parameter number: The number of the record's location, counted from 0.
  func path(_ number: Int) -> String? {
    state.withLock { state in
      state.block(number).map { Self.path(number - $0.first, in: $0.locations, root, catalog) }
    }
  }

  /// Returns the path of the record at an index in `locations`, such as `$.steps[1]`. `root` is the
  /// schema of the tree's root.
  static func path(
    _ index: Int, in locations: [TreeLocation], _ root: Schema, _ catalog: Catalog
  ) -> String {
    var indices = [index]
    while locations[indices[0]].parent >= 0 {
      indices.insert(Int(locations[indices[0]].parent), at: 0)
    }
    var path = "$"
    var schema = root
    for index in indices.dropFirst() {
      let location = locations[index]
      let slot = Int(location.slot)
      let name: String
      if slot < schema.width {
        name = schema.name(of: slot)
        schema = schema.type(of: slot).relation.flatMap { catalog[$0.target] } ?? schema
      } else {
        let inverse = catalog.declaredInverses(of: schema)[slot - schema.width]
        (name, schema) = (inverse.name, inverse.source)
      }
      path += ".\(name)"
      if location.index >= 0 { path += "[\(location.index)]" }
    }
    return path
  }
}
