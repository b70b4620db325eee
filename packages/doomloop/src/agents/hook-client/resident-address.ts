import { join } from "node:path";

/** The longest path of a socket that every system takes. */
const MAX_SOCKET_BYTES = 103;

/** The longest event that is sent. */
export const MAX_SENT_BYTES = 64_000_000;

/** The longest event that is read. A longer one is lost to its session. */
export const MAX_EVENT_BYTES = 4_000_000;

/** The plugin of an agent takes the Node that it finds. An older one does not run the resident. */
export const OLDEST_NODE = 22;

/** The file in the state folder in which the resident notes what went wrong. */
export const RESIDENT_LOG = "resident.log";

/** Where the resident guard of a state folder listens: a socket in a folder that only the user can enter, or a named pipe on Windows. */
export function residentAddress(state: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== "win32") return join(runFolder(state), "socket");
  const name = sha256(state.toLowerCase()).slice(0, 32);
  return `\\\\.\\pipe\\doomloop-${name}`;
}

/** The folder of what only a running resident needs. */
export function runFolder(state: string): string {
  return join(state, "run");
}

/** There while somebody starts the resident, so that others only wait for it. */
export function startingFile(state: string): string {
  return join(runFolder(state), "starting");
}

/** There for a minute after the resident could not start, so that nobody waits for it. `hook.sh` knows it, too. */
export function failedFile(state: string): string {
  return join(runFolder(state), "failed");
}

/** Whether a socket can have that path. */
export function isAddressable(address: string): boolean {
  return Buffer.byteLength(address) <= MAX_SOCKET_BYTES;
}

/**
 * The file of the secret by which both sides of a named pipe know each other: anybody on the machine can create a pipe of that name first.
 * A socket needs none, because nobody else can enter its folder.
 */
export function secretFile(state: string): string {
  return join(runFolder(state), "secret");
}

/** What one side shows the other to prove that it knows the secret. */
export function proofOf(secret: string, side: "client" | "resident", nonce: string): string {
  return sha256(`doomloop ${side} ${nonce} ${secret}`);
}

/** Loaded only where it is needed: every event of an agent waits for this program to start. */
function sha256(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}
