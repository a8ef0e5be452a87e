"""Makes denoise.pt2: a network that takes the noise out of demosaiced pictures. Needs PyTorch; a minute on a GPU."""

import pathlib

import numpy as np
import torch

import gxr

FOLDER = pathlib.Path(__file__).parent
NOISE = 0.06
SIDE = 96


def scenes(count: int) -> list[np.ndarray]:
    """Pictures of light, as uint16: gradients with discs, bars and stripes of all sizes and colours."""
    random = np.random.default_rng(1)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE] / SIDE
    made = []
    for _ in range(count):
        corners = random.random((4, 3))
        picture = sum(
            weight[..., None] * corner
            for weight, corner in zip(
                [(1 - rows) * (1 - columns), (1 - rows) * columns, rows * (1 - columns), rows * columns], corners
            )
        )
        for _ in range(random.integers(2, 10)):
            row, column, angle = random.random(2).tolist() + [random.random() * np.pi]
            along = (rows - row) * np.sin(angle) + (columns - column) * np.cos(angle)
            across = (columns - column) * np.sin(angle) - (rows - row) * np.cos(angle)
            size = random.uniform(0.02, 0.4)
            kind = random.integers(3)
            inside = (along**2 + across**2 < size**2) if kind == 0 else (abs(along) < size) & (abs(across) < size / 4)
            if kind == 2:
                inside &= np.sin(across * random.uniform(30, 250)) > 0
            picture = np.where(inside[..., None], random.random(3), picture)
        made.append((picture**2.2 * 65535).astype(np.uint16))
    return made


def developed(pictures: list[np.ndarray], noise: float) -> torch.Tensor:
    """What the camera of network.yaml has behind its demosaicer, from 0 to 1."""
    app = gxr.Application()
    app.add("sensor", "gxr::image::BayerMosaic", parameters={"pattern": "RGGB", "noise": noise, "seed": 5})
    app.add("demosaic", "gxr::image::DemosaicMalvar", inputs={"in": "sensor"})
    app.input("sensor/in")
    results = app.tap("demosaic/out")
    found = []
    with app:
        for picture in pictures:
            app.push("sensor/in", picture)
            found.append(results.take().to_host())
        app.end_input("sensor/in")
        app.wait()
    return torch.from_numpy(np.stack(found).astype(np.float32) / 65535).movedim(-1, 1)


class Denoiser(torch.nn.Module):
    """Finds the noise, and takes it away."""

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.noise = torch.nn.Sequential(
            torch.nn.Conv2d(3, width, 5, padding=2),
            torch.nn.ReLU(),
            torch.nn.Conv2d(width, width, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.Conv2d(width, width, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.Conv2d(width, 3, 3, padding=1),
        )

    def forward(self, picture: torch.Tensor) -> torch.Tensor:
        return picture - self.noise(picture)


def main() -> None:
    torch.manual_seed(1)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    pictures = scenes(512)
    clean = torch.from_numpy(np.stack(pictures).astype(np.float32) / 65535).movedim(-1, 1).to(device)
    noisy = developed(pictures, NOISE).to(device)
    test, train = slice(0, 32), slice(32, None)
    network = Denoiser().to(device)
    steps = 4000 if device == "cuda" else 400
    optimizer = torch.optim.Adam(network.parameters(), 2e-3)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    for _ in range(steps):
        chosen = torch.randint(0, clean[train].shape[0], (16,))
        loss = torch.nn.functional.l1_loss(network(noisy[train][chosen]), clean[train][chosen])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
    with torch.inference_mode():
        for name, found in {"noisy": noisy[test], "network": network(noisy[test])}.items():
            print(f"{name}: mean error {float((found - clean[test]).abs().mean()):.4f} of 1")
    network = network.cpu().eval()
    height, width = torch.export.Dim("height", min=8), torch.export.Dim("width", min=8)
    exported = torch.export.export(
        network, (torch.zeros(1, 3, 16, 24),), dynamic_shapes=({2: height, 3: width},), strict=False
    )
    torch.export.save(exported, FOLDER / "denoise.pt2")


if __name__ == "__main__":
    main()
