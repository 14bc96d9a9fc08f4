internal import CXML
package import DataModel
internal import Platform

/// The functions of libxml2 that parse XML in pieces. The library is opened with `dlopen` when XML
/// is read, so that commands that read no XML load neither libxml2 nor its dependencies.
@safe
package struct LibXML {
  /// The file names under which the library may be installed. libxml2 2.14 has another file name,
  /// because its binary interface has changed. The functions that are used here are still the same.
  #if canImport(Darwin)
    package static let fileNames = ["libxml2.2.dylib", "libxml2.16.dylib"]
  #else
    package static let fileNames = ["libxml2.so.2", "libxml2.so.16"]
  #endif

  let create: datactl_xml_create
  let useOptions: datactl_xml_use_options
  let parse: datactl_xml_parse
  let stop: datactl_xml_parser_void
  let free: datactl_xml_parser_void
  let line: datactl_xml_line

  /// Opens the library. It stays open for the lifetime of the process.
  ///
  /// - Throws: An error that names the package to install, if the library cannot be opened.
  package init(fileNames: [String] = LibXML.fileNames) throws(DataError) {
    for fileName in fileNames {
      let library: DynamicLibrary
      do throws(DynamicLibrary.LoadError) {
        library = try DynamicLibrary(fileName, binding: .lazy)
      } catch {
        if error.isMissing { continue }
        throw DataError(
          .failed, "reading XML requires libxml2, which cannot be loaded: \(error.text)")
      }
      try self.init(library)
      library.keepOpen()
      return
    }
    throw DataError(
      .libraryMissing, "reading XML requires libxml2, which is not installed",
      hint: "install the package libxml2")
  }

  private init(_ library: borrowing DynamicLibrary) throws(DataError) {
    func find<Function>(_ name: String) throws(DataError) -> Function {
      guard let address = unsafe library.address(of: name) else {
        throw DataError(
          .libraryMissing, "this libxml2 is too old: it has no function \(name)",
          hint: "install a newer version of libxml2")
      }
      return unsafe unsafeBitCast(address, to: Function.self)
    }
    unsafe create = try find("xmlCreatePushParserCtxt")
    unsafe useOptions = try find("xmlCtxtUseOptions")
    unsafe parse = try find("xmlParseChunk")
    unsafe stop = try find("xmlStopParser")
    unsafe free = try find("xmlFreeParserCtxt")
    unsafe line = try find("xmlSAX2GetLineNumber")
  }
}
