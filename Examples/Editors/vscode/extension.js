// Starts `pairsim lsp` for scenario files. Without the client's package the files are coloured, and nothing else.
const vscode = require("vscode");

let client;

exports.activate = function () {
  let library;
  try {
    library = require("vscode-languageclient/node");
  } catch {
    vscode.window.showWarningMessage("pairsim: run npm install in the extension's folder for more than colours.");
    return;
  }
  const command = vscode.workspace.getConfiguration("pairsim").get("path");
  client = new library.LanguageClient(
    "pairsim",
    "pairsim",
    { command, args: ["lsp"] },
    { documentSelector: [{ scheme: "file", language: "scenario" }] }
  );
  return client.start();
};

exports.deactivate = function () {
  return client ? client.stop() : undefined;
};
