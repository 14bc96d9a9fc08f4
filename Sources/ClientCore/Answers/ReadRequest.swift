package import DataModel
package import DataOutput
package import DataStore
package import Maps
package import RecordText

/// What one `get` or `list` command is to print, as the user wrote it. `Client.answer` validates
/// the request and prints the answer.
package struct ReadRequest: Sendable {
  package enum Content: Sendable {
    /// The records with the given ids, in the order of the ids.
    case found(IdentifiedRecords, RecordOptions)
    /// The records that a query selects, as a list, a page or sections.
    case records(QueryInput, RecordOptions)
    /// The number of records that a query selects.
    case count(QueryInput)
    /// The groups of the records that a query selects, or the distinct values of a field.
    case groups(QueryInput, GroupingOptions)
    /// How the query is parsed and executed. With grouping options, the query selects groups.
    case explanation(QueryInput, GroupingOptions?, isCount: Bool)
  }

  package var content: Content
  /// The output format, or nil for the default format.
  package var format: OutputFormat?
  /// The map that describes the printed records, or nil.
  package var map: DataMap?
  package var numbers: RecordWriter.NumberStyle

  package init(
    _ content: Content, as format: OutputFormat? = nil, map: DataMap? = nil,
    numbers: RecordWriter.NumberStyle = .number
  ) {
    self.content = content
    self.format = format
    self.map = map
    self.numbers = numbers
  }

  /// Whether the request can be answered a second time. False if its ids come from a stream that
  /// can be read only once.
  var canRestart: Bool {
    switch content {
    case .found(let lookup, _):
      switch lookup.keys {
      case .one, .several: true
      case .streamed(_, let canRestart): canRestart()
      }
    case .records, .count, .groups, .explanation: true
    }
  }
}

/// The ids of the records to look up, or the values of other fields that identify them.
package struct IdentifiedRecords: Sendable {
  package enum Keys: Sendable {
    /// A single id or value. The record is printed as one JSON object, not as an array.
    case one(String)
    case several(IDList)
    /// Ids or values that are read from a stream, for example from stdin. The closure returns
    /// whether they can be read again.
    case streamed(IDList, canRestart: @Sendable () -> Bool)
  }

  package var schema: String
  package var keys: Keys
  /// The names of the fields by whose values the records are looked up (`--by`), separated by
  /// commas. Nil if the records are looked up by their ids.
  package var identifying: String?
  /// The time zone for computed columns such as `year(due)`, or nil for UTC.
  package var zone: TimeZoneRules?

  package init(
    _ keys: Keys, in schema: String, by identifying: String? = nil, zone: TimeZoneRules? = nil
  ) {
    self.schema = schema
    self.keys = keys
    self.identifying = identifying
    self.zone = zone
  }

  /// The ids or values to look up, which are read in chunks.
  var list: IDList {
    switch keys {
    case .one(let key): [key]
    case .several(let list), .streamed(let list, _): list
    }
  }

  var cardinality: RecordPrinter.Cardinality {
    switch keys {
    case .one: .one
    case .several, .streamed: .several
    }
  }
}

/// The options that control how records are printed.
package struct RecordOptions: Hashable, Sendable {
  /// The page to print. It starts after or ends before the position that a page token specifies.
  package enum Bound: Hashable, Sendable {
    case after(String)
    case before(String)
  }

  package var bound: Bound?
  package var fields: String?
  /// Whether a table on a terminal includes the system fields (`--system`).
  package var showsSystemFields: Bool
  package var expansion: String?
  /// Whether records in to-one relations are printed as columns (`--flatten`).
  package var isFlattened: Bool
  /// The field that divides the records into sections, by the first letter of its value. Nil if
  /// there are no sections.
  package var section: String?
  package var includesFiles: Bool

  package init(
    bound: Bound? = nil, fields: String? = nil, showsSystemFields: Bool = false,
    expansion: String? = nil, isFlattened: Bool = false, section: String? = nil,
    includesFiles: Bool = false
  ) {
    self.bound = bound
    self.fields = fields
    self.showsSystemFields = showsSystemFields
    self.expansion = expansion
    self.isFlattened = isFlattened
    self.section = section
    self.includesFiles = includesFiles
  }

  /// Whether all options that cannot be used with groups, such as `--fields` and `--expand`, have
  /// their default values. `--flatten` is checked elsewhere.
  package var isDefault: Bool {
    bound == nil && fields == nil && !showsSystemFields && expansion == nil && section == nil
      && !includesFiles
  }
}
