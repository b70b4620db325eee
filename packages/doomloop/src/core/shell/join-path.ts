/** Joins a path to a directory and takes out what does not tell paths apart: `./`, `//`, `a/../`. Follows no links. */
export function joinPath(directory: string, path: string): string {
  const whole = /^(?:\/|~(?:\/|$))/.test(path) || directory === "" ? path : `${directory}/${path}`;
  if (whole !== "" && !/^\.|\/\.|\/\/|\/$/.test(whole)) return whole;
  const isRooted = whole.startsWith("/");
  const kept: string[] = [];
  for (const segment of whole.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") kept.push(segment);
    else if (kept.length > 0 && !/^(?:\.\.|~)$/.test(kept.at(-1)!)) kept.pop();
    else if (!isRooted) kept.push(segment);
  }
  const joined = kept.join("/");
  return isRooted ? `/${joined}` : joined || ".";
}
