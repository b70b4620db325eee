import { digestOf } from "../../core/identity/digest.ts";

/** An id for a call of an agent that gives none: its result comes with the same tool and arguments. */
export function contentId(tool: string, args: unknown): string {
  return digestOf(`${tool} ${JSON.stringify(args)}`);
}
