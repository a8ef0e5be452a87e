"""A kernel of Triton, which is compiled from its source file."""

import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 128}), triton.Config({"BLOCK": 512})], key=["count"])
@triton.jit
def _scale(given, result, count, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(result + i, tl.load(given + i, mask=i < count) * factor, mask=i < count)


def scale(given, result, factor):
    count = given.numel()
    _scale[lambda meta: (triton.cdiv(count, meta["BLOCK"]),)](given, result, count, factor)
