import { HOOK_HOSTS } from "../dialects.ts";
import type { HookHost } from "../hook/dialect.ts";

export interface HookWords {
  readonly host: HookHost | undefined;
  readonly isUnattended: boolean;
  readonly startsOver: boolean;
}

/** Reads the words behind the hook's name. What is wrong with them is passed over: a hook must not fail an agent. */
export function readHookWords(words: readonly string[]): HookWords {
  const at = words.indexOf("--host");
  const named = at < 0 ? undefined : words[at + 1];
  return {
    host: HOOK_HOSTS.find((host) => host === named),
    isUnattended: words.includes("--unattended"),
    startsOver: words.includes("--start-over"),
  };
}
