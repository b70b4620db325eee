/** Of what words, numbers and emoji are made, for a class of a pattern. All else is white space and marks, by which the core cuts text. */
export const WORD = [
  "\\dA-Za-z\\u00aa\\u00b2\\u00b3\\u00b5\\u00b9\\u00ba\\u00bc-\\u00be\\u00c0-\\u167f\\u1681-\\u1fff",
  "\\u2070-\\u209f\\u2100-\\u218f\\u2300-\\u23ff\\u2460-\\u24ff\\u2600-\\u27bf\\u2900-\\u2bff\\u2c00-\\u2fdf",
  "\\u3007\\u3021-\\u3029\\u3040-\\ufefe\\uff10-\\uffff",
].join("");
