// weights.cpp: puts weights.bin into the library, so that a program needs no file beside it. The
// assembler looks for weights.bin in the include directories.

asm(R"(
    .section .rodata
    .global conjugate_gradient_weights
    .hidden conjugate_gradient_weights
    .balign 256
conjugate_gradient_weights:
    .incbin "weights.bin"
    .previous
)");
