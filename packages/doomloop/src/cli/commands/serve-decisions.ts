import { isDoomloopError } from "../../core/doomloop-error.ts";
import {
  type DecisionServiceOptions,
  type ServiceNote,
  startDecisionService,
} from "../../service/decisions/decision-service.ts";
import { connectHostFleet, type HostFleet } from "../../service/decisions/host-fleet.ts";
import { type ListenAddress, readListenAddress } from "../../service/decisions/listen-address.ts";
import { type ClientName, readBytes } from "../../service/decisions/open-redis.ts";
import { type Policies, readPolicies } from "../../service/decisions/policies.ts";
import { checkEndpoint } from "../../service/decisions/questions.ts";
import { connectRunStore } from "../../service/decisions/redis-run-store.ts";
import { type ServerToken, serverToken, tokenIn } from "../../service/server-token.ts";
import { UsageError } from "../../system/usage-error.ts";
import type { ServeStreams } from "./serve.ts";

/** The options of `serve --listen`. */
export interface ServeDecisionsOptions {
  readonly listen: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly insecure?: boolean;
  readonly tokenFile?: string;
  readonly policies?: string;
  readonly store?: string;
  /** The address of the fleet's store. */
  readonly fleet?: string;
  readonly keyFile?: string;
  readonly tenant?: string;
  readonly ca?: string;
  readonly client?: ClientName;
  readonly cluster?: boolean;
  readonly opinionUrl?: string;
  readonly opinionModel?: string;
  readonly opinionShows?: "text" | "shapes";
  readonly maxRuns?: number;
  readonly idle?: number;
  readonly endWithStdin?: boolean;
}

const MIN_TOKEN = 16;
const MINUTE_MS = 60_000;

/** Answers programs in any language until it is interrupted. Returns the exit code. */
export async function serveDecisions(
  options: ServeDecisionsOptions,
  { output, messages, state, signal, env, input }: ServeStreams,
): Promise<number> {
  const address = readListenAddress(options.listen);
  const tls = readTls(options, address);
  const policies = policiesIn(options.policies);
  const opinion = opinionIn(options, env.DOOMLOOP_OPINION_KEY);
  const { token, words } = findToken(options, env.DOOMLOOP_TOKEN, state);
  const onNote = (note: ServiceNote): void => {
    const level = note.event === "decision" || note.event === "store-back" ? "info" : "warn";
    messages.write(`${JSON.stringify({ time: new Date().toISOString(), level, ...note })}\n`);
  };
  const store = options.store === undefined ? undefined : connectRunStore({ ...options, url: options.store });
  const fleet = joinFleet(options, onNote, () => store?.close());
  const service = await startDecisionService({
    ...{ host: address.host, port: address.port, token, tls, policies, store, fleet, opinion, onNote },
    maxRuns: options.maxRuns,
    idleMs: options.idle === undefined ? undefined : options.idle * MINUTE_MS,
  }).catch(async (error: unknown) => {
    await fleet?.close();
    store?.close();
    const { code } = error as NodeJS.ErrnoException;
    if (code?.startsWith("ERR_OSSL") === true)
      throw new UsageError("--tls-cert, --tls-key: a certificate and its key are required");
    if (code === "EADDRINUSE") throw new UsageError(`--listen: port ${address.port} is already in use`);
    if (code === "EADDRNOTAVAIL" || code === "EACCES")
      throw new UsageError(`--listen: ${options.listen} cannot be used: ${code}`);
    throw error;
  });
  const host = address.host.includes(":") ? `[${address.host}]` : address.host;
  const url = `${tls ? "https" : "http"}://${host}:${service.port}`;
  const asks = opinion === undefined ? "" : `Excerpts of runs are sent to ${new URL(opinion.url).origin}.\n`;
  await output.write(`Listening on ${url}\n${words}${asks}API description: ${url}/openapi.json. Ctrl-C ends.\n`);
  const interrupted = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  // It ends when whoever started it does, however that happens.
  if (options.endWithStdin === true) input.once("end", () => void service.end()).resume();
  if (!signal.aborted) await Promise.race([interrupted, service.ended]);
  await service.end();
  // Whoever started it may keep it open: that must not keep this process alive.
  input.pause();
  await fleet?.close();
  store?.close();
  return 0;
}

