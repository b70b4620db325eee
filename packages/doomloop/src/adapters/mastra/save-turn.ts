import type { RequestArgs } from "./config.ts";

/** What the agent's memory is asked before anything is saved. */
interface MemoryConfig {
  readonly readOnly?: boolean;
  readonly observationalMemory?: unknown;
}

interface MemoryLike {
  getMergedThreadConfig(config: unknown): MemoryConfig | undefined;
}

/** Under this name the host keeps what a request wants of the memory. */
const MEMORY_KEY = "MastraMemory";

/**
 * Saves a turn that is about to end with a tripwire: the host would forget it, the user's message included. Done by the host's own
 * means, and only where the host would have saved a step by itself.
 *
 * @param memory that of the configuration
 */
export async function saveTurn(
  { requestContext }: RequestArgs,
  memory: unknown,
  save: (() => Promise<void>) | undefined,
): Promise<void> {
  if (save === undefined || memory === undefined) return;
  const resolved = (typeof memory === "function" ? await memory({ requestContext }) : memory) as MemoryLike;
  const wanted = requestContext?.get(MEMORY_KEY) as { readonly memoryConfig?: unknown } | undefined;
  const config = resolved.getMergedThreadConfig(wanted?.memoryConfig);
  if (config === undefined || config.readOnly || config.observationalMemory) return;
  await save();
}
