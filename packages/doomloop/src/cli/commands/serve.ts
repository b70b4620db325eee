import { startHookServer } from "../../service/hook-server.ts";
import { serveWords } from "../../service/serve-words.ts";
import { serverToken } from "../../service/server-token.ts";
import { UsageError } from "../../system/usage-error.ts";
import type { Output } from "../terminal/output.ts";

export interface ServeOptions {
  readonly port: number;
}

/** What the command may touch of the process. */
export interface ServeStreams {
  readonly output: Output;
  readonly messages: { write(text: string): unknown };
  /** The folder of what hooks keep. */
  readonly state: string;
  /** Aborted when the user wants to end. */
  readonly signal: AbortSignal;
}

const STRANGER =
  "doomloop: something asked without the token, and was told nothing. Is it in the agent's environment?\n";

/** Answers hooks over HTTP until it is interrupted. Returns the exit code. */
export async function serve(
  { port }: ServeOptions,
  { output, messages, state, signal }: ServeStreams,
): Promise<number> {
  const { file, token } = serverToken(state);
  const onStranger = () => void messages.write(STRANGER);
  const server = await startHookServer({ state, port, token, onStranger }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    throw new UsageError(`--port: a port that nobody listens on is required, got ${port}`);
  });
  await output.write(serveWords(server.port, file));
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  await server.close();
  return 0;
}
