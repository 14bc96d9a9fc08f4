internal import Conditions
package import DataAPI
internal import DataModel
internal import DataOutput
internal import DataStore
internal import JSONText
internal import RecordText

/// The parameters by which a server executes a request. Their names are those of the options of
/// `list` and `get`, so the server decodes them as it decodes the options.
extension ReadRequest {
  package var parameters: Parameters {
    var list = Parameters()
    switch content {
    case .found(let lookup, let options):
      for id in lookup.keys.given { list.append("id", id) }
      list.append("by", lookup.identifying)
      list.append("zone", lookup.zone?.name)
      options.append(to: &list)
    case .records(let query, let options):
      query.append(to: &list)
      options.append(to: &list)
    case .count(let query):
      query.append(to: &list)
      list.append("count", flag: true)
    case .groups(let query, let options):
      query.append(to: &list)
      options.append(to: &list)
    case .explanation(let query, let options, let isCount):
      query.append(to: &list)
      options?.append(to: &list)
      list.append("count", flag: isCount)
      list.append("explain", flag: true)
    }
    list.append("map", map?.argument)
    list.append("output", format?.rawValue)
    list.append("numbers", numbers == .number ? nil : numbers.rawValue)
    return list
  }
}

extension IdentifiedRecords.Keys {
  /// The ids or values, unless they are read from a stream.
  fileprivate var given: [String] {
    switch self {
    case .one(let key): [key]
    case .several(let list), .streamed(let list, _): list.array ?? []
    }
  }
}

extension QueryInput {
  package func append(to list: inout Parameters) {
    list.append("function", function)
    for condition in conditions { list.append("where", condition) }
    for (name, value) in parameters.sorted(by: {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }) {
      switch value {
      case .text(let text): list.append("param.\(name)", text)
      case .json(let value): list.append("json.\(name)", "\(value)")
      }
    }
    for match in matches { list.append("match.\(match.name)", "\(match.value)") }
    list.append("zone", zone?.name)
    list.append("order", order.isEmpty ? nil : order)
    list.append("limit", limit.map(String.init))
    list.append("per", limitedValue)
  }
}

extension RecordOptions {
  fileprivate func append(to list: inout Parameters) {
    if case .after(let token)? = bound { list.append("after", token) }
    if case .before(let token)? = bound { list.append("before", token) }
    list.append("fields", fields)
    list.append("expand", expansion)
    list.append("flatten", flag: isFlattened)
    list.append("section_by", section)
    list.append("with_files", flag: includesFiles)
  }
}

extension GroupingOptions {
  fileprivate func append(to list: inout Parameters) {
    list.append("distinct", distinct)
    list.append("group_by", keys)
    for values in aggregates { list.append(values.function.rawValue, values.list) }
    list.append("having", having)
    list.append("order", order)
    list.append("count", flag: isCounted)
  }
}

extension Parameters {
  fileprivate mutating func append(_ name: String, _ value: String?) {
    if let value { append(name, value) }
  }

  fileprivate mutating func append(_ name: String, flag: Bool) {
    if flag { append(name, "true") }
  }
}
