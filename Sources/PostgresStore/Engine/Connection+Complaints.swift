import CPostgres

extension Connection {
  /// What the server says in an error or a notice.
  @unsafe
  func complaint(of result: datactl_pq_result_ref) -> Complaint {
    func field(_ field: Int) -> String? {
      unsafe library.errorField(result, Int32(field)).map { unsafe String(cString: $0) }
    }
    let state = field(Int(datactl_pq_sqlstate)) ?? ""
    let text = Failure.isDetailed(state) ? datactl_pq_detail : datactl_pq_primary_message
    var complaint = Complaint(state: state, said: field(Int(text)) ?? "")
    complaint.constraint = field(Int(datactl_pq_constraint))
    // The languages of procedures have this in their names, and so has that of our own functions,
    // which are called by one of them.
    let context = field(Int(datactl_pq_context)) ?? ""
    complaint.isOfProcedure =
      context.contains("PL/") && !context.contains("\(OwnTables.distance)(")
    complaint.endsConnection = ["FATAL", "PANIC"].contains(
      field(Int(datactl_pq_severity)) ?? "FATAL")
    return complaint
  }
}
