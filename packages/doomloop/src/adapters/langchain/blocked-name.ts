const PREFIX = "doomloop_blocked_";

/**
 * The name under which a blocked call is handed to the host: no tool has it, so the host answers the call by itself and runs
 * nothing. Every provider would take it for a name.
 */
export function blockedName(tool: string): string {
  return `${PREFIX}${tool}`;
}

/** The name that a call has in the model's eyes. */
export function nameOf<Name extends string | undefined>(name: Name): Name | string {
  return name?.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}
