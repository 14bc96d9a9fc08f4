package import CommandSyntax

/// The help topics and their manual pages.
package enum HelpTopics {
  package static let all = [
    stores, schemaFiles, lint, conditions, functions, formats, exitCodes, environment,
  ]
}
