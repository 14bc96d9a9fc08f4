import CommandSyntax
import Testing

@Suite("Help as JSON")
struct HelpJSONTests {
  @Test("prints all commands, options and topics in a fixed order")
  func whole() {
    #expect(
      MinimalProgram.program.description.json()
        == #"""
        {
          "name": "kiosk",
          "version": "0.1.0",
          "summary": "Sell \"things\".",
          "options": [
            {
              "name": "--help",
              "short": "-h",
              "summary": "Print help and exit.",
              "required": false,
              "repeated": false,
              "placeholder": null,
              "value": null,
              "default": null
            },
            {
              "name": "--version",
              "short": null,
              "summary": "Print the version and exit.",
              "required": false,
              "repeated": false,
              "placeholder": null,
              "value": null,
              "default": null
            }
          ],
          "rules": [],
          "commands": [
            {
              "name": "till",
              "summary": "Handle the till.",
              "commands": [
                {
                  "name": "till open",
                  "summary": "Open the till.",
                  "operands": [
                    {
                      "name": "NOTE",
                      "summary": "Why.",
                      "required": true,
                      "repeated": true,
                      "value": {
                        "kind": "text"
                      }
                    }
                  ],
                  "options": [
                    {
                      "name": "--float",
                      "short": "-f",
                      "summary": "Coins in it.",
                      "required": false,
                      "repeated": false,
                      "placeholder": "N",
                      "value": {
                        "kind": "integer",
                        "min": 0,
                        "max": 9
                      },
                      "default": 3
                    },
                    {
                      "name": "--loud",
                      "short": null,
                      "summary": "Ring a bell.",
                      "required": false,
                      "repeated": false,
                      "placeholder": null,
                      "value": null,
                      "default": null
                    },
                    {
                      "name": "--soft",
                      "short": null,
                      "summary": "Ring none.",
                      "required": false,
                      "repeated": false,
                      "placeholder": null,
                      "value": null,
                      "default": null
                    }
                  ],
                  "rules": [
                    {
                      "at_most_one": [
                        "--loud",
                        "--soft"
                      ]
                    },
                    {
                      "exactly_one": [
                        "--float",
                        "--loud"
                      ]
                    },
                    {
                      "needs": {
                        "input": "--soft",
                        "other": "--float"
                      }
                    }
                  ],
                  "examples": [
                    {
                      "line": "kiosk till open lunch",
                      "does": "Open it at noon."
                    }
                  ],
                  "exit_statuses": [
                    {
                      "code": 0,
                      "meaning": "it is open"
                    }
                  ],
                  "see_also": []
                }
              ],
              "see_also": []
            },
            {
              "name": "help",
              "summary": "Print help for a command or a topic.",
              "operands": [
                {
                  "name": "NAME",
                  "summary": "A command or a topic.",
                  "required": false,
                  "repeated": true,
                  "value": {
                    "kind": "command"
                  }
                }
              ],
              "options": [
                {
                  "name": "--json",
                  "short": null,
                  "summary": "Print the whole tree of commands, options and topics as JSON.",
                  "required": false,
                  "repeated": false,
                  "placeholder": null,
                  "value": null,
                  "default": null
                }
              ],
              "rules": [],
              "examples": [
                {
                  "line": "kiosk help",
                  "does": "Print an overview."
                },
                {
                  "line": "kiosk help help",
                  "does": "Print this page."
                },
                {
                  "line": "kiosk help --json",
                  "does": "Print all help as JSON, for other programs."
                }
              ],
              "exit_statuses": [
                {
                  "code": 0,
                  "meaning": "done"
                },
                {
                  "code": 2,
                  "meaning": "wrong line"
                }
              ],
              "see_also": [
                "completion"
              ]
            },
            {
              "name": "completion",
              "summary": "Print a shell completion script.",
              "operands": [
                {
                  "name": "SHELL",
                  "summary": "The shell that will run the script.",
                  "required": true,
                  "repeated": false,
                  "value": {
                    "kind": "choice",
                    "choices": [
                      "bash",
                      "zsh",
                      "fish"
                    ]
                  }
                }
              ],
              "options": [],
              "rules": [],
              "examples": [
                {
                  "line": "kiosk completion bash",
                  "does": "Print the script for bash."
                },
                {
                  "line": "kiosk completion fish > kiosk.fish",
                  "does": "Write the script for fish to a file."
                }
              ],
              "exit_statuses": [
                {
                  "code": 0,
                  "meaning": "done"
                },
                {
                  "code": 2,
                  "meaning": "wrong line"
                }
              ],
              "see_also": [
                "help"
              ]
            }
          ],
          "environment": [
            {
              "name": "KIOSK",
              "meaning": "where it is"
            }
          ],
          "exit_statuses": [
            {
              "code": 0,
              "meaning": "done"
            },
            {
              "code": 2,
              "meaning": "wrong line"
            }
          ],
          "topics": [
            {
              "name": "coins",
              "summary": "Coins.",
              "manual": "kiosk-coins(5)"
            }
          ]
        }

        """#)
  }
}
