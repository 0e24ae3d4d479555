// constants.cpp: puts constants.bin into the library, so that a program needs no file beside it. The
// assembler looks for it in the include directories.
//
// The two .org check its size, 6664 bytes: .org cannot go backwards, as the first has to in a
// longer file and the second in a shorter one.

asm(R"(
    .section .rodata.fft_convolution_constants,"a",@progbits
    .global fft_convolution_constants
    .hidden fft_convolution_constants
    .balign 256
fft_convolution_constants:
    .incbin "constants.bin"
.Lfft_convolution_constants_end:
    .org fft_convolution_constants + 6664
    .org .Lfft_convolution_constants_end + (.Lfft_convolution_constants_end - fft_convolution_constants) - 6664
    .previous
)");
