"""Operators that run networks: `extensions: [gxr.nn]`, `operator: gxr::nn::Onnx`, `gxr::nn::Torch`."""

from __future__ import annotations

import contextlib
import importlib
import pathlib
import threading
from collections.abc import Iterator
from typing import Any, Literal

import gxr

_DTYPES = {
    "tensor(float)": "float32",
    "tensor(double)": "float64",
    "tensor(float16)": "float16",
    "tensor(int8)": "int8",
    "tensor(uint8)": "uint8",
    "tensor(int16)": "int16",
    "tensor(uint16)": "uint16",
    "tensor(int32)": "int32",
    "tensor(uint32)": "uint32",
    "tensor(int64)": "int64",
    "tensor(uint64)": "uint64",
}


class Onnx(gxr.Operator):
    """Runs a network in the ONNX format

    onnxruntime runs it: by default on the CPU. Each input of the network takes the tensor of that name in the message;
    a network with one input takes the first tensor, whatever its name. The result is one message that has a tensor for
    each output of the network, under its name.
    """

    input: gxr.Input[gxr.Message] = gxr.port(doc="Tensors for the network")
    result: gxr.Output[gxr.Message] = gxr.port(doc="The tensors that the network gives")
    model: pathlib.Path = gxr.parameter(doc="File of the network, .onnx")
    providers: list[str] = gxr.parameter(
        ["CPUExecutionProvider"], doc="Where onnxruntime may run it, the first that is there"
    )
    threads: int = gxr.parameter(0, minimum=0, doc="Threads of one run; 0: as many as there are processors")
    scale: float = gxr.parameter(1.0, doc="Factor on the numbers that come")
    mean: list[float] = gxr.parameter([], doc="What is taken from each channel then; nothing: 0")
    std: list[float] = gxr.parameter([], doc="What each channel is divided by after that; nothing: 1")
    channels: Literal["last", "first"] = gxr.parameter(
        "last", doc="Where the network wants the channels of a picture: [height, width, channel] or before that"
    )
    batch: bool = gxr.parameter(True, doc="Adds the dimension of a batch, 1, where the network has one more than comes")

    def start(self) -> None:
        try:
            import onnxruntime
        except ImportError as error:
            raise RuntimeError("gxr::nn::Onnx needs onnxruntime: python -m pip install onnxruntime") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        missing = [each for each in self.providers if each not in onnxruntime.get_available_providers()]
        if missing:
            raise ValueError(
                f"this onnxruntime has no {missing[0]}; it has {', '.join(onnxruntime.get_available_providers())}"
            )
        if not self.model.is_file():
            raise FileNotFoundError(f"there is no file '{self.model}' (parameter 'model')")
        self._session = onnxruntime.InferenceSession(str(self.model), options, providers=self.providers)
        self._binding = self._session.io_binding()
        self._inputs = self._session.get_inputs()
        self._outputs = [each.name for each in self._session.get_outputs()]

    def tick(self) -> None:
        received = self.input.receive()
        for wanted in self._inputs:
            self._binding.bind_cpu_input(wanted.name, self._fitting(self._tensor_for(wanted, received), wanted))
        for name in self._outputs:
            self._binding.bind_output(name)
        self._session.run_with_iobinding(self._binding)
        result = self.new_message()
        for name, array in zip(self._outputs, self._binding.copy_outputs_to_cpu()):
            result.add(array, name)
        result.source_time = received.source_time
        result.sequence = received.sequence
        self.result.publish(result)

    def _tensor_for(self, wanted: Any, received: gxr.Message) -> gxr.Tensor:
        named = [name for name, kind in received.parts if kind == "Tensor" and name == wanted.name]
        if not named and len(self._inputs) > 1:
            raise ValueError(
                f"'{self.model}' takes {', '.join(repr(each.name) for each in self._inputs)}, but the message at "
                f"'{self.entity}/{self.input.name}' has {received.parts}"
            )
        return received.tensor(wanted.name if named else None)

    def _fitting(self, tensor: gxr.Tensor, wanted: Any) -> Any:
        """The tensor as the network wants it; ValueError when it cannot be that."""
        import numpy as np

        dtype = _DTYPES.get(wanted.type)
        if dtype is None:
            raise ValueError(f"'{self.model}' takes {wanted.type} as '{wanted.name}', which is no tensor of numbers")
        array = np.asarray(tensor)
        if self.scale != 1.0 or self.mean or self.std:
            array = array.astype(np.float32) * np.float32(self.scale)
            if self.mean:
                array = array - np.asarray(self.mean, np.float32)
            if self.std:
                array = array / np.asarray(self.std, np.float32)
        if self.channels == "first" and array.ndim >= 3:
            array = np.moveaxis(array, -1, -3)
        if self.batch and array.ndim + 1 == len(wanted.shape):
            array = array[np.newaxis]
        if len(wanted.shape) != array.ndim or any(
            isinstance(extent, int) and extent != given for extent, given in zip(wanted.shape, array.shape)
        ):
            raise ValueError(
                f"'{self.model}' takes {_spelled(wanted.shape)} {dtype} as '{wanted.name}', but the tensor at "
                f"'{self.entity}/{self.input.name}' is {list(tensor.shape)} {tensor.dtype}"
                + ("" if list(array.shape) == list(tensor.shape) else f", {list(array.shape)} for the network")
            )
        return np.ascontiguousarray(array, dtype)


