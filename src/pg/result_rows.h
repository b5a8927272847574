// The result of an SQL function that returns a set: rows of a query, or rows put by hand.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "pg/context.h"
#include "pg/spi.h"

namespace anon_seq::pg {

// Prepares the result. Call it once, before the SpiSession begins.
void begin_result(FunctionCallInfo fcinfo);

// Appends the rows of a SELECT whose columns are those of the function's result. Runs read-only.
void put_query(FunctionCallInfo fcinfo, std::string const& sql, std::initializer_list<SqlValue> values = {});

// Appends one row from text forms, read by the input functions of the result's columns.
void put_texts(FunctionCallInfo fcinfo, std::vector<std::optional<std::string>> const& texts);

// Appends many rows: what it takes to read texts is looked up once, and what they leave behind is freed.
class TextRows {
 public:
  explicit TextRows(FunctionCallInfo fcinfo);
  TextRows(TextRows const&) = delete;
  TextRows& operator=(TextRows const&) = delete;

  void put(std::vector<std::optional<std::string>> const& texts);

 private:
  FunctionCallInfo const fcinfo_;
  ScratchContext scratch_;
  AttInMetadata* input_ = nullptr;
  std::vector<char*> pointers_;
  std::int64_t rows_ = 0;
};

Datum text_datum(std::string const& text);

// The single row of a function that returns a composite, from text forms.
Datum make_row(FunctionCallInfo fcinfo, std::vector<std::optional<std::string>> const& texts);

}  // namespace anon_seq::pg
