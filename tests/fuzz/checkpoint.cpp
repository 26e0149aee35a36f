// Checkpoints: reading them and going on from where they say a pendulum was.
//
// A checksum keeps random bytes from getting far, so every input is read twice: as it is and with its checksum mended.
#include "actio/io/checkpoint.hpp"

#include <fmt/format.h>

#include "actio/simulate/certificate_meter.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace actio;

namespace {

const run_identity identity{{"model", "pendulum"}, {"method", "simpson"}};

const integrator<double>& pendulum() {
  static const integrator<double> simpson(
      lagrangian_system::from("pendulum", {"q"}, [](auto q, auto v) { return v[0] * v[0] / 2 + cos(q[0]); }),
      {.method = "simpson", .step = 0.05});
  return simpson;
}

// The checksum of checkpoints, FNV-1a.
std::string checksum(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return fmt::format("{:016x}", hash);
}

std::string with_right_checksum(const std::string& text) {
  const std::size_t begin = std::min(text.find('\n'), text.size() - 1) + 1;
  const std::string body = text.substr(begin, text.find('\n', begin) - begin);
  return text.substr(0, begin) + body + "\n" + checksum(body) + "\n";
}

void resume_from(const std::string& text) {
  fuzz::attempt([&] {
    const snapshot contents = parse_checkpoint(text, "fuzz.csv.checkpoint");
    const auto workspace = pendulum().make_workspace();
    certificate_meter<double> meter(pendulum());
    resumed_run<double> resumed =
        resume<double>(contents, identity, "fuzz.csv.checkpoint", pendulum(), *workspace, meter);
    run_options<double> options{.steps = resumed.state.index + 3};
    options.meter = &meter;
    options.seconds = resumed.seconds;
    (void)to_text(run(pendulum(), *workspace, resumed.state, options));
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(data, data + size);
  resume_from(text);
  resume_from(with_right_checksum(text));
  return 0;
}
