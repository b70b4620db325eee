/** The program's own name: `cat` of `/usr/bin/cat`. */
export function baseName(word: string): string {
  const slash = word.lastIndexOf("/");
  return slash === -1 ? word : word.slice(slash + 1);
}
