import DataModel
import DataStore
import DataText

/// The fields to print: fields of the record, and fields reached through relations.
struct FieldChoice {
  /// The slots of the record's own fields, in the order of the schema.
  let slots: [Int]
  /// The fields of related records, in the order of the option.
  let alongside: [FieldPath]
  let columns: [RecordWriter.Column]

  /// Parses comma-separated names and paths; nil selects all fields. Expanded relations are always
  /// included.
  init(
    _ list: String?, of schema: Schema, in catalog: Catalog, expanding expansion: Expansion
  ) throws(DataError) {
    guard let list else {
      self.init(schema.printedSlots, [], [], of: schema)
      return
    }
    var problems: [Problem] = []
    var wanted = Set([schema.keySlot] + expansion.slots)
    var paths: [FieldPath] = []
    var types: [FieldType] = []
    for name in list.fieldNames {
      do throws(DataError) {
        guard name.contains(".") else {
          wanted.insert(try schema.printedSlot(named: name))
          continue
        }
        let (path, type) = try catalog.shown(name, of: schema)
        if paths.contains(path) { continue }
        paths.append(path)
        types.append(type)
      } catch {
        problems += error.problems
      }
    }
    if let error = DataError(problems) { throw error }
    self.init(schema.printedSlots.filter(wanted.contains), paths, types, of: schema)
  }

  private init(_ slots: [Int], _ paths: [FieldPath], _ types: [FieldType], of schema: Schema) {
    self.slots = slots
    alongside = paths
    columns =
      slots.map { schema.column($0) }
      + paths.indices.map { place in
        RecordWriter.Column(
          paths[place].description, types[place], slot: schema.width + place)
      }
  }
}

extension String {
  /// The names in a comma-separated list.
  var fieldNames: [String] {
    split(separator: ",", omittingEmptySubsequences: false).map { name in
      var name = name
      while name.first == " " { name.removeFirst() }
      while name.last == " " { name.removeLast() }
      return String(name)
    }
  }
}

extension Catalog {
  /// Returns the path and the type of a field that is reached through to-one relations.
  fileprivate func shown(
    _ name: String, of schema: Schema
  ) throws(DataError) -> (path: FieldPath, type: FieldType) {
    let path: FieldPath
    do throws(PathFault) {
      path = try route(FieldPath(dotted: name).names, from: schema).path
    } catch {
      throw DataError(error)
    }
    let route = try Query(schema, alongside: [path]).routesAlongside(in: self)[0]
    return (path, route.type)
  }
}
