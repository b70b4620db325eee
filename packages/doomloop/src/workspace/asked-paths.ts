import { DoomloopError } from "../core/doomloop-error.ts";
import { isOwnPath, type RawPath, rawPath } from "./raw-path.ts";

/** The paths that a restore is asked for; undefined for the whole workspace. Throws a {@link DoomloopError} for others. */
export function askedPaths(paths: readonly string[] | undefined): readonly RawPath[] | undefined {
  const own = paths?.map(askedPath);
  return own?.includes("") ? undefined : own;
}

/** Empty for the workspace itself. */
function askedPath(path: string): RawPath {
  const names = path.split("/").filter((name, at) => name !== "." && (name !== "" || at === 0));
  const own = rawPath(names.join("/"));
  if (path !== "" && (own === "" ? !path.startsWith("/") : isOwnPath(own))) return own;
  throw new DoomloopError(
    "invalid-option",
    `restore: paths: a path from the root of the workspace is required, got ${path}`,
  );
}
