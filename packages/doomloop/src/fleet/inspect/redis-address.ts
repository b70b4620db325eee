import { UsageError } from "../../system/usage-error.ts";

/** Where one server of a store is, and how to log into it. */
export interface Login {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  readonly username?: string;
  readonly password?: string;
}

const PLAIN = "redis:";
const ENCRYPTED = "rediss:";
const PORT = 6379;

/** Reads an address; `valkey` is another word for `redis`, which not all clients know. Throws a `UsageError` that does not repeat it: it may hold a password. */
export function readAddress(url: string): URL {
  const address = URL.parse(url.replace(/^valkey(?=s?:)/i, "redis"));
  if (address?.protocol === PLAIN || address?.protocol === ENCRYPTED) return address;
  throw new UsageError("--url: an address that begins with redis:// or rediss:// is required");
}

export function loginOf({ hostname, port, protocol, username, password }: URL): Login {
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(port) || PORT,
    isEncrypted: protocol === ENCRYPTED,
    ...(username !== "" && { username: decoded(username) }),
    ...(password !== "" && { password: decoded(password) }),
  };
}

/** A percent sign that stands for itself is left alone. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
