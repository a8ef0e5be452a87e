// A client of `gxr lsp` for VS Code, without libraries: it sends what is typed, and shows what comes back.
const childProcess = require("child_process");
const vscode = require("vscode");

/** Files, and texts that are no files yet; not those of other programs, such as old versions of a file. */
const kSchemes = ["file", "untitled"];

/** Messages of the Language Server Protocol over the streams of a process. */
class Connection {
  constructor(process, onNotification) {
    this.process = process;
    this.onNotification = onNotification;
    this.number = 0;
    this.waiting = new Map();
    this.received = Buffer.alloc(0);
    process.stdout.on("data", (data) => this.receive(data));
    process.stdin.on("error", () => {}); // said by the event below
    for (const event of ["error", "exit"]) {
      process.on(event, () => this.end());
    }
  }

  /** Nobody answers any more. */
  end() {
    this.hasEnded = true;
    for (const { reject } of this.waiting.values()) {
      reject(new Error("gxr lsp has ended"));
    }
    this.waiting.clear();
  }

  send(message) {
    if (this.hasEnded) {
      return;
    }
    const text = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    this.process.stdin.write(`Content-Length: ${text.length}\r\n\r\n`);
    this.process.stdin.write(text);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  request(method, params) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      if (this.hasEnded) {
        reject(new Error("gxr lsp has ended"));
        return;
      }
      this.waiting.set(id, { resolve, reject });
      this.send({ id, method, params });
    });
  }

  receive(data) {
    this.received = Buffer.concat([this.received, data]);
    for (;;) {
      const end = this.received.indexOf("\r\n\r\n");
      const length = end < 0 ? null : /content-length: *(\d+)/i.exec(this.received.toString("ascii", 0, end));
      if (length === null || this.received.length < end + 4 + Number(length[1])) {
        return;
      }
      const text = this.received.toString("utf8", end + 4, end + 4 + Number(length[1]));
      this.received = this.received.subarray(end + 4 + Number(length[1]));
      this.take(JSON.parse(text));
    }
  }

  take(message) {
    const waiting = this.waiting.get(message.id);
    if (waiting === undefined) {
      this.onNotification(message);
      return;
    }
    this.waiting.delete(message.id);
    if (message.error) {
      waiting.reject(new Error(message.error.message));
    } else {
      waiting.resolve(message.result);
    }
  }
}

const toRange = (range) => new vscode.Range(range.start.line, range.start.character, range.end.line, range.end.character);
const toLocation = (place) => new vscode.Location(vscode.Uri.parse(place.uri), toRange(place.range));
const at = (document, position) => ({ textDocument: { uri: document.uri.toString() }, position });

function toEdit(edit) {
  const result = new vscode.WorkspaceEdit();
  for (const [uri, changes] of Object.entries(edit.changes)) {
    result.set(vscode.Uri.parse(uri), changes.map((each) => new vscode.TextEdit(toRange(each.range), each.newText)));
  }
  return result;
}

function toDiagnostic(each) {
  const severity = each.severity === 1 ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
  const diagnostic = new vscode.Diagnostic(toRange(each.range), each.message, severity);
  diagnostic.source = each.source;
  diagnostic.code = each.code;
  diagnostic.relatedInformation = (each.relatedInformation || []).map(
    (related) => new vscode.DiagnosticRelatedInformation(toLocation(related.location), related.message));
  return diagnostic;
}

function toItem(each) {
  const item = new vscode.CompletionItem(each.label, each.kind - 1);
  item.detail = each.detail;
  item.sortText = each.sortText;
  item.documentation = each.documentation && new vscode.MarkdownString(each.documentation.value);
  item.range = toRange(each.textEdit.range);
  item.insertText = each.textEdit.newText;
  return item;
}

function toSymbol(each) {
  const symbol = new vscode.DocumentSymbol(each.name, each.detail, each.kind - 1, toRange(each.range), toRange(each.selectionRange));
  symbol.children = each.children.map(toSymbol);
  return symbol;
}

