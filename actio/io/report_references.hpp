// The works that methods cite, from docs/references.bib.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actio {

struct cited_work {
  std::string key;
  std::vector<std::string> authors;     // "Jerrold E. Marsden"
  std::string title, venue, year, doi;  // "" where there is none; the venue with volume and pages
};

// The entries of a BibTeX text. Understands what docs/references.bib uses: fields in braces, accents, protected
// capitals.
std::vector<cited_work> parse_references(std::string_view bibtex);

// The works of a method's `reference`, keys that commas separate; unknown keys are left out.
std::vector<cited_work> cited_works(std::string_view keys);

}  // namespace actio
