// constants.cpp: puts constants.bin into the library, so that a program needs no file beside it. The
// assembler looks for it in the include directories.
//
// The two .org check its size, 257 bytes: .org cannot go backwards, as the first has to in a
// longer file and the second in a shorter one.

asm(R"(
    .section .rodata.kmeans_constants,"a",@progbits
    .global kmeans_constants
    .hidden kmeans_constants
    .balign 256
kmeans_constants:
    .incbin "constants.bin"
.Lkmeans_constants_end:
    .org kmeans_constants + 257
    .org .Lkmeans_constants_end + (.Lkmeans_constants_end - kmeans_constants) - 257
    .previous
)");
