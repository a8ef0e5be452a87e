import gxr
import numpy as np

app = gxr.Application()
app.add("tone", "gxr::image::ToneCurve", parameters={"gamma": 2.2})
app.input("tone/in", capacity=2)
results = app.tap("tone/out", capacity=2)

with app:
    for brightness in (0, 64, 255):
        app.push("tone/in", np.full((4, 4, 3), brightness, np.uint8), timeout=1.0)
        print(brightness, "->", np.asarray(results.take(timeout=1.0))[0, 0])
    app.end_input("tone/in")
