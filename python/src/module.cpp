#include "actio/base/option_naming.hpp"
#include "actio/io/run_recipe.hpp"
#include "bindings.hpp"

PYBIND11_MODULE(_actio, m) {
  using namespace actio::python;
  m.doc() = "The library behind the package actio.";
  m.attr("version") = actio::program_version().substr(std::string("actio ").size());
  actio::name_options_as(actio::option_naming::keywords);
  bind_errors(m);
  bind_options(m);
  bind_model(m);
  bind_run(m);
  bind_ensemble(m);
  bind_integrator(m);
  bind_files(m);
  bind_catalogue(m);
}
