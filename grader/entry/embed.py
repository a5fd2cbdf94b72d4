# Writes assembly text that embeds files: entry code and the Lua host travel inside the program.
# Does not read the files; the assembler does.
# Called by grader/meson.build: embed.py OUTPUT NAME=FILE...
import os
import sys

with open(sys.argv[1], "w") as out:
    out.write(".section .rodata\n")
    for item in sys.argv[2:]:
        name, path = item.split("=", 1)
        symbol = "grader_embedded_" + name
        out.write(f".global {symbol}\n.global {symbol}_end\n{symbol}:\n")
        out.write(f'.incbin "{os.path.abspath(path)}"\n{symbol}_end:\n.byte 0\n')
    out.write('.section .note.GNU-stack,"",@progbits\n')
