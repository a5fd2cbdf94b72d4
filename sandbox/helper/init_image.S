# The bytes of the program init, inside the helper. Built by meson.build beside this file.
    .section .rodata
    .globl init_image_begin, init_image_end
    .balign 16
init_image_begin:
    .incbin INIT_IMAGE
init_image_end:
    .section .note.GNU-stack, "", @progbits
