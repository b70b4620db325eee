const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

/** Is the word of the form `NAME=value`, as it stands before a program or after `env`? */
export function isAssignment(word: string): boolean {
  return ASSIGNMENT.test(word);
}
