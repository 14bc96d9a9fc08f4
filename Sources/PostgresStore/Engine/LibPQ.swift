import CPostgres
package import DataModel
import Platform

/// The functions of libpq. The library is loaded with `dlopen` when the first connection is opened,
/// so that commands that do not use PostgreSQL load neither libpq nor its dependencies.
@safe
package struct LibPQ {
  #if canImport(Darwin)
    package static let fileName = "libpq.5.dylib"
  #else
    package static let fileName = "libpq.so.5"
  #endif

  /// The version of the library, or nil if it cannot be opened.
  package static var version: String? {
    DynamicLibrary.version(of: [fileName]) { (library) throws(DynamicLibrary.LoadError) in
      let find: @convention(c) () -> Int32 = try library.find("PQlibVersion")
      let version = find()
      return version >= 10_000 ? "\(version / 10_000).\(version % 10_000)" : nil
    }
  }

  let parse: datactl_pq_conninfo_parse
  let connectionInfo: datactl_pq_conninfo
  let freeOptions: datactl_pq_free_options
  let freeMemory: datactl_pq_free_memory
  let connectStart: datactl_pq_connect_start
  let connectPoll: datactl_pq_connection_int
  let finish: datactl_pq_connection_void
  let status: datactl_pq_connection_int
  let socket: datactl_pq_connection_int
  let serverVersion: datactl_pq_connection_int
  let parameter: datactl_pq_parameter
  let message: datactl_pq_connection_string
  let send: datactl_pq_send
  let consumeInput: datactl_pq_connection_int
  let isBusy: datactl_pq_connection_int
  let getResult: datactl_pq_get_result
  let enterPipeline: datactl_pq_connection_int
  let exitPipeline: datactl_pq_connection_int
  let syncPipeline: datactl_pq_connection_int
  let sendFlush: datactl_pq_connection_int
  let putCopyData: datactl_pq_put_copy_data
  let putCopyEnd: datactl_pq_put_copy_end
  let getCancel: datactl_pq_get_cancel
  let cancel: datactl_pq_do_cancel
  let freeCancel: datactl_pq_free_cancel
  let clear: datactl_pq_clear
  let resultStatus: datactl_pq_result_int
  let errorField: datactl_pq_error_field
  let changedRows: datactl_pq_result_string
  let rowCount: datactl_pq_result_int
  let columnCount: datactl_pq_result_int
  let columnName: datactl_pq_column_name
  let columnType: datactl_pq_column_type
  let value: datactl_pq_value
  let length: datactl_pq_value_int
  let isNull: datactl_pq_value_int
  let setNoticeReceiver: datactl_pq_set_notice_receiver
  let setVerbosity: datactl_pq_set_verbosity
  let host: datactl_pq_connection_string
  let hostAddress: datactl_pq_connection_string
  let port: datactl_pq_connection_string

  /// Opens the library. If this fails, throws an error that names the package to install. The
  /// library stays open for the lifetime of the process.
  package init(fileName: String = LibPQ.fileName) throws(DataError) {
    do throws(DynamicLibrary.LoadError) {
      let library = try DynamicLibrary([fileName], binding: .lazy)
      try self.init(library)
      library.keepOpen()
    } catch {
      let message =
        switch error {
        case .missing: "stores on PostgreSQL require libpq: install the package libpq5"
        case .failed(let text):
          "stores on PostgreSQL require libpq, which cannot be loaded: \(text)"
        case .functionMissing(let name):
          "libpq is too old: \(name) is missing; install libpq5 of PostgreSQL 14 or newer"
        }
      throw DataError(.storeUnreachable, message)
    }
  }

  private init(_ library: borrowing DynamicLibrary) throws(DynamicLibrary.LoadError) {
    unsafe parse = try library.find("PQconninfoParse")
    unsafe connectionInfo = try library.find("PQconninfo")
    unsafe freeOptions = try library.find("PQconninfoFree")
    unsafe freeMemory = try library.find("PQfreemem")
    unsafe connectStart = try library.find("PQconnectStartParams")
    unsafe connectPoll = try library.find("PQconnectPoll")
    unsafe finish = try library.find("PQfinish")
    unsafe status = try library.find("PQstatus")
    unsafe socket = try library.find("PQsocket")
    unsafe serverVersion = try library.find("PQserverVersion")
    unsafe parameter = try library.find("PQparameterStatus")
    unsafe message = try library.find("PQerrorMessage")
    unsafe send = try library.find("PQsendQueryParams")
    unsafe consumeInput = try library.find("PQconsumeInput")
    unsafe isBusy = try library.find("PQisBusy")
    unsafe getResult = try library.find("PQgetResult")
    unsafe enterPipeline = try library.find("PQenterPipelineMode")
    unsafe exitPipeline = try library.find("PQexitPipelineMode")
    unsafe syncPipeline = try library.find("PQpipelineSync")
    unsafe sendFlush = try library.find("PQsendFlushRequest")
    unsafe putCopyData = try library.find("PQputCopyData")
    unsafe putCopyEnd = try library.find("PQputCopyEnd")
    unsafe getCancel = try library.find("PQgetCancel")
    unsafe cancel = try library.find("PQcancel")
    unsafe freeCancel = try library.find("PQfreeCancel")
    unsafe clear = try library.find("PQclear")
    unsafe resultStatus = try library.find("PQresultStatus")
    unsafe errorField = try library.find("PQresultErrorField")
    unsafe changedRows = try library.find("PQcmdTuples")
    unsafe rowCount = try library.find("PQntuples")
    unsafe columnCount = try library.find("PQnfields")
    unsafe columnName = try library.find("PQfname")
    unsafe columnType = try library.find("PQftype")
    unsafe value = try library.find("PQgetvalue")
    unsafe length = try library.find("PQgetlength")
    unsafe isNull = try library.find("PQgetisnull")
    unsafe setNoticeReceiver = try library.find("PQsetNoticeReceiver")
    unsafe setVerbosity = try library.find("PQsetErrorVerbosity")
    unsafe host = try library.find("PQhost")
    unsafe hostAddress = try library.find("PQhostaddr")
    unsafe port = try library.find("PQport")
  }
}
