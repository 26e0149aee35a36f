# Turns the text file INPUT into the C++ source OUTPUT, which defines std::string_view actio::FUNCTION(),
# declared in HEADER.
file(READ ${INPUT} text)
string(FIND "${text}" ")actio_text\"" end)
if(NOT end EQUAL -1)
  message(FATAL_ERROR "${INPUT} contains the mark that ends the embedded text")
endif()
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

std::string_view actio::${FUNCTION}() {
  using namespace std::string_view_literals;
  return R\"actio_text(${text})actio_text\"sv;
}
")
