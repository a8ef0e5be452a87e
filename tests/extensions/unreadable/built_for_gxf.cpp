// A library as GXF's own headers make it: GXF finds this function, gxr no descriptor.
extern "C" __attribute__((visibility("default"))) int GxfExtensionFactory(void** result);
int GxfExtensionFactory(void** result) {
  *result = nullptr;
  return 0;
}
