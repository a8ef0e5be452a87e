"""Makes digits.onnx, the network, and digits.npz, the pictures that it has not seen. Needs scikit-learn and onnx."""

import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

FOLDER = pathlib.Path(__file__).parent

digits = load_digits()  # 1797 pictures of 8x8 pixels, from 0 to 16
train, test, train_labels, test_labels = train_test_split(
    digits.images, digits.target, test_size=0.5, random_state=0, stratify=digits.target
)
classifier = MLPClassifier((96,), alpha=1e-2, max_iter=400, random_state=0)
classifier.fit(train.reshape(-1, 64) / 16, train_labels)
print("accuracy:", classifier.score(test.reshape(-1, 64) / 16, test_labels))

weights = [each.astype(np.float32) for each in classifier.coefs_]
biases = [each.astype(np.float32) for each in classifier.intercepts_]
graph = helper.make_graph(
    [
        helper.make_node("Flatten", ["picture"], ["flat"]),
        helper.make_node("Gemm", ["flat", "weights0", "bias0"], ["sums0"]),
        helper.make_node("Relu", ["sums0"], ["hidden"]),
        helper.make_node("Gemm", ["hidden", "weights1", "bias1"], ["sums1"]),
        helper.make_node("Softmax", ["sums1"], ["probabilities"]),
    ],
    "digits",
    [helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 8, 8])],
    [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [1, 10])],
    [numpy_helper.from_array(each, f"weights{i}") for i, each in enumerate(weights)]
    + [numpy_helper.from_array(each, f"bias{i}") for i, each in enumerate(biases)],
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
onnx.checker.check_model(model)
onnx.save(model, FOLDER / "digits.onnx")
np.savez_compressed(FOLDER / "digits.npz", pictures=test.astype(np.uint8), labels=test_labels.astype(np.uint8))
