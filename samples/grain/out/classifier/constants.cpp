// constants.cpp: puts constants.bin into the library, so that a program needs no file beside it. The
// assembler looks for it in the include directories.
//
// The two .org check its size, 1296 bytes: .org cannot go backwards, as the first has to in a
// longer file and the second in a shorter one.

asm(R"(
    .section .rodata.classifier_constants,"a",@progbits
    .global classifier_constants
    .hidden classifier_constants
    .balign 256
classifier_constants:
    .incbin "constants.bin"
.Lclassifier_constants_end:
    .org classifier_constants + 1296
    .org .Lclassifier_constants_end + (.Lclassifier_constants_end - classifier_constants) - 1296
    .previous
)");
