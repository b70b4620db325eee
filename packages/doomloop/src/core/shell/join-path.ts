/**
 * Joins a path to a directory and takes out what does not tell paths apart: `./`, `//`, `a/../`.
 *
 * Looks at no file system, so a symbolic link before `..` is not followed.
 */
export function joinPath(directory: string, path: string): string {
  const isRooted = path.startsWith("/") || path === "~" || path.startsWith("~/");
  const whole = isRooted || directory === "" ? path : `${directory}/${path}`;
  if (isNormal(whole)) return whole;

  const kept: string[] = [];
  for (const segment of whole.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === ".." && kept.length > 0 && kept.at(-1) !== ".." && kept.at(-1) !== "~") kept.pop();
    else if (segment !== ".." || !whole.startsWith("/")) kept.push(segment);
  }
  const joined = kept.join("/");
  if (whole.startsWith("/")) return `/${joined}`;
  return joined === "" ? "." : joined;
}

/** Most paths need no work: no empty segment, and none that starts with a dot. */
function isNormal(path: string): boolean {
  return path !== "" && !path.startsWith(".") && !path.includes("/.") && !path.includes("//") && !path.endsWith("/");
}
