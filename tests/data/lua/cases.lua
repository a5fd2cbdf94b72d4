-- Cases of the manual and of its corners, one line each.
-- Returns a list of lines; the test compares them between liblua and our library.
local text = [==[
("hello"):find("l") | ("hello"):find("l", -2) | ("hello"):find("", 10) | ("hello"):find("", 6) | ("hello"):find("xyz", 1, true)
("a.b"):find(".", 1, true) | ("a.b"):find("%.") | ("a\0b"):find("\0") | ("a\0b"):find("%z") | (""):find("") | (""):find("", 2)
("key = value"):match("^(%w+)%s*=%s*(%w+)$") | ("  trim  "):match("^%s*(.-)%s*$") | ("2026-01-02"):match("(%d+)-(%d+)-(%d+)")
("THE (quick) fox"):find("%((%a+)%)") | ("THE (quick) fox"):gsub("%f[%a]%a+", string.lower) | ("f(a(b)c)d"):match("%b()")
("hello world"):gsub("o", "0") | ("hello world"):gsub("o", "0", 1) | ("hello"):gsub("", "-") | ("abc"):gsub("%w", "%0%0") | ("abc"):gsub("%w", "%%%0")
("hello world from Lua"):gsub("(%w+)", "%1 %1") | ("hello world from Lua"):gsub("(%w+)%s*(%w+)", "%2 %1") | ("abc"):gsub("^a", "x") | ("aaa"):gsub("^a", "x")
("$name is $age"):gsub("%$(%w+)", {name = "lua", age = 30}) | ("abc"):gsub(".", {a = 1, b = true}) | ("abc"):gsub("b*", "x") | ("abc"):gsub("$", "x")
("abc"):gsub("(b)()", "%2") | ("abc"):gsub("a", "%2") | ("abc"):gsub("a", "%") | ("abc"):gsub("a") | ("abc"):gsub("a", nil) | ("abc"):gsub("a", type) | (7):rep(3)
("x"):rep(201):find(("x?"):rep(200)) | ("x"):rep(300):find(("x?"):rep(250)) | ("x"):find(("(x)"):rep(33)) | ("x"):rep(32):match(("(x)"):rep(32)) | ("x"):find(("(x"):rep(33))
("aXb"):find("%u") | ("abab"):match("(ab)%1") | ("abab"):match("()%1") | ("a"):match("(a)(%1") | ("a"):match("%1") | ("aa"):match("(a)%2") | ("a"):find("(a%)")
("x"):find("[") | ("x"):find("[a") | ("x"):find("[]") | ("x"):find("[^]") | ("x"):find("[%") | ("x"):find("[a%") | ("x"):find("%") | ("x"):find("x%") | ("x"):find("%f") | ("x"):find("%b") | ("x"):find("%bx")
("x^y"):find("x^") | ("^x"):find("^^") | ("$x"):find("$x") | ("x$"):find("$$") | ("a-b"):find("a-b") | ("]"):find("[]]") | ("-"):find("[a-]") | ("-"):find("[%a-z]") | ("b"):find("[a-%z]")
table.concat({("one two"):gmatch("%a+")()}) | ("x"):gmatch("x", 5)() | ("abc"):gmatch("", -1)() | ("^a^a"):gmatch("^a")() | ("k=v"):gmatch("(%w)=(%w)")() | ("abc"):gmatch("()")()
string.format("%5d|%-5d|%05d|%+d|% d", 1, 2, 3, 4, 5) | string.format("%x %X %#x %o", 255, 255, 255, 8) | string.format("%c%c", 76, 117) | string.format("%i", 3.0) | string.format("%d", 3.5)
string.format("%e %E %f %g %G %a", 1.5, 1.5, 1.5, 1.5, 1e20, 1.0) | string.format("%.3f %10.2f %-10.2f|", 1/3, 1/3, 1/3) | string.format("%.99f", 1/3) | string.format("%99.99f", -1e308)
string.format("%q", "a\nb\0c\"\\\r\t1") | string.format("%q", 1/3) | string.format("%q", math.mininteger) | string.format("%q", 1/0) | string.format("%q", 0/0) | string.format("%q", {}) | string.format("%q", true)
string.format("%s %10s %-10s| %.2s", "a", "b", "c", "long") | string.format("%s", nil) | string.format("%s") | string.format("%5s", "a\0b") | string.format("%s", "a\0b") | string.format("%.1s", ("x"):rep(200))
string.format("%s", setmetatable({}, {__tostring = function() return "shown" end})) | string.format("%s", setmetatable({}, {__tostring = function() return 1 end})) | string.format("%d", "10") | string.format("%d", "x")
string.format("%y", 1) | string.format("%") | string.format("%10") | string.format("%123d", 1) | string.format("%.123d", 1) | string.format("%#i", 1) | string.format("%-#5q", 1) | string.format("%%") | string.format("%p", 1)
("abc"):sub(2) | ("abc"):sub(-2) | ("abc"):sub(2, -2) | ("abc"):sub(0) | ("abc"):sub(5) | ("abc"):sub(-100, 100) | ("abc"):sub(math.mininteger, math.maxinteger) | ("abc"):sub(3, 2)
("abc"):byte() | ("abc"):byte(1, -1) | ("abc"):byte(10) | ("abc"):byte(-1) | ("abc"):byte(0, 1) | string.char() | string.char(72, 105) | string.char(256) | string.char(-1) | ("äB"):upper() | ("äB"):lower() | ("abc"):reverse()
string.pack("i4", 7):byte(1, -1) | string.pack("z", "ab"):byte(1, -1) | string.pack("s1", "ab"):byte(1, -1) | string.pack("!8 i1 i8", 1, 2):byte(1, -1) | string.pack("c5", "ab"):byte(1, -1) | string.pack("z", "a\0") | string.pack("i17", 1)
string.unpack("z", "ab\0cd") | string.unpack("z", "abcd") | string.unpack("<i2 >i2", "\1\0\0\1") | string.unpack("i4", "ab") | string.unpack("s1", "\2ab") | string.unpack("s1", "\9ab") | string.packsize("i4 i8") | string.packsize("z") | string.unpack("d", string.pack("d", 1.5))
table.concat({1, 2, 3}, ", ") | table.concat({1, 2, 3}, ", ", 2) | table.concat({1, 2, 3}, ", ", 2, 3) | table.concat({1, {}, 3}) | table.concat({}, "x") | table.concat({1, 2}, 1) | table.concat({1, 2, 3}, "x", 3, 2) | table.concat({1.5, 2^53})
table.unpack({1, 2, 3}) | table.unpack({1, 2, 3}, 2) | table.unpack({1, 2, 3}, 2, 5) | table.unpack({}, 1, 1e7) | table.unpack({}, 1, 1e8) | table.unpack({}, math.maxinteger, math.maxinteger) | select("#", table.unpack({}, 1, 5000))
table.concat(table.move({1, 2, 3}, 1, 3, 2), ",") | table.concat(table.move({1, 2, 3}, 2, 3, 1), ",") | table.move({}, 1, math.maxinteger, 2) | table.move({}, -1, math.maxinteger, 2) | #table.move({1, 2, 3}, 1, 3, 1, {}) | table.move({}, 2, 1, 5, {})
table.insert({}, 1, 2, 3) | table.insert({}) | table.insert({}, 5, 1) | table.insert({}, 0, 1) | table.insert(1, 2) | table.remove({}) | table.remove({}, 0) | table.remove({}, 1) | table.remove({}, 5) | table.remove({1, 2, 3}, 1) | table.remove({1, 2, 3}, 4) | table.remove({1, 2, 3})
table.pack(1, nil, 3).n | table.sort({3, "a"}) | table.sort({1, 2, 3}, 1) | table.sort({3, 1, 2}, function() return true end) | table.sort(setmetatable({}, {__len = function() return math.maxinteger end})) | table.sort({1, nil, 3})
utf8.char(72, 228, 0x10FFFF, 0x7FFFFFFF) | utf8.char(-1) | utf8.char() | utf8.len("äöü") | utf8.len("äöü", 2) | utf8.len("äöü", 3) | utf8.len("\xff") | utf8.len("abc", 5) | utf8.len("abc", 4) | utf8.len("abc", -1) | utf8.len("\u{7FFFFFFF}", 1, -1, true)
utf8.codepoint("äöü", 1, -1) | utf8.codepoint("äöü", 2) | utf8.codepoint("abc", 4) | utf8.codepoint("abc", 1, 9) | utf8.codepoint("\xff") | utf8.offset("äöü", 2) | utf8.offset("äöü", -1) | utf8.offset("äöü", 0, 2) | utf8.offset("äöü", 1, 2) | utf8.offset("äöü", 9) | utf8.offset("abc", 1, 9)
utf8.codes("ä")("ä", 0) | utf8.codes("ä")("ä", 1) | utf8.codes("\xff")("\xff", 0) | utf8.codes("a\x80")("a\x80", 1) | utf8.codes("a")("abc", -5) | utf8.codes("a")("abc", 99) | utf8.codes("a")() | utf8.codes("a")("abc", math.maxinteger) | utf8.codes() | utf8.codes("\x80")
tonumber("  0x1p4  ") | tonumber("1e1") | tonumber("10", 2) | tonumber("z", 36) | tonumber("8", 8) | tonumber("1", 99) | tonumber(nil) | tonumber() | tonumber({}, 10) | tonumber("  -7  ", 10) | tonumber("") | tonumber("0x") | tonumber("1 2") | tonumber("9223372036854775808")
select("#") | select("#", nil, nil) | select(2, 1, 2, 3) | select(-1, 1, 2, 3) | select(0) | select(-5, 1) | select(9, 1) | select("x") | setmetatable({}) | setmetatable(1, {}) | setmetatable({}, 1) | setmetatable(setmetatable({}, {__metatable = 1}), {}) | getmetatable(setmetatable({}, {__metatable = 7}))
getmetatable(setmetatable({}, {__gc = 5})).__gc | next(getmetatable(setmetatable({}, {__gc = 5}))) | setmetatable(setmetatable({}, {__gc = print}), nil) ~= nil | collectgarbage("count") > 0 | collectgarbage() | collectgarbage("step") ~= nil | collectgarbage("x") | collectgarbage("isrunning") | collectgarbage("setpause", 200) | collectgarbage("setstepmul", 100) | collectgarbage("incremental")
"a" < "b" | "a\0a" < "a\0b" | "a\0" < "a" | "" < "a" | "Z" < "a" | "\xff" < "a" | "abc" <= "abc" | ("x"):rep(100) == ("x"):rep(100) | ("x"):rep(100) < ("x"):rep(101) | "10" + 5 | "0x10" * 1 | " 5 " - 1 | "a" + 1 | "10" & 3 | 5.5 % 2 | -5.5 % 2 | 1e308 % 3e-308 | 5 % math.huge | -5 % math.huge | 1e15 .. "" | 2^63 .. "" | -0.0 .. "" | 0/0 ~= 0/0
load("return ...")(1, 2) | load(function() return nil end)() | load("x =") | load({}) | load(function() return {} end) | load("return 1", "=name", "b") | pcall(load("error('x', 0)")) | load("\27Lua", "x", "b")
]==]

