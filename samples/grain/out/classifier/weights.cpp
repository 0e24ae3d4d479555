// weights.cpp: puts weights.bin into the library, so that a program needs no file beside it. The
// assembler looks for weights.bin in the include directories.
//
// The two .org check its size, 1296 bytes: .org cannot go backwards, as the first has to in a
// longer file and the second in a shorter one.

asm(R"(
    .section .rodata.classifier_weights,"a",@progbits
    .global classifier_weights
    .hidden classifier_weights
    .balign 256
classifier_weights:
    .incbin "weights.bin"
.Lclassifier_weights_end:
    .org classifier_weights + 1296
    .org .Lclassifier_weights_end + (.Lclassifier_weights_end - classifier_weights) - 1296
    .previous
)");
