-- Drives Neovim's own client against `gxr lsp`, and prints what appears in the buffer. Run by neovim.test.
local gxr = os.getenv("GXR") or "gxr"

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    print("waited too long for " .. what .. "\n")
    vim.cmd("cquit 1")
  end
end

local function say(text) io.stdout:write(text .. "\n") end

vim.cmd("edit app.yaml")
local buffer = vim.api.nvim_get_current_buf()
local id = vim.lsp.start_client({ name = "gxr", cmd = { gxr, "lsp" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(buffer, id)
wait("the server", function() return vim.lsp.get_client_by_id(id) and vim.lsp.get_client_by_id(id).initialized end)

local function diagnostics() return vim.diagnostic.get(buffer) end

wait("problems", function() return #diagnostics() > 0 end)
for _, each in ipairs(diagnostics()) do
  say(("problem %d:%d %s"):format(each.lnum + 1, each.col + 1, (each.message:gsub("\n.*", ""))))
end

local function cursor_to(pattern)
  vim.fn.cursor(1, 1)
  vim.fn.search(pattern, "ce")
end

-- A quick fix, as the client applies it.
cursor_to("ManualClok")
local row, column = unpack(vim.api.nvim_win_get_cursor(0))
local at = { line = row - 1, character = column }
local fixes = vim.lsp.buf_request_sync(buffer, "textDocument/codeAction", {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = { start = at, ["end"] = at }, context = { diagnostics = {} } }, 20000)
for _, answer in pairs(fixes) do
  say("fix " .. answer.result[1].title)
  vim.lsp.util.apply_workspace_edit(answer.result[1].edit, "utf-16")
end
wait("no problems", function() return #diagnostics() == 0 end)
say("no problems")

-- Completion as somebody types it: CTRL-X CTRL-O asks the server, Neovim shows a menu, CTRL-Y inserts what is chosen.
local function keys(text) return vim.api.nvim_replace_termcodes(text, true, false, true) end
cursor_to("gxr::sample::PingTx")
vim.api.nvim_set_current_line((vim.api.nvim_get_current_line():gsub("PingTx", "PingT")))
vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
vim.o.completeopt = "menuone"
vim.o.showmode = false
vim.opt.shortmess:append("c")
-- Without a screen there is no event for the menu, so a timer looks for it.
local tries = 0
local timer
timer = vim.fn.timer_start(50, function()
  local items = vim.fn.complete_info({ "items" }).items
  tries = tries + 1
  if #items > 0 or tries == 400 then
    vim.fn.timer_stop(timer)
    for _, item in ipairs(items) do say("menu " .. item.word) end
    vim.api.nvim_feedkeys(keys("<C-y><Esc>"), "t", false)
  end
end, { ["repeat"] = -1 })
vim.api.nvim_feedkeys(keys("A<C-x><C-o>"), "tx!", false)
say("inserted " .. vim.api.nvim_get_current_line())

-- Hover.
cursor_to("gxr::GreedySch")
local hover = vim.lsp.buf_request_sync(buffer, "textDocument/hover", vim.lsp.util.make_position_params(), 20000)
for _, answer in pairs(hover) do say("hover " .. answer.result.contents.value) end

-- Rename, in the buffer.
cursor_to("source/o")
vim.lsp.buf.rename("signals")
wait("the new name", function() return vim.fn.search("source/signals", "nw") ~= 0 end)
wait("no problems behind the rename", function() return #diagnostics() == 0 end)
for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do say("| " .. line) end

vim.lsp.stop_client(id)
wait("the end of the server", function() return vim.lsp.get_client_by_id(id) == nil or vim.lsp.client_is_stopped(id) end)
say("the server has ended")
vim.cmd("qall!")
