// Poisson's equation, u_xx + u_yy = -f, on a grid with zeros around it: the temperature u of a
// plate that is heated by f.

#include "gxr/gxr.hpp"
#include "poisson/check.hpp"
#include "poisson/heat.hpp"
#include "poisson/jacobi.hpp"
#include "poisson/residual.hpp"

extern "C" void gxr_extension(gxr::Extension& extension) {
  using namespace gxr::poisson;
  extension.add<Heat>("Publishes where a plate is heated: spots that move");
  extension.add<Jacobi>("Makes a temperature smoother: one sweep of Jacobi's method");
  extension.add<Residual>("Says whether a temperature is still far from the solution");
  extension.add<Check>("Fails unless temperatures are those that the CPU finds");
}
