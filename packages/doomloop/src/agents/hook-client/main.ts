import { askResident } from "./ask-resident.ts";
import { MAX_SENT_BYTES, OLDEST_NODE } from "./resident-address.ts";

/**
 * Hands one event of a coding agent to the resident guard, starts it if nobody listens, and prints its answer. `hook.sh` calls it with the
 * same words; on Windows, agents do.
 *
 * It ends with success, whatever happens.
 */

const [state = "", node = process.execPath, seconds = "1", path = ""] = process.argv.slice(2);
/** The last word says that an agent reads what is printed. Otherwise it is marked, so that `hook.sh` knows it from what another program might print. */
const mark = process.argv.includes("--plain") ? "" : "doomloop ";

process.on("uncaughtException", () => process.exit(0));
void run();

async function run(): Promise<void> {
  if (process.env.DOOMLOOP === "off" || Number.parseInt(process.versions.node, 10) < OLDEST_NODE) process.exit(0);
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of process.stdin) {
    length += (piece as Buffer).length;
    if (length > MAX_SENT_BYTES) process.exit(0);
    pieces.push(piece as Buffer);
  }
  const timeoutMs = Number(seconds) * 1000;
  const answer = await askResident({
    state,
    node,
    path: `/${path}`,
    body: Buffer.concat(pieces),
    timeoutMs: timeoutMs > 0 ? timeoutMs : 1000,
  });
  if (answer) process.stdout.write(`${mark}${answer}\n`, () => process.exit(0));
  else process.exit(0);
}
