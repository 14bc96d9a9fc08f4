/// Re-exported so that programs that import this module can also open stores and use the types of
/// schemas, values and errors.
@_exported public import ClientCore
