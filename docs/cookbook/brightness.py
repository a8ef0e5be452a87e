"""Runs docs/cookbook/python-program.yaml, and looks at its pictures."""

import numpy as np

import gxr

app = gxr.Application("docs/cookbook/python-program.yaml").set("camera/count=3")
pictures = app.tap("small/out")  # beside the writer, which gets them, too

for picture in pictures:
    pixels = np.asarray(picture)  # no copy
    print(picture.sequence, pixels.shape, pixels.mean(axis=(0, 1)).round(1))

report = app.wait()
print(report.reason, {each.entity: each.ticks for each in report.entities})
