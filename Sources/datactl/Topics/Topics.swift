package import CommandSyntax

/// What help and the manual say beside the commands.
package enum Topics {
  package static let all = [
    stores, schemaFiles, lint, conditions, functions, formats, exitCodes, environment,
  ]
}
