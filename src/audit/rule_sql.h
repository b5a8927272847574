// The statement that measures one rule over matched tables.
//
// Every table is grouped by the columns that matter (b), its labels become codes (c), its distinct code
// tuples j with their row counts n are jx, u carries j. m are the tuples (j1, .., jp) that match: small, as
// equal codes stand for all rows that match the same. With n_i(..) for row counts, X_i, Y_i, J_i for the
// parts of X, Y and the codes in table i, and S for the tables that hold some of Y, it holds exactly:
//
//   matches = sum over m of the product of n_i(j_i); a row dangles iff its j_i is in no tuple of m.
//
// Short cut: if for every s in S the codes J_s are a function of X_s, then
//   a_Y(x) = product over S of a_Ys(x_s),   l_y(x) = product over S of n_s(x_s, y_s) / n_s(x_s).
// Proof. Fix an x that occurs. For s in S all rows of x_s have one and the same j_s, so they all match
// exactly the same rows of the other tables. Rows r_s of the x_s thus extend to a tuple of the join
// independently of which rows of x_s they are, in the same number of ways d: every combination of y_s
// occurs (first claim), and a(x) = d * product n_s(x_s), a(x, y) = d * product n_s(x_s, y_s) (second).
// Which (x_s) occur together depends on m only, so the minimum over x of a product of non-negative factors
// is the minimum over m of the product of the minima per j_s; the maximum likewise. No pair of rows, or of
// x, is ever enumerated. With outer partners the same holds if J_1 is a function of X_1 as well: then
// no x has both rows with and rows without partners.
//
// General way: v are rows (x_i, j_i, token of Y_i, count), joined along m and grouped by x. Rows that are
// tokens themselves are one token per (j, values) with their count as weight: rows of one j match the same, so
//   a_Y(x) = sum over distinct tuples of tokens of the product of their weights.
// Persons with several rows: those of an x with the same set of j are one token. Two x_i with equal rows
// of v are interchangeable, so one of each kind stands for all (rep).
#pragma once

#include "audit/rule_shape.h"

namespace anon_seq::audit {

// Columns of its one row: matches, dangling per table, anonymity or numerator, denominator, worst, holds. Parameters:
// the columns, texts, components, firsts, lasts and groups of labels, an array each.
std::string join_sql(JoinQuestion const& question);

// Whether the short cut applies.
bool is_separable(JoinQuestion const& question);

}  // namespace anon_seq::audit