local lines = {}
local function show(...)
  local out = table.pack(...)
  for i = 1, out.n do
    local kind = math.type(out[i]) or type(out[i])
    local plain = kind == "string" or kind == "integer" or kind == "float" or kind == "boolean"
    out[i] = plain and string.format("%q", out[i]) or kind
  end
  return table.concat(out, ", ")
end
for line in (text:gsub("\n", " | ")):gmatch("(.-) | ") do
  lines[#lines + 1] = line .. " -> " .. show(pcall(assert(load("return " .. line, "=case"))))
end

local function many(size, less)
  local list = {}
  for i = 1, size do list[i] = (i * 7919) % 1009 end
  local ok, why = pcall(table.sort, list, less)
  lines[#lines + 1] = tostring(ok) .. tostring(why) .. table.concat(list, ",")
end
many(5)
many(2000)
many(2000, function(a, b) return a > b end)
many(2000, function(a, b) return a <= b end)
many(300, function() error("inside") end)

-- Tables that change under the function, and ones that are not what they seem.
local log = {}
local odd = setmetatable({}, {
  __len = function() return 4 end,
  __index = function(_, key) log[#log + 1] = "get " .. key return key * 10 end,
  __newindex = function(_, key, value) log[#log + 1] = "set " .. key .. " " .. tostring(value) end})
table.insert(odd, 1, "x")
table.insert(odd, "y")
lines[#lines + 1] = show(table.remove(odd, 1)) .. show(table.unpack(odd)) .. table.concat(odd, ",")
table.move(odd, 1, 3, 2)
lines[#lines + 1] = show(pcall(table.sort, odd))
lines[#lines + 1] = table.concat(log, ";")
local shrinking = {5, 3, 4, 1, 2, 9, 8, 7}
lines[#lines + 1] = show(pcall(table.sort, shrinking, function(a, b)
  shrinking[#shrinking] = nil
  return a < b
end))
local growing = {5, 3, 4}
lines[#lines + 1] = show(pcall(table.sort, growing, function(a, b)
  for i = 1, 100 do growing[#growing + 1] = 0 end
  return a < b
end))
lines[#lines + 1] = show(pcall(string.gsub, "abc", ".", function(c)
  collectgarbage()
  return c:upper()
end))
lines[#lines + 1] = show(pcall(string.gsub, ("x"):rep(3000), "x", function(c) return c .. c end))
for p, c in utf8.codes("aäöü€😀") do lines[#lines + 1] = p .. " " .. c end
lines[#lines + 1] = show(pcall(function() for _ in utf8.codes("ab\xff") do end end))
return lines
