/**
 * What stands between the pieces of a command's substance.
 *
 * No shell word holds the null character, so with the character after it each tag is unmistakable.
 */
export const Separator = {
  word: "\0 ",
  statement: "\0;",
  background: "\0&",
  pipe: "\0|",
  open: "\0(",
  close: "\0)",
  redirect: "\0>",
  hereDocument: "\0<",
  /** Before and after a piece that the shell expands, which keeps `$x` apart from `'$x'`. */
  expansion: "\0$",
  literal: "\0.",
} as const;
