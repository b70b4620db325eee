import { createHash } from "node:crypto";

/** A Lua script, with the hash by which a server that has seen it knows it. */
export interface Script {
  readonly text: string;
  readonly sha: string;
}

export function defineScript(text: string): Script {
  return { text, sha: createHash("sha1").update(text).digest("hex") };
}
