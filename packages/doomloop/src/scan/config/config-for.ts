import { homedir } from "node:os";
import { findConfig } from "./find-config.ts";

/** The configuration that a command uses: the one that was named, none if that is `false`, else the one that is found. */
export function configFor(named: string | false | undefined): string | undefined {
  if (named === false) return undefined;
  return named ?? findConfig(process.cwd(), homedir());
}
