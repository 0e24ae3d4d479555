// weights.cpp: puts weights.bin into the library, so that a program needs no file beside it. The
// assembler looks for weights.bin in the include directories.
//
// The two .org check its size, 16 bytes: .org cannot go backwards, as the first has to in a
// longer file and the second in a shorter one.

asm(R"(
    .section .rodata.kalman_weights,"a",@progbits
    .global kalman_weights
    .hidden kalman_weights
    .balign 256
kalman_weights:
    .incbin "weights.bin"
.Lkalman_weights_end:
    .org kalman_weights + 16
    .org .Lkalman_weights_end + (.Lkalman_weights_end - kalman_weights) - 16
    .previous
)");
