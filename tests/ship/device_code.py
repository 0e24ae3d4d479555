#!/usr/bin/env python3
"""What device code a binary has: a line each of its kinds, "sm_90a" or "ptx compute_90".

    device_code.py BINARY

That is what `cuobjdump --list-elf --list-ptx` says. nvcc comes without that program where it is from PyPI.
"""

import re
import struct
import sys

MAGIC = struct.pack("<IH", 0xBA55ED50, 1)
PTX, ELF = 1, 2


def kinds_of(data):
    kinds = set()
    for found in re.finditer(re.escape(MAGIC), data):
        header, size = struct.unpack_from("<HQ", data, found.start() + 6)
        at = found.start() + header
        end = at + size
        while at < end:
            kind, _, header, size, _, _, _, _, architecture = struct.unpack_from("<HHIQIIHHI", data, at)
            kinds.add(f"ptx compute_{architecture}" if kind == PTX else
                      f"sm_{architecture}" if kind == ELF else f"kind {kind}")
            at += header + size
    return kinds


print("\n".join(sorted(kinds_of(open(sys.argv[1], "rb").read()))))
