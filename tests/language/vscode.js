// Plays the part of VS Code that editors/vscode/extension.js uses, with `gxr lsp` behind it, and prints what it shows.
const fs = require("fs");
const Module = require("module");
const path = require("path");

const file = path.resolve("app.yaml");
const text = fs.readFileSync(file, "utf8");
const providers = {};
const listeners = {};
let shown = () => {};

class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range {
  constructor(a, b, c, d) { this.start = new Position(a, b); this.end = new Position(c, d); }
}
class Uri {
  constructor(value) { this.value = value; this.scheme = value.split(":")[0]; }
  toString() { return this.value; }
  static parse(value) { return new Uri(value); }
}
const plain = (...names) => class { constructor(...values) { names.forEach((name, i) => { this[name] = values[i]; }); } };
class WorkspaceEdit { constructor() { this.edits = []; } set(uri, edits) { this.edits.push([uri.toString(), edits]); } }

const uri = new Uri("file://" + file);
const document = { uri, languageId: "yaml", version: 1, getText: () => text };
const other = { uri: new Uri("git:" + file), languageId: "yaml", version: 1, getText: () => text };
const register = (name) => (_select, provider) => { providers[name] = provider; return { dispose() {} }; };
const listen = (name) => (listener) => { listeners[name] = listener; return { dispose() {} }; };
const settings = { path: process.env.GXR || "gxr", applications: [], extensions: [], manifests: [], appRoot: "", compat: "" };

const vscode = {
  Range, Uri, WorkspaceEdit,
  Location: plain("uri", "range"), TextEdit: plain("range", "newText"), Hover: plain("contents", "range"),
  MarkdownString: plain("value"), CompletionItem: plain("label", "kind"), DocumentSymbol: plain("name", "detail", "kind"),
  CodeAction: plain("title", "kind"), Diagnostic: plain("range", "message", "severity"),
  DiagnosticRelatedInformation: plain("location", "message"),
  DiagnosticSeverity: { Error: 0, Warning: 1 }, CodeActionKind: { QuickFix: "quickfix" },
  window: { showErrorMessage: (message) => console.log("error shown:", message) },
  languages: {
    createDiagnosticCollection: () => ({ set: (at, found) => shown(at.toString(), found), dispose() {} }),
    registerCompletionItemProvider: register("completion"), registerHoverProvider: register("hover"),
    registerDefinitionProvider: register("definition"), registerReferenceProvider: register("references"),
    registerRenameProvider: register("rename"), registerDocumentSymbolProvider: register("symbols"),
    registerCodeActionsProvider: register("fixes"),
  },
  workspace: {
    isTrusted: false, workspaceFolders: [{ uri: new Uri("file://" + process.cwd()) }], textDocuments: [document, other],
    getConfiguration: () => ({ get: (name) => settings[name] }),
    createFileSystemWatcher: () => ({ onDidChange() {}, onDidCreate() {}, onDidDelete() {}, dispose() {} }),
    onDidOpenTextDocument: listen("open"), onDidCloseTextDocument: listen("close"),
    onDidSaveTextDocument: listen("save"), onDidChangeTextDocument: listen("change"),
    onDidGrantWorkspaceTrust: listen("trust"), onDidChangeConfiguration: listen("settings"),
  },
};
const load = Module._load;
Module._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));

const at = (sought) => {
  const lines = text.slice(0, text.indexOf(sought) + sought.length).split("\n");
  return new Position(lines.length - 1, lines[lines.length - 1].length);
};
const place = (range) => `${range.start.line + 1}:${range.start.character + 1}-${range.end.line + 1}:${range.end.character + 1}`;
const problems = () => new Promise((resolve) => { shown = (at, found) => at === uri.toString() && resolve(found); });

async function main() {
  const extension = require(process.argv[2]);
  const subscriptions = [];
  let come = problems();
  await extension.activate({ subscriptions });
  for (const each of await come) {
    console.log("problem", place(each.range), each.code, each.message.split("\n")[0]);
  }
  const wrong = at("ManualCl");
  const [fix] = await providers.fixes.provideCodeActions(document, { start: wrong, end: wrong });
  console.log("fix", fix.title);
  const [[, [edit]]] = fix.edit.edits;
  come = problems();
  listeners.change({ document: { ...document, version: 2 }, contentChanges: [{ range: edit.range, text: edit.newText }] });
  console.log("problems behind the fix:", (await come).length);
  console.log("completion", (await providers.completion.provideCompletionItems(document, at("gxr::sample::PingT"))).map((each) => each.label).join(" "));
  console.log("hover", (await providers.hover.provideHover(document, at("gxr::Greedy"))).contents.value.split("\n")[0]);
  console.log("definition", (await providers.definition.provideDefinition(document, at("{signal: sou"))).map((each) => place(each.range)).join(" "));
  console.log("references", (await providers.references.provideReferences(document, at("name: sou"), { includeDeclaration: true })).length);
  const renamed = await providers.rename.provideRenameEdits(document, at("name: sou"), "camera");
  console.log("rename", renamed.edits[0][1].map((each) => place(each.range) + " " + each.newText).join(", "));
  await providers.rename.prepareRename(document, at("type: gxr::Gre")).catch((error) => console.log("refused:", error.message));
  console.log("symbols", (await providers.symbols.provideDocumentSymbols(document)).map((each) => each.name).join(" "));
  // Trust and settings that change: the server starts again with them.
  const say = (what, found) => found.forEach((each) => console.log(what, each.code, each.message.split("\n")[0]));
  come = problems();
  vscode.workspace.isTrusted = true;
  await listeners.trust();
  say("with trust:", await come);
  settings.extensions = ["neither.so"];
  await listeners.settings({ affectsConfiguration: (name) => name === "editor" });
  come = problems();
  await listeners.settings({ affectsConfiguration: (name) => name === "gxr" });
  say("with other settings:", await come);
  await subscriptions[subscriptions.length - 1].dispose();
  settings.path = "/nowhere/gxr";
  await extension.activate({ subscriptions: [] });
}

main().catch((error) => { console.log(error.stack); process.exitCode = 1; });
