import { type Command, InvalidArgumentError, Option } from "commander";
import { CODING_AGENTS } from "../../agents/index.ts";
import { CLIENT_NAMES } from "../../service/decisions/open-redis.ts";
import { stateFolder } from "../../system/state-folder.ts";
import { UsageError } from "../../system/usage-error.ts";
import type { ServeOptions } from "../commands/serve.ts";
import type { ServeDecisionsOptions } from "../commands/serve-decisions.ts";
import type { ProgramOptions } from "../program.ts";
import { createInterruption } from "../terminal/interruption.ts";

/** The options of both doors. */
type AnyServeOptions = ServeOptions & Partial<ServeDecisionsOptions>;

const WITH_HTTP = CODING_AGENTS.filter(({ http }) => http).map(({ label }) => label);

const EXAMPLES = `
With --listen, it answers programs in any language: they send what their agent
does, and get a decision back. Runs are kept in memory. With --store, runs whose
agent was told something are also kept in Redis, so another replica can go on
with them. With --fleet, all runs are workers of one swarm, over a single
connection. With --opinion-url, a model is asked whether an agent is stuck, at
most 12 times in a run, and nothing waits for its answer. Clients must send the
token, from DOOMLOOP_TOKEN or from a file that only you can read.

Without --listen, it answers hooks of coding agents over HTTP, and prints the
settings that your agent needs. Its token is always the one in a file, whatever
DOOMLOOP_TOKEN says. You do not need this after doomloop init: its hooks start a
guard themselves. It listens on 127.0.0.1 only. While it is not running, another
user of this machine can listen on the same port and read what your agent sends.
On a shared machine, use doomloop init.

Exit codes: 0 fine, 1 internal error, 2 wrong usage or a port in use.

Examples:
  $ doomloop serve --listen 127.0.0.1:4177
  $ doomloop serve --listen 0.0.0.0:4177 --tls-cert tls.crt --tls-key tls.key \\
      --policies policies.json --store redis://redis:6379
  $ doomloop serve --listen 127.0.0.1:4177 --fleet rediss://store.example:6380 \\
      --key-file fleet.key --tenant research --ca ca.crt
  $ doomloop serve --port 5050`;

/** Adds `doomloop serve`. */
export function addServe(program: Command, { streams, onDone }: ProgramOptions): void {
  program
    .command("serve")
    .helpGroup("Watch live:")
    .summary("answer agents in any language over HTTP")
    .description(
      `Answers programs in any language (--listen), or the hooks of coding agents\nthat can ask over HTTP (${WITH_HTTP.join(", ")}).`,
    )
    .optionsGroup("Programs in any language:")
    .option("--listen <host:port>", "the address to listen on; port 0 for any")
    .option("--token-file <file>", "a file with the token")
    .option("--tls-cert <file>", "the certificate of an address that others can reach")
    .option("--tls-key <file>", "its key")
    .option("--insecure", "no TLS on such an address, because something else encrypts the traffic")
    .option("--policies <file>", "JSON with policies that clients can choose from")
    .option(
      "--max-runs <number>",
      "how many runs to keep; default: 10000, or what fits in memory",
      atLeast(1, 10_000_000),
    )
    .option("--end-with-stdin", "end when standard input ends, for example with the program that started this")
    .option("--idle <minutes>", "end after this many minutes without a request", atLeast(1, 10_000))
    .optionsGroup("A second opinion, where rules cannot tell:")
    .option("--opinion-url <url>", "an endpoint like OpenAI's, up to the version: http://127.0.0.1:11434/v1")
    .option("--opinion-model <name>", "the model to ask there; a key is read from DOOMLOOP_OPINION_KEY")
    .addOption(
      new Option("--opinion-shows <what>", "what the model sees of a run; default: text, masked").choices([
        "text",
        "shapes",
      ]),
    )
    .optionsGroup("Several replicas:")
    .addOption(new Option("--store <url>", "Redis or Valkey").env("DOOMLOOP_STORE_URL"))
    .optionsGroup("A fleet of all runs:")
    .addOption(
      new Option("--fleet <url>", "Redis or Valkey that the workers of a swarm share").env("DOOMLOOP_FLEET_URL"),
    )
    .option("--key-file <file>", "a file with the workers' key")
    .option("--tenant <name>", "the swarm, if several share the store")
    .optionsGroup("Redis or Valkey, for both:")
    .option("--cluster", "the address is one server of a Cluster")
    .option("--ca <file>", "certificate of your own authority, for rediss:// addresses")
    .addOption(
      new Option("--client <package>", "your project's Redis client; default: the first one installed").choices(
        CLIENT_NAMES,
      ),
    )
    .optionsGroup("Hooks of coding agents:")
    .option("--port <number>", "the port to listen on, 0 for any; default: 4177", atLeast(0, 65_535))
    .optionsGroup("Other:")
    .helpOption("-h, --help", "print this help")
    .addHelpText("after", EXAMPLES)
    .action(async (given: AnyServeOptions, command: Command) => {
      // The addresses of stores may be in the environment for another program.
      const isGiven = (name: string): boolean => command.getOptionValueSource(name) === "cli";
      const others = Object.keys(given).filter((name) => name !== "port" && name !== "listen" && isGiven(name));
      if (given.listen !== undefined && given.port !== undefined)
        throw new UsageError("--port is for hooks of coding agents, and --listen already has a port");
      if (given.listen === undefined && others.length > 0)
        throw new UsageError(
          `--${others[0]?.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: --listen is required, too`,
        );
      const { serve } = await import("../commands/serve.ts");
      const { serveDecisions } = await import("../commands/serve-decisions.ts");
      const { env, platform, stdin } = process;
      const { listen } = given;
      const { output, messages } = streams;
      const { signal, end } = createInterruption();
      const all = { output, messages, state: () => stateFolder({ env, platform }), env, input: stdin, signal };
      const served = listen === undefined ? serve(given, all) : serveDecisions({ ...given, listen }, all);
      onDone(await served.finally(end));
    });
}

function atLeast(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`${minimum} to ${maximum} is required.`);
  };
}
