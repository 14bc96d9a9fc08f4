internal import CCurl
package import DataModel
internal import Platform

/// The functions of libcurl. The library is loaded with `dlopen` when a store on a server is used.
@safe package struct Curl: Sendable {
  #if canImport(Darwin)
    package static let fileNames = ["libcurl.4.dylib"]
  #else
    package static let fileNames = ["libcurl.so.4", "libcurl-gnutls.so.4"]
  #endif

  /// The versions of the library and of the libraries that it uses, such as `7.88.1 OpenSSL/3.0.17`,
  /// or nil if it cannot be opened.
  package static var version: String? {
    DynamicLibrary.version(of: fileNames, from: "curl_version").map {
      String($0.trimmingPrefix("libcurl/"))
    }
  }

  private static let library = OptionalLibrary(
    "libcurl", use: "stores on servers require", package: "libcurl4")

  /// The addresses of libcurl's variadic functions. Swift cannot call such functions, so C
  /// functions of the module `CCurl` call them.
  private let setOption: UInt
  private let information: UInt

  private let initialize: datactl_curl_global_init
  let newEasy: datactl_curl_easy_init
  let freeEasy: datactl_curl_easy_function
  let describe: datactl_curl_easy_strerror
  let appendToList: datactl_curl_list_append
  let freeList: datactl_curl_list_free
  let newMulti: datactl_curl_multi_init
  let freeMulti: datactl_curl_multi_cleanup
  let add: datactl_curl_multi_handle
  let remove: datactl_curl_multi_handle
  let perform: datactl_curl_multi_perform
  let poll: datactl_curl_multi_poll
  let nextMessage: datactl_curl_multi_read

  /// Opens the first library in `fileNames` that is installed. It stays open for the lifetime of
  /// the process. If none is installed, throws an error that contains the name of the package to
  /// install.
  package init(fileNames: [String] = Curl.fileNames) throws(DataError) {
    do throws(DynamicLibrary.LoadError) {
      let library = try DynamicLibrary(fileNames, binding: .lazy)
      try self.init(library)
      library.keepOpen()
    } catch {
      let (message, hint) = Self.library.message(error)
      throw DataError(hint == nil ? .failed : .libraryMissing, message, hint: hint)
    }
    guard initialize(Int(datactl_curl_global_default)) == datactl_curl_ok else {
      throw DataError(.failed, "libcurl cannot be initialized")
    }
  }

  private init(_ library: borrowing DynamicLibrary) throws(DynamicLibrary.LoadError) {
    initialize = try library.find("curl_global_init")
    let setOption: datactl_curl_easy_setopt = unsafe try library.find("curl_easy_setopt")
    let information: datactl_curl_easy_getinfo = unsafe try library.find("curl_easy_getinfo")
    self.setOption = UInt(bitPattern: setOption)
    self.information = UInt(bitPattern: information)
    unsafe newEasy = try library.find("curl_easy_init")
    unsafe freeEasy = try library.find("curl_easy_cleanup")
    unsafe describe = try library.find("curl_easy_strerror")
    unsafe appendToList = try library.find("curl_slist_append")
    unsafe freeList = try library.find("curl_slist_free_all")
    unsafe newMulti = try library.find("curl_multi_init")
    unsafe freeMulti = try library.find("curl_multi_cleanup")
    unsafe add = try library.find("curl_multi_add_handle")
    unsafe remove = try library.find("curl_multi_remove_handle")
    unsafe perform = try library.find("curl_multi_perform")
    unsafe poll = try library.find("curl_multi_poll")
    unsafe nextMessage = try library.find("curl_multi_info_read")
  }
}

/// The options of a transfer (`curl_easy_setopt`). An option that this libcurl does not know is
/// ignored.
extension Curl {
  private var set: datactl_curl_easy_setopt? {
    unsafe datactl_curl_easy_setopt(bitPattern: setOption)
  }

  func set(_ option: Int, _ number: Int, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe datactl_curl_set_number(set, easy, Int32(option), number)
  }

  func set(_ option: Int, offset: Int, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe datactl_curl_set_offset(set, easy, Int32(option), Int64(offset))
  }

  /// Sets an option to a text, which libcurl copies.
  func set(_ option: Int, _ text: String, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe text.withCString { text in
      unsafe datactl_curl_set_pointer(set, easy, Int32(option), text)
    }
  }

  func set(_ option: Int, _ pointer: UnsafeRawPointer?, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe datactl_curl_set_pointer(set, easy, Int32(option), pointer)
  }

  func set(_ option: Int, _ function: datactl_curl_transfer, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe datactl_curl_set_transfer(set, easy, Int32(option), function)
  }

  func set(seek function: datactl_curl_seek, of easy: OpaquePointer) {
    guard let set = unsafe set else { return }
    _ = unsafe datactl_curl_set_seek(set, easy, function)
  }

  /// Returns the status of the response, or 0 if there is none.
  func status(of easy: OpaquePointer) -> Int {
    guard let get = unsafe datactl_curl_easy_getinfo(bitPattern: information) else { return 0 }
    return unsafe datactl_curl_status(get, easy)
  }
}
