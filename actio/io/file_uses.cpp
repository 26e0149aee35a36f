#include "actio/io/file_uses.hpp"

#include <filesystem>

#include "actio/io/checkpoint.hpp"
#include "actio/io/file_path.hpp"

namespace actio {

void require_files_apart(const std::string& model, const std::vector<source_text>& outputs,
                         const std::optional<source_text>& report) {
  std::vector<file_use> files;
  std::error_code error;
  if (std::filesystem::is_regular_file(model, error)) files.push_back({model, {}, "the model"});
  for (const source_text& output : outputs) files.push_back({output.text, output.origin, "the output"});
  for (const source_text& output : outputs) {
    files.push_back({checkpoint_path(output.text), output.origin, "the checkpoint"});
    for (const char* ending : {".lock", ".part", ".new", ".checkpoint.new"}) {
      files.push_back({beside(output.text, ending), output.origin, "a file beside the output"});
    }
  }
  if (report) files.push_back({report->text, report->origin, "the report"});
  require_distinct(files);
}

}  // namespace actio