/** What VS Code asks, and how the server is asked. */
function providers(connection) {
  const places = async (method, document, position, more) =>
    ((await connection.request(`textDocument/${method}`, { ...at(document, position), ...more })) || []).map(toLocation);
  const select = kSchemes.map((scheme) => ({ scheme, language: "yaml" }));
  const languages = vscode.languages;
  return [
    languages.registerCompletionItemProvider(select, {
      provideCompletionItems: async (document, position) =>
        (await connection.request("textDocument/completion", at(document, position))).map(toItem),
    }, ":", "/", " "),
    languages.registerHoverProvider(select, {
      provideHover: async (document, position) => {
        const hover = await connection.request("textDocument/hover", at(document, position));
        return hover && new vscode.Hover(new vscode.MarkdownString(hover.contents.value), toRange(hover.range));
      },
    }),
    languages.registerDefinitionProvider(select, {
      provideDefinition: (document, position) => places("definition", document, position),
    }),
    languages.registerReferenceProvider(select, {
      provideReferences: (document, position, context) => places("references", document, position, { context }),
    }),
    languages.registerRenameProvider(select, {
      prepareRename: async (document, position) => {
        const found = await connection.request("textDocument/prepareRename", at(document, position));
        if (!found) {
          throw new Error("only names of entities and components can be changed");
        }
        return toRange(found.range);
      },
      provideRenameEdits: async (document, position, newName) =>
        toEdit(await connection.request("textDocument/rename", { ...at(document, position), newName })),
    }),
    languages.registerDocumentSymbolProvider(select, {
      provideDocumentSymbols: async (document) =>
        (await connection.request("textDocument/documentSymbol", { textDocument: { uri: document.uri.toString() } })).map(toSymbol),
    }),
    languages.registerCodeActionsProvider(select, {
      provideCodeActions: async (document, range) => {
        const fixes = await connection.request("textDocument/codeAction", {
          textDocument: { uri: document.uri.toString() }, range: { start: range.start, end: range.end }, context: { diagnostics: [] } });
        return fixes.map((each) => {
          const action = new vscode.CodeAction(each.title, vscode.CodeActionKind.QuickFix);
          action.edit = toEdit(each.edit);
          return action;
        });
      },
    }),
  ];
}

/** Tells the server what is open and what is typed. */
function followDocuments(connection) {
  const isYaml = (document) => document.languageId === "yaml" && kSchemes.includes(document.uri.scheme);
  const open = (document) => isYaml(document) && connection.notify("textDocument/didOpen", { textDocument: {
    uri: document.uri.toString(), languageId: "yaml", version: document.version, text: document.getText() } });
  vscode.workspace.textDocuments.forEach(open);
  return [
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidCloseTextDocument((document) => isYaml(document) &&
      connection.notify("textDocument/didClose", { textDocument: { uri: document.uri.toString() } })),
    vscode.workspace.onDidSaveTextDocument((document) => isYaml(document) &&
      connection.notify("textDocument/didSave", { textDocument: { uri: document.uri.toString() } })),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => isYaml(document) &&
      connection.notify("textDocument/didChange", {
        textDocument: { uri: document.uri.toString(), version: document.version },
        contentChanges: contentChanges.map((each) => ({ range: { start: each.range.start, end: each.range.end }, text: each.text })) })),
  ];
}

/** A server with the settings and the trust of this moment; what it returns ends it. */
async function start() {
  const settings = vscode.workspace.getConfiguration("gxr");
  const process = childProcess.spawn(settings.get("path"), ["lsp"], { stdio: ["pipe", "pipe", "ignore"] });
  process.on("error", (error) => vscode.window.showErrorMessage(`gxr cannot be started (setting gxr.path): ${error.message}`));
  const diagnostics = vscode.languages.createDiagnosticCollection("gxr");
  const connection = new Connection(process, (message) => {
    if (message.method === "textDocument/publishDiagnostics") {
      diagnostics.set(vscode.Uri.parse(message.params.uri), message.params.diagnostics.map(toDiagnostic));
    }
  });
  const folder = vscode.workspace.workspaceFolders && vscode.workspace.workspaceFolders[0];
  const options = { trusted: vscode.workspace.isTrusted };
  for (const name of ["applications", "extensions", "manifests", "appRoot", "compat"]) {
    options[name] = settings.get(name);
  }
  try {
    await connection.request("initialize", {
      processId: null, rootUri: folder ? folder.uri.toString() : null, capabilities: {}, initializationOptions: options });
  } catch (error) {
    vscode.window.showErrorMessage(`gxr: ${error.message}`);
    diagnostics.dispose();
    return () => {};
  }
  const watcher = vscode.workspace.createFileSystemWatcher("**/*.{yaml,yml,so,py}");
  const tellChange = (uri) => connection.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: uri.toString(), type: 2 }] });
  watcher.onDidChange(tellChange);
  watcher.onDidCreate(tellChange);
  watcher.onDidDelete(tellChange);
  connection.notify("initialized", {});
  const parts = [diagnostics, watcher, ...providers(connection), ...followDocuments(connection)];
  return () => {
    parts.forEach((part) => part.dispose());
    return connection.request("shutdown").then(() => connection.notify("exit"), () => {});
  };
}

async function activate(context) {
  let end = start();
  // The server reads settings and trust at its start. Restarts wait for each other.
  const restart = () => { end = end.then((stop) => stop()).then(start); return end; };
  context.subscriptions.push(
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((event) => (event.affectsConfiguration("gxr") ? restart() : undefined)),
    { dispose: () => end.then((stop) => stop()) });
  await end;
}

module.exports = { activate, deactivate: () => {} };
