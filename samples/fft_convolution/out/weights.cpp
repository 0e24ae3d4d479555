// weights.cpp: puts weights.bin into the library, so that a program needs no file beside it. The
// assembler looks for weights.bin in the include directories.

asm(R"(
    .section .rodata
    .global fft_convolution_weights
    .hidden fft_convolution_weights
    .balign 256
fft_convolution_weights:
    .incbin "weights.bin"
    .previous
)");
