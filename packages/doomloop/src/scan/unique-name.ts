/** The name, or with a number behind it where it is used already. */
export function uniqueName(used: Set<string>, name: string): string {
  let free = name;
  for (let again = 2; used.has(free); again++) free = `${name}-${again}`;
  used.add(free);
  return free;
}
