// Starts `sinter lsp` for Grain files.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function activate(context) {
  const command = vscode.workspace.getConfiguration("grain").get("sinter");
  client = new LanguageClient("grain", "Grain", { command, args: ["lsp"] }, { documentSelector: [{ language: "grain" }] });
  context.subscriptions.push(client);
  return client.start();
}

function deactivate() {
  return client ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
