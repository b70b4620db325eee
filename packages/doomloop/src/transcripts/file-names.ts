import type { TranscriptEnvironment } from "./reader.ts";

/** Joins parts of a path with the separators of the described machine, which may not be this one. */
export function joinPath(environment: TranscriptEnvironment, ...parts: readonly string[]): string {
  const isWindows = environment.platform === "win32";
  const separator = isWindows ? "\\" : "/";
  const named = parts.filter((part) => part !== "").map((part) => (isWindows ? part.replaceAll("/", separator) : part));
  return named.reduce((path, part) => (path.endsWith(separator) ? path + part : path + separator + part));
}

/** A file's name without folders and extensions. Used as a run's name if nothing better is recorded. */
export function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
  const dot = name.indexOf(".", 1);
  return dot < 0 ? name : name.slice(0, dot);
}