def _spelled(shape: list[Any]) -> str:
    return "[" + ", ".join(str(extent) if isinstance(extent, int) else "*" for extent in shape) + "]"


class Torch(gxr.Operator):
    """Runs a network of PyTorch, also in a CUDA graph

    In a graph or a resident loop, PyTorch puts the kernels of the network into the graph once, and runs no more
    itself. The network takes one tensor. The CPU's schedulers run it on the CPU, or on a GPU with `device: cuda`.
    """

    input: gxr.Input[gxr.Tensor] = gxr.port(doc="What the network takes")
    result: gxr.Output[gxr.Tensor] = gxr.port(doc="What the network gives")
    model: pathlib.Path = gxr.parameter(
        doc="File of the network: .pt2 (torch.export.save), .pt (TorchScript), or a state dict for `factory`"
    )
    factory: str = gxr.parameter("", doc="MODULE:FUNCTION that makes the module for a state dict")
    precision: str = gxr.parameter(
        "float32",
        choices={
            "float32": "as on the CPU",
            "tf32": "products of 10 bits, as PyTorch does convolutions on a GPU by itself",
            "float16": "half precision",
            "bfloat16": "half precision with the range of float32",
        },
        doc="The numbers that the network calculates with",
    )
    scale: float = gxr.parameter(1.0, doc="Factor on the numbers that come")
    mean: list[float] = gxr.parameter([], doc="What is taken from each channel then; nothing: 0")
    std: list[float] = gxr.parameter([], doc="What each channel is divided by after that; nothing: 1")
    channels: Literal["last", "first"] = gxr.parameter(
        "last", doc="Where the network wants the channels of a picture: [height, width, channel] or before that"
    )
    batch: bool = gxr.parameter(True, doc="Adds the dimension of a batch, 1, to what comes, and takes it off the result")
    picture: bool = gxr.parameter(
        False, doc="The result is a picture like the one that came: divided by `scale`, channels last, the same elements"
    )
    output: int = gxr.parameter(0, minimum=0, doc="Which of its outputs, if the network has several")
    device: str = gxr.parameter("cpu", doc="Where the CPU's schedulers run it: cpu, cuda, cuda:1; a graph knows its own")

    def infer(self, shapes: gxr.Shapes) -> None:
        torch = _torch()
        spec = shapes.input(self.input)
        key = (spec, self.model, self.precision, self.channels, self.batch, self.picture, self.output)
        if self.__dict__.get("_inferred", (None, None))[0] != key:
            with torch.inference_mode():
                zeros = torch.zeros(spec.shape, dtype=self._type_named(spec.dtype))
                result = self._calculate(self._loaded("cpu", torch.float32), zeros, torch.float32)
            self._inferred = (key, gxr.TensorSpec(tuple(result.shape), _name_of(result.dtype)))
        shapes.set_output(self.result, self._inferred[1])

    def capture(self, region: gxr.Capture) -> object:
        torch = _torch()
        module = self._loaded(f"cuda:{region.device}", self._calculated())
        result = self._calculate(module, torch.from_dlpack(region.input(self.input)), self._calculated())
        torch.from_dlpack(region.output(self.result)).copy_(result)
        return module

    def start(self) -> None:
        torch = _torch()
        device = self.device if self.graph_device is None else f"cuda:{self.graph_device}"
        if device != "cpu" and not torch.cuda.is_available():
            raise RuntimeError(f"PyTorch finds no GPU for 'device: {device}'")
        self._loaded(device, self._calculated())
        for values in (self.mean, self.std):
            self._constant(values, device, torch.float32)

    def tick(self) -> None:
        import numpy as np

        torch = _torch()
        received = self.input.receive()
        with torch.inference_mode():
            if received.storage == "device":
                taken = torch.from_dlpack(received)
            else:
                taken = torch.from_numpy(np.array(received))
            module = self._loaded(self.device, self._calculated())
            result = self._calculate(module, taken.to(self.device), self._calculated())
            self.result.publish(result.cpu().contiguous().numpy())

    def stop(self) -> None:
        for name in ("_modules", "_constants"):
            self.__dict__.pop(name, None)

    def _calculated(self) -> Any:
        return getattr(_torch(), "float32" if self.precision == "tf32" else self.precision)

    def _type_named(self, name: str) -> Any:
        found = getattr(_torch(), name, None)
        if found is None:
            raise ValueError(f"PyTorch has no tensors of {name}, which arrive at '{self.entity}/{self.input.name}'")
        return found

    def _loaded(self, device: str, dtype: Any) -> Any:
        """The module on that device, read once."""
        modules = self.__dict__.setdefault("_modules", {})
        key = (device, dtype, str(self.model), self.factory)
        if key not in modules:
            modules[key] = self._read(device, dtype)
        return modules[key]

    def _read(self, device: str, dtype: Any) -> Any:
        torch = _torch()
        if not self.model.is_file():
            raise FileNotFoundError(f"there is no file '{self.model}' (parameter 'model')")
        if self.factory:
            module_name, _, function = self.factory.partition(":")
            if not function:
                raise ValueError(f"the parameter 'factory' is MODULE:FUNCTION, not '{self.factory}'")
            module = getattr(importlib.import_module(module_name), function)()
            module.load_state_dict(torch.load(self.model, map_location="cpu", weights_only=True))
        elif self.model.suffix == ".pt2":
            # exported for evaluation already
            return torch.export.load(self.model).module().to(device=device, dtype=dtype)
        else:
            try:
                module = torch.jit.load(str(self.model), map_location="cpu")
            except RuntimeError as error:
                raise ValueError(
                    f"'{self.model}' is no TorchScript; for a state dict, 'factory' names what makes the module, and a "
                    "file of torch.export.save() is called .pt2"
                ) from error
        return module.to(device=device, dtype=dtype).eval()

    def _calculate(self, module: Any, taken: Any, dtype: Any) -> Any:
        """What the network makes of a tensor that came, as it leaves."""
        torch = _torch()
        given = self._normalized(taken.to(torch.float32)).to(dtype)
        if given.data_ptr() == taken.data_ptr():
            given = given.clone()  # others read it, and the network may write to it
        try:
            with _products(self.precision == "tf32") if given.is_cuda else contextlib.nullcontext():
                result = module(given)
        except RuntimeError as error:
            if "capturing" in str(error):
                raise
            raise ValueError(
                f"'{self.model}' does not take the tensor at '{self.entity}/{self.input.name}', {list(taken.shape)} "
                f"{_name_of(taken.dtype)}, {list(given.shape)} for the network: {str(error).splitlines()[0]}"
            ) from error
        if isinstance(result, (list, tuple)):
            if self.output >= len(result):
                raise ValueError(f"'{self.model}' has {len(result)} outputs, so 'output: {self.output}' is none of them")
            result = result[self.output]
        if not isinstance(result, torch.Tensor):
            raise ValueError(f"'{self.model}' gives {type(result).__name__}, which is no tensor")
        if self.batch and result.ndim > 1 and result.shape[0] == 1:
            result = result[0]
        if not self.picture:
            if result.dtype == torch.bool:
                return result.to(torch.uint8)
            return result.to(torch.float32) if result.dtype in (torch.float16, torch.bfloat16) else result
        if self.channels == "first" and result.ndim >= 3:
            result = result.movedim(-3, -1)
        result = result.to(torch.float32)
        return _as(result / self.scale if self.scale != 1.0 else result, taken.dtype)

    def _normalized(self, given: Any) -> Any:
        torch = _torch()
        if self.scale != 1.0:
            given = given * self.scale
        for values, take in ((self.mean, torch.sub), (self.std, torch.div)):
            if values:
                given = take(given, self._constant(values, given.device, given.dtype))
        if self.channels == "first" and given.ndim >= 3:
            given = given.movedim(-1, -3).contiguous()
        return given[None] if self.batch else given

    def _constant(self, values: list[float], device: Any, dtype: Any) -> Any:
        """On that device, made once: a captured call cannot copy it there."""
        constants = self.__dict__.setdefault("_constants", {})
        key = (tuple(values), str(device), dtype)
        if key not in constants:
            constants[key] = _torch().tensor(values, dtype=dtype, device=device)
        return constants[key]


