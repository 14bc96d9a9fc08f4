import CPostgres

extension Connection {
  /// Installs a notice receiver with `PQsetNoticeReceiver`, so that libpq prints no notices to
  /// stderr. A notice that announces the end of the connection is stored.
  func installNoticeReceiver() {
    // The pointer stays valid: `deinit` closes the libpq connection, and with it the receiver,
    // before the object is freed.
    let context = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe library.setNoticeReceiver(
      handle,
      { context, notice in
        guard let context = unsafe context, let notice = unsafe notice else { return }
        unsafe Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue().receive(notice)
      }, context)
  }

  @unsafe
  private func receive(_ notice: datactl_pq_result_ref) {
    let serverError = unsafe serverError(of: notice)
    if serverError.endsConnection { termination = ConnectionTermination(serverError) }
  }

  /// Whether the server still keeps a connection open that was idle.
  var isAlive: Bool {
    while isConnected, termination == nil {
      let wake = unsafe Platform.wait(
        at: library.socket(handle), for: .reading, alarm: nil, seconds: 0)
      if wake == .timeout { return true }
      guard unsafe library.consumeInput(handle) == 1 else { return false }
      // libpq calls the notice receiver while it parses the input, which `PQisBusy` makes it do.
      _ = unsafe library.isBusy(handle)
    }
    return false
  }
}
