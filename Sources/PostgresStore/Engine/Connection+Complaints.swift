import CPostgres

extension Connection {
  /// Reads the fields of an error or a notice with `PQresultErrorField`.
  @unsafe
  func serverError(of result: datactl_pq_result_ref) -> ServerError {
    func field(_ field: Int) -> String? {
      unsafe library.errorField(result, Int32(field)).map { unsafe String(cString: $0) }
    }
    let state = field(Int(datactl_pq_sqlstate)) ?? ""
    let text = Failure.isDescribedByDetail(state) ? datactl_pq_detail : datactl_pq_primary_message
    var serverError = ServerError(state: state, messageText: field(Int(text)) ?? "")
    serverError.constraint = field(Int(datactl_pq_constraint))
    // The context of an error in a procedure names its language, such as PL/pgSQL. datactl's own
    // functions, which are all called by one function, are in PL/pgSQL, too.
    let context = field(Int(datactl_pq_context)) ?? ""
    serverError.isFromProcedure =
      context.contains("PL/") && !context.contains("\(InternalTables.distanceFunction)(")
    serverError.endsConnection = ["FATAL", "PANIC"].contains(
      field(Int(datactl_pq_severity)) ?? "FATAL")
    return serverError
  }
}
