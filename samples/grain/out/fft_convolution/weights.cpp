// weights.cpp: puts weights.bin into the library, so that a program needs no file beside it. The
// assembler looks for weights.bin in the include directories.
//
// The two .org check its size, 6664 bytes: .org cannot go backwards, as the first has to in a
// longer file and the second in a shorter one.

asm(R"(
    .section .rodata.fft_convolution_weights,"a",@progbits
    .global fft_convolution_weights
    .hidden fft_convolution_weights
    .balign 256
fft_convolution_weights:
    .incbin "weights.bin"
.Lfft_convolution_weights_end:
    .org fft_convolution_weights + 6664
    .org .Lfft_convolution_weights_end + (.Lfft_convolution_weights_end - fft_convolution_weights) - 6664
    .previous
)");
