// Model files: reading and validating, then the values that a run would take from them.
#include "actio/mechanics/model.hpp"

#include "actio/expr/print.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace actio;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  fuzz::attempt([&] {
    const model m = parse_model(text, "fuzz.toml");
    (void)to_latex(m.system.lagrangian);
    for (const expr& f : m.system.equations) (void)to_latex(f);
    (void)parameter_values<double>(m.system);
    for (const named_expr& q : m.initial.position) (void)quantity_value<double>(m.system, q.value);
    for (const auto& [name, typed] : m.run.all()) {
      fuzz::attempt([&, &typed = typed] { (void)parse_quantity(m, typed); });
    }
  });
  return 0;
}
