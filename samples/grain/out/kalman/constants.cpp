// constants.cpp: puts constants.bin into the library, so that a program needs no file beside it. The
// assembler looks for it in the include directories.
//
// The two .org check its size, 16 bytes: .org cannot go backwards, as the first has to in a
// longer file and the second in a shorter one.

asm(R"(
    .section .rodata.kalman_constants,"a",@progbits
    .global kalman_constants
    .hidden kalman_constants
    .balign 256
kalman_constants:
    .incbin "constants.bin"
.Lkalman_constants_end:
    .org kalman_constants + 16
    .org .Lkalman_constants_end + (.Lkalman_constants_end - kalman_constants) - 16
    .previous
)");
