import type { Readable } from "node:stream";
import { notifyOf } from "../../service/notify.ts";
import { startResident } from "../../service/resident.ts";
import { stopResident } from "../../service/resident-status.ts";
import { serveWords } from "../../service/serve-words.ts";
import { serverToken } from "../../service/server-token.ts";
import { packageVersion } from "../../system/package-folder.ts";
import { UsageError } from "../../system/usage-error.ts";
import type { Output } from "../terminal/output.ts";

export interface ServeOptions {
  /** Of the door for coding agents that ask over HTTP. */
  readonly port?: number;
}

/** What the command may touch of the process. */
export interface ServeStreams {
  readonly output: Output;
  readonly messages: { write(text: string): unknown };
  /** The folder of what hooks keep. In a container, there may be none. */
  readonly state: () => string;
  /** Aborted when the user wants to end. */
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly input: Readable;
}

const USUAL_PORT = 4177;

const STRANGER = "doomloop: a request without the token got no answer. Is the token in the agent's environment?\n";

/**
 * Is the resident guard until it is interrupted, and answers hooks over HTTP, too. Takes over from a resident that a hook has started.
 * Returns the exit code.
 */
export async function serve(
  { port = USUAL_PORT }: ServeOptions,
  { output, messages, state: findState, signal }: Omit<ServeStreams, "env" | "input">,
): Promise<number> {
  const state = findState();
  const { file, token } = serverToken(state);
  let isTold = false;
  const onStranger = (): void => {
    if (!isTold) messages.write(STRANGER);
    isTold = true;
  };
  const onFault = (fault: unknown): void => void messages.write(`doomloop: ${String(fault)}\n`);
  await stopResident(state);
  const resident = await startResident({
    state,
    version: packageVersion(),
    http: { port, token, onStranger },
    onFault,
    onEntry: (entry) => notifyOf(state, entry),
  }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new UsageError(`--port: port ${port} is already in use`);
  });
  if (resident?.port === undefined) throw new UsageError("another doomloop serve is running; doomloop stop ends it");
  await output.write(serveWords(resident.port, file));
  const interrupted = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  if (!signal.aborted) await Promise.race([interrupted, resident.ended]);
  await resident.end();
  return 0;
}
