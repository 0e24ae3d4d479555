// weights.cpp: puts weights.bin into the library, so that a program needs no file beside it. The
// assembler looks for weights.bin in the include directories.
//
// The two .org check its size, 257 bytes: .org cannot go backwards, as the first has to in a
// longer file and the second in a shorter one.

asm(R"(
    .section .rodata.kmeans_weights,"a",@progbits
    .global kmeans_weights
    .hidden kmeans_weights
    .balign 256
kmeans_weights:
    .incbin "weights.bin"
.Lkmeans_weights_end:
    .org kmeans_weights + 257
    .org .Lkmeans_weights_end + (.Lkmeans_weights_end - kmeans_weights) - 257
    .previous
)");
