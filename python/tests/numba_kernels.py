"""A kernel of numba."""

from numba import cuda


@cuda.jit
def _scale(given, result, factor):
    i = cuda.grid(1)
    if i < given.size:
        result[i] = given[i] * factor


def works():
    """Raises what numba raises where it cannot compile a kernel."""
    import numpy

    array = cuda.to_device(numpy.ones(3, numpy.float32))
    _scale[1, 32](array, array, 2.0)


def scale(region, given, result, factor):
    stream = cuda.external_stream(region.stream)
    given = cuda.from_cuda_array_interface(given.__cuda_array_interface__, sync=False)
    result = cuda.from_cuda_array_interface(result.__cuda_array_interface__, sync=False)
    _scale[(given.size + 255) // 256, 256, stream](given.reshape(given.size), result.reshape(result.size), factor)
    return _scale