function joinFleet(
  { fleet: url, ...options }: ServeDecisionsOptions,
  onNote: (note: ServiceNote) => void,
  onFault: () => void,
): HostFleet | undefined {
  try {
    if (url !== undefined) return connectHostFleet({ ...options, url }, onNote);
    const [idle] = (["keyFile", "tenant"] as const).filter((name) => options[name] !== undefined);
    if (idle !== undefined)
      throw new UsageError(`${idle === "tenant" ? "--tenant" : "--key-file"}: --fleet is required, too`);
    return undefined;
  } catch (error) {
    onFault();
    throw error;
  }
}

/** The endpoint that is asked for a second opinion. */
function opinionIn(
  { opinionUrl: url, opinionModel: model, opinionShows: shows }: ServeDecisionsOptions,
  key: string | undefined,
): DecisionServiceOptions["opinion"] {
  if (url === undefined && model === undefined && shows === undefined) return undefined;
  if (url === undefined || model === undefined)
    throw new UsageError("--opinion-url and --opinion-model are required together");
  const endpoint = { url, model, shows, key: key?.trim() };
  try {
    checkEndpoint(endpoint);
  } catch (error) {
    if (isDoomloopError(error))
      throw new UsageError(`--opinion-url: ${error.message.replace("opinion endpoint: ", "")}`);
    throw error;
  }
  return endpoint;
}

/** On an address that others can reach, the token and all arguments would be readable on the way without TLS. */
function readTls(
  { tlsCert, tlsKey, insecure }: ServeDecisionsOptions,
  { isLoopback }: ListenAddress,
): DecisionServiceOptions["tls"] {
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new UsageError("--tls-cert and --tls-key are required together");
  if (tlsCert !== undefined && tlsKey !== undefined)
    return { cert: readBytes("--tls-cert", tlsCert), key: readBytes("--tls-key", tlsKey) };
  if (!isLoopback && insecure !== true)
    throw new UsageError(
      "--listen: others can reach that address: --tls-cert and --tls-key are required, or --insecure if something else encrypts",
    );
  return undefined;
}

function findToken(
  { tokenFile }: ServeDecisionsOptions,
  inEnvironment: string | undefined,
  state: () => string,
): { readonly token: string; readonly words: string } {
  if (tokenFile === undefined && inEnvironment !== undefined && inEnvironment !== "") {
    if (inEnvironment.length < MIN_TOKEN)
      throw new UsageError(`DOOMLOOP_TOKEN: at least ${MIN_TOKEN} characters are required`);
    return { token: inEnvironment, words: "Clients must send the token in DOOMLOOP_TOKEN.\n" };
  }
  const { file, token } = tokenFile === undefined ? ownToken(state) : { file: tokenFile, token: namedToken(tokenFile) };
  return { token, words: `Clients must send the token in ${file}.\n` };
}

function ownToken(state: () => string): ServerToken {
  let folder: string;
  try {
    folder = state();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `DOOMLOOP_TOKEN or --token-file is required, because there is no folder for a token: ${reason}`,
      {
        cause: error,
      },
    );
  }
  return trusted(() => serverToken(folder));
}

function namedToken(file: string): string {
  const token = trusted(() => tokenIn(file));
  if (token === undefined) throw new UsageError(`--token-file: cannot read ${file}: there is no such file`);
  return token;
}

/** A token that cannot be trusted is the user's to mend. */
function trusted<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function policiesIn(file: string | undefined): Policies {
  try {
    return readPolicies(file === undefined ? undefined : JSON.parse(readBytes("--policies", file).toString("utf8")));
  } catch (error) {
    if (isDoomloopError(error)) throw new UsageError(`--policies: ${error.message}`);
    if (error instanceof SyntaxError) throw new UsageError(`--policies: expected JSON, got ${file}`);
    throw error;
  }
}
