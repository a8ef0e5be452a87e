"""Operators that run networks: `extensions: [gxr.nn]`, `operator: gxr::nn::Onnx`."""

from __future__ import annotations

import pathlib
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