_FLAGS = threading.Lock()


@contextlib.contextmanager
def _products(tf32: bool) -> Iterator[None]:
    """Whether the GPU may calculate products of float32 with less precision."""
    torch = _torch()
    places = (torch.backends.cudnn, torch.backends.cuda.matmul)
    with _FLAGS:  # of the process: operators on other threads wait
        before = [each.allow_tf32 for each in places]
        for each in places:
            each.allow_tf32 = tf32
        try:
            yield
        finally:
            for each, allowed in zip(places, before):
                each.allow_tf32 = allowed


def _torch() -> Any:
    try:
        return importlib.import_module("torch")
    except ImportError as error:
        raise RuntimeError("gxr::nn::Torch needs PyTorch: python -m pip install torch") from error


def _name_of(dtype: Any) -> str:
    return str(dtype).removeprefix("torch.")


def _as(numbers: Any, dtype: Any) -> Any:
    """Numbers as elements of a type; whole ones are rounded, and stay within its range."""
    torch = _torch()
    if dtype.is_floating_point:
        return numbers.to(dtype)
    most = torch.iinfo(dtype)
    if most.bits > 16:
        raise ValueError(f"pictures of {_name_of(dtype)} cannot be made: convert them to 8 or 16 bits before")
    return numbers.round().clamp(most.min, most.max).to(torch.int32).to(dtype)
