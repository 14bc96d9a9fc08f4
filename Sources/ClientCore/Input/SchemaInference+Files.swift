package import DataModel
import DataXML
package import Inference
package import Maps
package import RecordText

extension SchemaInference {
  /// Infers schemas from the records in files, which are read one after another. If `extent` is
  /// `head`, reads only up to a maximum number of records or bytes, and does not open the remaining
  /// files.
  ///
  /// - Parameters:
  ///   - map: The map that describes the records, or nil if there is none.
  ///   - splits: Whether nested objects become separate schemas. If there is a map, the map
  ///     determines this instead.
  ///   - limit: The maximum number of bytes of a file after decompression, or nil if there is none.
  ///   - open: A closure that opens the file with the given index in `paths`.
  package init(
    _ schema: String, from paths: [String], _ form: TextForm, by map: DataMap?, extent: Extent,
    keepsSystemFields: Bool = false, splits: Bool = false,
    atMost limit: Int? = nil,
    open: (_ index: Int) throws(DataError) -> any ByteSource
  ) throws(DataError) {
    var inference: SchemaInference?
    var missingRecords: String?
    for (index, path) in paths.enumerated() {
      let file = InferenceFile(path, index, of: paths.count)
      var text = try InputText(try open(index), form, file: path, atMost: limit)
      // Returns the inference from the records in `source`, which has the text of the file.
      func read(
        _ source: some ByteSource, _ form: TextForm, splitting: SchemaSplitting,
        lines: (@Sendable (_ record: Int, _ key: String) -> Int)? = nil
      ) throws(DataError) -> SchemaInference {
        try SchemaInference(
          source, schema: schema, form, file: file, extent: extent,
          keepsSystemFields: keepsSystemFields, splitting: splitting, lines: lines,
          continuing: inference)
      }
      if let map {
        let layout = try MapLayout(map, inferring: schema)
        try map.check(form)
        if map.format == .xml { try text.checkXML(file: path) }
        let locations = MapLocations(layout, file: path)
        var converted = TextForm(map.convertedFormat)
        (converted.lenience, converted.assumesZone) = (form.lenience, form.assumesZone)
        do throws(DataError) {
          inference = try read(
            try MappedSource(text, by: layout, locations, form, text.formerEncoding),
            converted, splitting: layout.splitting,
            lines: locations.line(ofRecord:field:))
        } catch {
          throw error.map(locations.located)
        }
        missingRecords = missingRecords ?? locations.missingRecords
      } else if try text.detectXML(form) {
        try text.checkTable(form, file: path)
        try form.checkXML(file: path)
        var xml = TextForm(.xml)
        (xml.lenience, xml.assumesZone) = (form.lenience, form.assumesZone)
        try text.checkXML(file: path)
        inference = try read(
          try XMLRecordSource(text, for: nil, formerEncoding: text.formerEncoding), xml,
          splitting: splits ? .all : .none)
      } else {
        try text.checkTable(form, file: path)
        inference = try read(text, form, splitting: splits ? .all : .none)
      }
      if inference?.readsNextFile == false { break }
    }
    guard let inference else { throw DataError(.usage, "no files to infer the schema from") }
    self = inference
    self.missingRecords = missingRecords
  }
}

extension DataMap {
  /// Throws an error if `form` specifies a format other than the one that the map reads.
  func check(_ form: TextForm) throws(DataError) {
    switch (format, form.format) {
    case (.csv, nil), (.json, .json), (.json, .ndjson), (.xml, .xml), (.csv, .csv), (.csv, .tsv):
      return
    case (.json, let given), (.xml, let given), (.csv, let given):
      guard given != nil || form.tableOption != nil else { return }
      let option =
        form.tableOption
        ?? (form.separator != nil
          ? "--delimiter"
          : form.header != .firstRow ? "--header" : "--input \(given?.rawValue ?? "")")
      throw DataError(
        .usage, "--map \(name) reads \(format.rawValue): \(option) cannot be used with it")
    }
  }
}
