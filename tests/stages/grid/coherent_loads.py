"""What blocks of a launch exchange is loaded as what other blocks may write: in PTX, none of it by `ld.global.nc`.

  coherent_loads.py SINTER PROGRAM.hlo ...            (77: no nvcc)

Such a load may be answered by a cache that does not see other blocks' stores. The compiler makes one where it takes an
array for constant: through a `const T* __restrict__`, or a pointer that may be one. Each address of such a load is
followed back to the kernel's parameters, which must be arrays that no step writes. Then all that steps read is given
`__restrict__`, and some of these loads must be seen to be wrong.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

DEFINITION = re.compile(r"^\s*(?:@!?%p\d+\s+)?([a-z][\w.:]*)\s+(?:\{[^}]*\}|(%\w+)),?\s*(.*);")
REGISTER = re.compile(r"%[a-z]+\d+")


def kernel_parameters(text):
    """Of the kernel that has the barrier: (is an array, has __restrict__) of each parameter."""
    start = text.index("__global__")
    head = text[start : text.index(") {", start)]
    head = head[head.index("(", head.index("__launch_bounds__") + len("__launch_bounds__(kThreads)")) + 1 :]
    return [("*" in one, "__restrict__" in one) for one in head.split(",")]


def constant_loads(ptx):
    """The parameters' numbers that the address of each ld.global.nc of the kernel may come from."""
    # Functions number their registers by themselves. Those that the kernel calls may be given any array.
    functions = ptx.split("\n}\n")
    for function in functions:
        if ".entry" not in function and "ld.global.nc" in function:
            sys.exit("a function that is called has a constant load")
        yield from constant_loads_of(function)


def constant_loads_of(function):
    defined, loads = {}, []
    for line in function.splitlines():
        found = DEFINITION.match(line)
        if not found:
            continue
        operation, register, operands = found.groups()
        if operation.startswith("ld.global.nc"):
            address = re.search(r"\[(%rd\d+)", line)
            loads.append(address.group(1))
        if register:
            defined.setdefault(register, []).append((operation, operands))
    for address in loads:
        parameters, seen, left = set(), set(), [address]
        while left:
            register = left.pop()
            if register in seen:
                continue
            seen.add(register)
            for operation, operands in defined.get(register, []):
                parameter = re.search(r"_param_(\d+)", operands)
                if operation.startswith("ld.param") and parameter:
                    parameters.add(int(parameter.group(1)))
                elif not operation.startswith(("ld.", "atom.")):
                    left += REGISTER.findall(operands)
        yield parameters


def loads_of(nvcc, folder, kernel):
    output = folder / "kernel.ptx"
    subprocess.run([nvcc, "-std=c++20", "-O3", "-fmad=false", "-arch=compute_90a", "-ptx", f"-I{folder / 'include'}",
                    f"-I{folder / 'kernels'}", f"-I{folder}", "-o", str(output), str(kernel)], check=True)
    return list(constant_loads(output.read_text()))


def main():
    sinter, *programs = sys.argv[1:]
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        print("skipped: there is no nvcc")
        sys.exit(77)
    kernels = wrong = all_loads = seen = 0
    for program in programs:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary) / "out"
            command = [sinter, "compile", program, "-o", str(folder), "--without", "tile_loops"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            for kernel in sorted(folder.glob("kernels/*.cu")):
                text = kernel.read_text()
                if "GridBarrier" not in text:
                    continue
                kernels += 1
                arrays = kernel_parameters(text)
                loads = loads_of(nvcc, folder, kernel)
                all_loads += len(loads)
                for parameters in loads:
                    if not any(arrays[number][0] for number in parameters):
                        sys.exit(f"{program}: an address that comes from no array")
                    bad = [number for number in parameters if arrays[number] == (True, False)]
                    wrong += bool(bad)
                    if bad:
                        print(f"{program}: {kernel.name}: a constant load of parameter {bad[0]}, which steps write")
                # The loads that a kernel would have whose arrays are all said to be constant.
                kernel.write_text(re.sub(r"const (\w+)\* (?!__restrict__)(?=\w+[,;) ])", r"const \1* __restrict__ ", text))
                loads = loads_of(nvcc, folder, kernel)
                seen += any(arrays[number] == (True, False) for parameters in loads for number in parameters)
    print(f"{kernels} kernels, {all_loads} constant loads, {wrong} of them wrong; "
          f"{seen} kernels with wrong ones where all arrays are said to be constant")
    sys.exit(wrong > 0 or kernels == 0 or all_loads == 0 or seen == 0)


main()
