"""Products in tiles that a plan pins, as HLO text and plan: which tile is fastest, and does the cost model know?"""
import os

from texts import micro

# (type, batch, M, N, K): schedules and threads of a block
TILES = {
    ("bf16", 1, 4096, 4096, 4096): (
        ("mma 128x128x32, stages 4", 128), ("mma 128x128x32, stages 4", 256), ("mma 128x128x32, stages 3", 128),
        ("mma 128x128x32, stages 5", 256), ("mma 128x64x32, stages 4", 128), ("mma 64x128x32, stages 4", 128),
        ("mma 64x64x32, stages 4", 128),
        ("wgmma 128x256x64, stages 4", 256), ("wgmma 128x256x64, stages 3", 256), ("wgmma 256x128x64, stages 4", 512),
        ("wgmma 128x128x64, stages 3", 256), ("wgmma 128x128x64, stages 4", 256), ("wgmma 128x128x64, stages 6", 256),
        ("wgmma 64x256x64, stages 4", 128), ("wgmma 64x128x64, stages 4", 128), ("wgmma 64x64x64, stages 4", 128),
        ("wgmma 128x256x64, stages 4, tma", 384), ("wgmma 256x128x64, stages 4, tma", 640),
        ("wgmma 128x128x64, stages 6, tma", 384), ("wgmma 64x256x64, stages 5, tma", 256),
        ("wgmma 64x128x64, stages 8, tma", 256), ("wgmma 64x64x64, stages 8, tma", 256)),
    ("bf16", 1, 8192, 8192, 8192): (
        ("mma 128x128x32, stages 4", 128), ("wgmma 128x256x64, stages 4", 256), ("wgmma 256x128x64, stages 4", 512),
        ("wgmma 128x128x64, stages 3", 256), ("wgmma 128x256x64, stages 4, tma", 384)),
    ("f16", 1, 4096, 4096, 4096): (
        ("mma 128x128x32, stages 4", 128), ("wgmma 128x256x64, stages 4", 256), ("wgmma 128x256x64, stages 4, tma", 384)),
    ("bf16", 1, 2048, 14336, 4096): (
        ("mma 128x128x32, stages 4", 128), ("wgmma 128x256x64, stages 4", 256), ("wgmma 128x128x64, stages 3", 256),
        ("wgmma 128x256x64, stages 4, tma", 384), ("wgmma 128x128x64, stages 6, tma", 384)),
    ("bf16", 1, 1024, 1024, 1024): (
        ("wgmma 128x128x64, stages 6, tma", 384), ("wgmma 64x128x64, stages 8, tma", 256),
        ("wgmma 64x64x64, stages 8, tma", 256)),
    ("bf16", 1, 512, 4096, 4096): (
        ("wgmma 128x256x64, stages 4, tma", 384), ("wgmma 128x128x64, stages 6, tma", 384),
        ("wgmma 64x256x64, stages 5, tma", 256), ("wgmma 64x128x64, stages 8, tma", 256)),
    ("bf16", 1, 304, 4096, 4096): (
        ("wgmma 128x128x64, stages 6, tma", 384), ("wgmma 64x256x64, stages 5, tma", 256),
        ("wgmma 64x128x64, stages 8, tma", 256), ("wgmma 128x128x64, stages 6, split 4", 256)),
    ("bf16", 1, 4099, 4099, 4099): (("mma 128x128x32, stages 4", 128), ("wgmma 128x256x64, stages 4", 256)),
    ("bf16", 96, 1024, 1024, 64): (
        ("mma 128x128x32, stages 4", 128), ("wgmma 128x256x64, stages 4", 256), ("wgmma 128x128x64, stages 3", 256),
        ("wgmma 128x256x64, stages 4, tma", 384), ("wgmma 128x128x64, stages 6, tma", 384)),
    ("bf16", 1, 128, 14336, 4096): (
        ("mma 128x128x32, stages 4", 128), ("mma 128x128x32, stages 4", 256), ("mma 128x64x32, stages 4", 128),
        ("mma 64x64x32, stages 4", 128), ("mma 64x128x32, stages 6", 128), ("mma 128x64x32, stages 4, split 2", 128),
        ("wgmma 128x128x64, stages 6", 256), ("wgmma 64x128x64, stages 4", 128), ("wgmma 64x256x64, stages 4", 128),
        ("wgmma 128x256x64, stages 4, split 2", 256), ("wgmma 128x128x64, stages 6, tma", 384),
        ("wgmma 64x128x64, stages 8, tma", 256), ("wgmma 64x256x64, stages 5, tma", 256)),
    ("bf16", 1, 16, 4096, 14336): (
        ("mma 32x64x32, stages 4, split 2", 128), ("mma 32x64x32, stages 8, split 4", 128),
        ("mma 32x32x32, stages 8, split 4", 128), ("mma 32x128x32, stages 6, split 4", 128)),
    ("bf16", 1, 1, 4096, 14336): (
        ("gemv 32x64, stages 8", 256), ("gemv 64x64, stages 8", 256), ("gemv 128x32, stages 8", 256),
        ("gemv 32x64, stages 4, split 4", 256), ("gemv 32x64, stages 8, split 8", 256)),
    ("f32", 1, 4096, 4096, 4096): (
        ("mma 3xtf32 128x64x16, stages 4", 128), ("mma 3xtf32 128x64x16, stages 4", 256),
        ("mma 3xtf32 128x128x16, stages 4", 256), ("mma 3xtf32 128x128x16, stages 3", 256),
        ("mma 3xtf32 64x64x16, stages 4", 128), ("mma 3xtf32 64x32x16, stages 4", 128),
        ("mma 3xtf32 64x128x16, stages 4", 128),
        ("wgmma 3xtf32 128x128x32, stages 4, turned", 256), ("wgmma 3xtf32 128x128x32, stages 3, turned", 256),
        ("wgmma 3xtf32 128x64x32, stages 4, turned", 128), ("wgmma 3xtf32 64x128x32, stages 4, turned", 256),
        ("wgmma 3xtf32 64x64x32, stages 4, turned", 128), ("wgmma 3xtf32 128x128x32, stages 4", 256)),
    ("s8", 1, 4096, 4096, 4096): (
        ("mma int8 128x64x64, stages 4", 128), ("mma int8 128x128x64, stages 4", 256),
        ("wgmma int8 256x128x128, stages 4, turned", 256), ("wgmma int8 128x128x128, stages 3, turned", 256),
        ("wgmma int8 128x64x128, stages 4, turned", 128)),
    ("f32", 96, 1024, 1024, 64): (
        ("mma 3xtf32 128x64x16, stages 4", 128), ("mma 3xtf32 128x128x16, stages 4", 256),
        ("mma 3xtf32 64x64x16, stages 4", 128), ("mma 3xtf32 64x64x16, stages 3", 128),
        ("mma 3xtf32 64x32x16, stages 4", 128), ("mma 3xtf32 32x32x16, stages 4", 128),
        ("wgmma 3xtf32 128x128x32, stages 3", 256), ("wgmma 3xtf32 64x64x32, stages 3", 128)),
    ("f32", 1, 1024, 3072, 768): (
        ("mma 3xtf32 128x64x16, stages 4", 128), ("mma 3xtf32 64x64x16, stages 4", 128),
        ("mma 3xtf32 64x32x16, stages 4", 128), ("mma 3xtf32 64x64x16, stages 4, split 2", 128)),
}


def product(dtype, batch, m, n, k):
    if batch == 1:
        return micro.product(dtype, m, n, k, result="s32" if dtype == "s8" else None)
    return [f"a = {dtype}[{batch},{m},{k}] parameter(0)", f"b = {dtype}[{batch},{n},{k}] parameter(1)",
            f"ROOT c = {dtype}[{batch},{m},{n}] dot(a, b), lhs_batch_dims={{0}}, rhs_batch_dims={{0}}, "
            "lhs_contracting_dims={2}, rhs_contracting_dims={2}"]


def write(folder):
    os.makedirs(folder, exist_ok=True)
    for shape, tiles in TILES.items():
        for schedule, threads in tiles:
            words = schedule.replace(",", "").replace("stages ", "s").replace("split ", "p").replace(" ", "_")
            name = "_".join(map(str, shape)) + f"_{words}_{threads}"
            plan = (f"program t_tiles_{name} {{\n  kernel t_tiles_{name} grid auto block {threads} {{\n"
                    f"    stage contract({schedule}) {{c}}\n  }}\n}}\n")
            for suffix, text in (("hlo", micro.module(name, product(*shape))), ("plan", plan)):
                with open(os.path.join(folder, f"{name}.{suffix}"), "w") as file:
                    file.write(text)
