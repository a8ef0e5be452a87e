import gxr
import numpy as np

app = gxr.Application()
app.add("camera", "gxr::image::Source", parameters={"pattern": "ColorBars", "width": 64, "height": 48, "count": 3})
app.add("sensor", "gxr::image::BayerMosaic", inputs={"in": "camera"})
app.add("demosaic", "gxr::image::DemosaicMalvar", inputs={"in": "sensor"})
print(app.to_yaml())

for picture in app.tap("demosaic/out"):
    pixels = np.asarray(picture)
    print(picture.sequence, pixels.shape, pixels.dtype, pixels.mean().round(1))
