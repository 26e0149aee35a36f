#include "actio/io/checkpoint.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "actio/io/append_file.hpp"
#include "actio/io/file_path.hpp"
#include "actio/io/own_file.hpp"
#include "actio/simulate/certificate_meter.hpp"

namespace actio {

namespace {

using namespace std::chrono_literals;

constexpr const char* version = "4";
constexpr auto first_pause = 60s, later_pause = 30s;

// FNV-1a: enough to notice a damaged file; nobody is kept from forging one.
std::string checksum(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return fmt::format("{:016x}", hash);
}

[[noreturn]] void damaged(const std::string& path, const std::string& why) {
  throw input_error("checkpoint-damaged", fmt::format("the checkpoint cannot be used: {}", why), {path, 0, 0},
                    "remove it, or leave @resume out to start afresh");
}

}  // namespace

std::string checkpoint_path(const std::string& output) { return beside(output, ".checkpoint"); }

std::string checkpoint_text(const snapshot& contents) {
  const std::string body = nlohmann::json(contents.all()).dump();
  return fmt::format("{}{}\n{}\n{}\n", checkpoint_beginning, version, body, checksum(body));
}

snapshot parse_checkpoint(const std::string& text, const std::string& path) {
  std::istringstream lines(text);
  std::string format, body, sum;
  std::getline(lines, format);
  std::getline(lines, body);
  std::getline(lines, sum);
  if (format != fmt::format("{}{}", checkpoint_beginning, version))
    damaged(path, "it does not begin like a checkpoint of this version");
  if (sum != checksum(body)) damaged(path, "its checksum does not fit");
  const auto json = nlohmann::json::parse(body, nullptr, false);
  if (!json.is_object()) damaged(path, "its contents cannot be read");
  snapshot contents;
  for (const auto& [name, list] : json.items()) {
    std::vector<std::string> texts;
    if (!list.is_array()) damaged(path, fmt::format("its '{}' is not a list", name));
    for (const auto& item : list) {
      if (!item.is_string()) damaged(path, fmt::format("its '{}' is not a list of texts", name));
      texts.push_back(item.get<std::string>());
    }
    contents.put_texts(name, std::move(texts));
  }
  return contents;
}

void require_own_checkpoint(const source_text& output) {
  const std::string path = checkpoint_path(output.text);
  require_own_file(path, checkpoint_beginning, output);
  require_no_file(path + ".new", output);
}

std::string write_checkpoint(const std::string& path, const snapshot& contents) {
  return replace_own_file(path, checkpoint_text(contents));
}

std::optional<snapshot> read_checkpoint(const std::string& path) {
  if (!std::filesystem::exists(path)) return {};
  std::ifstream file(path, std::ios::binary);
  if (!file) damaged(path, std::strerror(errno));
  std::ostringstream text;
  text << file.rdbuf();
  return parse_checkpoint(text.str(), path);
}

namespace {

// A row may hold what is not finite, unlike everything else in a checkpoint.
template <class S>
std::vector<S> pending_row(const snapshot& from, std::size_t columns) {
  std::vector<S> row;
  for (const std::string& text : from.texts("output.pending")) {
    try {
      row.push_back(from_digits<S>(text));
    } catch (const std::invalid_argument&) {
      throw snapshot_error("its 'output.pending' holds '" + text.substr(0, 40) + "', which is not a number");
    }
  }
  if (!row.empty() && row.size() != columns) throw snapshot_error("its 'output.pending' has another size");
  return row;
}

}  // namespace

template <class S>
resumed_run<S> resume(const snapshot& from, const run_identity& identity, const std::string& path,
                      const integrator<S>& integrator, step_workspace<S>& workspace, certificate_meter<S>& meter,
                      std::optional<std::size_t> columns) {
  try {
    for (const auto& [name, value] : identity) {
      if (from.text("identity." + name) == value) continue;
      throw input_error("checkpoint-foreign", fmt::format("the checkpoint belongs to a run with another {}", name),
                        {path, 0, 0}, "repeat the options of that run, or leave @resume out to start afresh");
    }
    resumed_run<S> result;
    result.state = load_state<S>(from, integrator.space());
    result.output.rows = from.counts("output.rows", 1)[0];
    const auto usual = [&] { return trajectory_columns(integrator.space(), meter.shadow() != nullptr).size(); };
    result.output.pending = pending_row<S>(from, columns ? *columns : usual());
    result.seconds = from.get<double>("run.seconds", 1)[0];
    const std::vector<S> parameters = from.get<S>("parameters", integrator.space().parameters().size());
    if (parameters != workspace.space().parameters().values()) workspace.set_parameters(parameters);
    const std::vector<S> history = from.get<S>("history");
    workspace.restore_history(history);
    meter.load(from);
    return result;
  } catch (const snapshot_error& e) {
    damaged(path, e.what());
  }
}

template <class S>
checkpoint_writer<S>::checkpoint_writer(checkpoint_plan plan, committer commit, std::size_t taken_at)
    : plan_(std::move(plan)), commit_(std::move(commit)), last_index_(taken_at), next_(clock::now() + first_pause) {}

template <class S>
void checkpoint_writer<S>::observe(const sample<S>& now) {
  const std::size_t index = now.state.index;
  const bool due = plan_.every > 0 ? index >= last_index_ + plan_.every : index % 64 == 0 && clock::now() >= next_;
  if (due) take(now.state, now.going_on ? *now.going_on : now.workspace, now.meter, now.seconds);
}

template <class S>
void checkpoint_writer<S>::take(const phase_state<S>& state, const step_workspace<S>& workspace,
                                const certificate_meter<S>& meter, double seconds) {
  const std::optional<output_mark<S>> output = commit_();
  if (!output) return;
  snapshot contents;
  for (const auto& [name, value] : plan_.identity) contents.put_text("identity." + name, value);
  save(state, contents);
  contents.put("parameters", workspace.space().parameters().values());
  contents.put("history", workspace.history());
  contents.put("output.rows", std::vector<double>{static_cast<double>(output->rows)});
  contents.put("output.pending", output->pending);
  contents.put("run.seconds", std::vector<double>{seconds});
  meter.save(contents);
  error_ = write_checkpoint(plan_.path, contents);
  any_ = any_ || error_.empty();
  last_index_ = state.index;
  next_ = clock::now() + later_pause;
}

#define ACTIO_INSTANTIATE(S)                                                                                        \
  template resumed_run<S> resume<S>(const snapshot&, const run_identity&, const std::string&, const integrator<S>&, \
                                    step_workspace<S>&, certificate_meter<S>&, std::optional<std::size_t>);         \
  template class checkpoint_writer<S>;
ACTIO_FOR_EVERY_SCALAR(ACTIO_INSTANTIATE)
#undef ACTIO_INSTANTIATE

}  // namespace actio
