// weights.cpp: puts weights.bin into the library, so that a program needs no file beside it. The
// assembler looks for weights.bin in the include directories.

asm(R"(
    .section .rodata
    .global kmeans_weights
    .hidden kmeans_weights
    .balign 256
kmeans_weights:
    .incbin "weights.bin"
    .previous
)");
