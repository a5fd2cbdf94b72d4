-- Patterns made of random pieces on random subjects, through every function that takes one.
-- Returns a list of lines; the test compares them between liblua and our library.
local lines = {}

local function show(...)
  local out = table.pack(...)
  for i = 1, out.n do
    out[i] = type(out[i]) == "string" and string.format("%q", out[i]) or tostring(out[i])
  end
  return table.concat(out, ",")
end

math.randomseed(11)
local classes = {"%a", "%c", "%d", "%g", "%l", "%p", "%s", "%u", "%w", "%x", "%z", "%A", "%S", "%D", "%%", "%.", "%-"}
local pieces = {"a", "b", "ab", ".", "(", ")", "()", "[", "]", "[a]", "[^a]", "[a-c]", "[^a-]", "[]]", "[^]]", "[%a_]",
  "[%]]", "[a-%d]", "[-a]", "[a-]", "[%", "%", "%1", "%2", "%0", "%9", "%b()", "%bab", "%b", "%bx", "%f[a]", "%f[^a]", "%f[%w]",
  "%f", "^", "$", "*", "+", "-", "?", "\0", "[\0-a]", "\xff", "(a*)", "(.-)", "(a", "b)"}
local letters = {"a", "b", "c", "A", "_", "(", ")", "-", ".", " ", "\0", "\n", "1", "%", "]", "^", "\xff"}
local repeats = {"", "", "", "*", "+", "-", "?"}

local function pattern()
  local out = {}
  for i = 1, math.random(0, 6) do
    local from = math.random(3) == 1 and classes or pieces
    out[i] = from[math.random(#from)] .. repeats[math.random(#repeats)]
  end
  return table.concat(out)
end

local function subject()
  local out = {}
  local few = math.random(2) == 1 and 3 or #letters
  for i = 1, math.random(0, 12) do out[i] = letters[math.random(few)] end
  return table.concat(out)
end

local function every(s, p, init)
  local found = {}
  for a, b, c in string.gmatch(s, p, init) do
    found[#found + 1] = show(a, b, c)
    if #found == 20 then break end
  end
  return table.concat(found, ";")
end

local templates = {"", "x", "<%0>", "%1", "%2%1", "%%", "%", "%x", "a\0b", 7}
local tables = {{}, {a = "A", b = false}, setmetatable({}, {__index = function(_, k) return k .. "!" end}), {a = {}}}
local functions = {function() end, function(a) return a end, function(a, b) return b end, function() return {} end,
  function(...) return select("#", ...) end, function() error("from inside") end, function() return 1.5 end}

for _ = 1, 15000 do
  local s, p, init = subject(), pattern(), math.random(-6, 14)
  lines[#lines + 1] = show(s, p, init)
  lines[#lines + 1] = show(pcall(string.find, s, p))
  lines[#lines + 1] = show(pcall(string.find, s, p, init))
  lines[#lines + 1] = show(pcall(string.find, s, p, init, true))
  lines[#lines + 1] = show(pcall(string.match, s, p, init))
  lines[#lines + 1] = show(pcall(every, s, p, init))
  lines[#lines + 1] = show(pcall(string.gsub, s, p, templates[math.random(#templates)]))
  lines[#lines + 1] = show(pcall(string.gsub, s, p, tables[math.random(#tables)], math.random(-1, 4)))
  lines[#lines + 1] = show(pcall(string.gsub, s, p, functions[math.random(#functions)]))
end
return lines
