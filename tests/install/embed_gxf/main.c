/* Runs an application through GXF's C interface. */

#include <stdio.h>

#include "gxf/core/gxf.h"

int main(int count, char** arguments) {
  gxf_context_t context = kNullContext;
  gxf_result_t code = GxfContextCreate(&context);
  for (int i = 1; i < count && code == GXF_SUCCESS; ++i) {
    code = GxfGraphLoadFile(context, arguments[i], NULL, 0);
  }
  if (code == GXF_SUCCESS) {
    code = GxfGraphActivate(context);
  }
  if (code == GXF_SUCCESS) {
    code = GxfGraphRun(context);
  }
  printf("%s\n", GxfResultStr(code));
  return GxfContextDestroy(context) == GXF_SUCCESS && code == GXF_SUCCESS ? 0 : 1;
}
