-- Every library function that charges, with odd arguments: what it returns or which error it raises.
-- Returns a list of lines; the test compares them between liblua and our library.
local lines = {}

local function show(...)
  local out = table.pack(...)
  for i = 1, out.n do
    local kind = math.type(out[i]) or type(out[i])
    local plain = kind == "string" or kind == "integer" or kind == "float" or kind == "boolean"
    out[i] = kind .. (plain and string.format(" %q", out[i]) or "")
  end
  return table.concat(out, ", ")
end

local values = {0, 1, -1, 2, 3, -3, math.mininteger, math.maxinteger, 1.5, 2.0, "2", "0x2", "", "a",
  "abc", "a\0b", "äöü", "\xff\x80", "x.y", "%a+", "(.)", "()", "(", "%", "[", "[]", "[^]", "%f", "%b", "%b()",
  "%1", "^a", "a$", ".-", {}, {1, 2, 3}, true, false, type, "z", "i4", "s1", "%d", "%s", "%5.1f", "%q"}
values.n = #values + 1 -- and nil

local names = {}
for name in pairs(string) do
  if name ~= "dump" and name ~= "rep" then names[#names + 1] = "string." .. name end
end
for name in pairs(utf8) do
  if name ~= "charpattern" then names[#names + 1] = "utf8." .. name end
end
for name in pairs(table) do names[#names + 1] = "table." .. name end
for _, name in ipairs({"tonumber", "select", "setmetatable", "collectgarbage"}) do names[#names + 1] = name end
table.sort(names)

-- Calls that would take for ever or fill the memory, in liblua too.
local function endless(name, args)
  if name == "collectgarbage" then return args.n > 0 and type(args[1]) == "string" end
  if name == "table.move" or name == "table.concat" or name == "table.unpack" then
    for i = 2, args.n do
      local number = tonumber(args[i])
      if number and (number > 1000 or number < -1000) then return true end
    end
  end
  if name == "string.format" then return type(args[1]) == "string" and args[1]:find("%", 1, true) and
    type(args[2]) ~= "string" and type(args[2]) ~= "number" end
  return false
end

local function copy(value)
  return type(value) == "table" and {table.unpack(value)} or value
end

local function try(name, ...)
  local args = table.pack(...)
  if endless(name, args) then return end
  for i = 1, args.n do args[i] = copy(args[i]) end
  local library, field = name:match("^(.-)%.?(%w+)$")
  local call = library == "" and _G[field] or _G[library][field]
  lines[#lines + 1] = name .. "(" .. show(...) .. ") -> " .. show(pcall(call, table.unpack(args, 1, args.n)))
end

for _, name in ipairs(names) do
  try(name)
  for i = 1, values.n do
    try(name, values[i])
    for j = 1, values.n do try(name, values[i], values[j]) end
  end
end
math.randomseed(7)
local function any() return values[math.random(values.n)] end
for i = 1, 8000 do
  try(names[math.random(#names)], any(), any(), any())
  try(names[math.random(#names)], any(), any(), any(), any())
end
for _, text in ipairs({"", "a", "ab", 7}) do
  for _, count in ipairs({-1, 0, 1, 3, 2.0, "2", 1.5, "x", math.mininteger}) do
    for _, separator in ipairs({false, "", ",", 1}) do
      lines[#lines + 1] = show(pcall(string.rep, text, count, separator or nil))
    end
  end
end
lines[#lines + 1] = show(pcall(string.rep, "ab", math.maxinteger))
lines[#lines + 1] = show(pcall(string.rep, "ab", math.maxinteger, "x"))
return lines
