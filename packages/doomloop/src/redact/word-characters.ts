/** Of what words, numbers and emoji are made, for a class of a pattern. All else is white space and marks, by which the core cuts text. */
export const WORD =
  "\\dA-Za-z\\u00c0-\\u167f\\u1681-\\u1fff\\u2070-\\u209f\\u2100-\\u218f\\u2460-\\u24ff\\u2800-\\u28ff\\u2c00-\\u2fdf\\u3040-\\ufefe\\uff10-\\uffff";
