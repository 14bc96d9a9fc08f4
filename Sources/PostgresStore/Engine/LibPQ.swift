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
    let library: DynamicLibrary
    do throws(DynamicLibrary.LoadError) {
      library = try DynamicLibrary(fileName, binding: .lazy)
    } catch {
      throw DataError(
        .storeUnreachable,
        error.isMissing
          ? "stores on PostgreSQL require libpq: install the package libpq5"
          : "stores on PostgreSQL require libpq, which cannot be loaded: \(error.text)")
    }
    try self.init(library)
    library.keepOpen()
  }

  private init(_ library: borrowing DynamicLibrary) throws(DataError) {
    func find<Function>(_ name: String) throws(DataError) -> Function {
      guard let address = unsafe library.address(of: name) else {
        throw DataError(
          .storeUnreachable,
          "libpq is too old: \(name) is missing; install libpq5 of PostgreSQL 14 or newer")
      }
      return unsafe unsafeBitCast(address, to: Function.self)
    }
    unsafe parse = try find("PQconninfoParse")
    unsafe connectionInfo = try find("PQconninfo")
    unsafe freeOptions = try find("PQconninfoFree")
    unsafe freeMemory = try find("PQfreemem")
    unsafe connectStart = try find("PQconnectStartParams")
    unsafe connectPoll = try find("PQconnectPoll")
    unsafe finish = try find("PQfinish")
    unsafe status = try find("PQstatus")
    unsafe socket = try find("PQsocket")
    unsafe serverVersion = try find("PQserverVersion")
    unsafe parameter = try find("PQparameterStatus")
    unsafe message = try find("PQerrorMessage")
    unsafe send = try find("PQsendQueryParams")
    unsafe consumeInput = try find("PQconsumeInput")
    unsafe isBusy = try find("PQisBusy")
    unsafe getResult = try find("PQgetResult")
    unsafe enterPipeline = try find("PQenterPipelineMode")
    unsafe exitPipeline = try find("PQexitPipelineMode")
    unsafe syncPipeline = try find("PQpipelineSync")
    unsafe sendFlush = try find("PQsendFlushRequest")
    unsafe putCopyData = try find("PQputCopyData")
    unsafe putCopyEnd = try find("PQputCopyEnd")
    unsafe getCancel = try find("PQgetCancel")
    unsafe cancel = try find("PQcancel")
    unsafe freeCancel = try find("PQfreeCancel")
    unsafe clear = try find("PQclear")
    unsafe resultStatus = try find("PQresultStatus")
    unsafe errorField = try find("PQresultErrorField")
    unsafe changedRows = try find("PQcmdTuples")
    unsafe rowCount = try find("PQntuples")
    unsafe columnCount = try find("PQnfields")
    unsafe columnName = try find("PQfname")
    unsafe columnType = try find("PQftype")
    unsafe value = try find("PQgetvalue")
    unsafe length = try find("PQgetlength")
    unsafe isNull = try find("PQgetisnull")
    unsafe setNoticeReceiver = try find("PQsetNoticeReceiver")
    unsafe setVerbosity = try find("PQsetErrorVerbosity")
    unsafe host = try find("PQhost")
    unsafe hostAddress = try find("PQhostaddr")
    unsafe port = try find("PQport")
  }
}
