import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isForGateways } from "./routes.ts";

const LONGEST_TOKEN = 1_024;

/**
 * Says whether a request has the token. Compares bytes of one length, so that the time it takes does not tell how long the token is; to hash
 * them would take longer.
 */
export function createTokenCheck(token: string): (request: IncomingMessage, path: string) => boolean {
  const text = `Bearer ${token}`;
  const length = Math.max(LONGEST_TOKEN, 2 * Buffer.byteLength(text));
  const [wanted, bytes] = [Buffer.alloc(length), Buffer.alloc(length)];
  wanted.write(text);
  return (request, path) => {
    const given = authorizationOf(request, path);
    bytes.fill(0);
    bytes.write(given);
    return timingSafeEqual(bytes, wanted) && given.length === text.length;
  };
}

/** LiteLLM sends its `api_key` in a header of its own. */
function authorizationOf({ headers }: IncomingMessage, path: string): string {
  const { authorization, "x-api-key": key } = headers;
  if (authorization === undefined && isForGateways(path) && typeof key === "string") return `Bearer ${key}`;
  // The name of the scheme may be written in any case.
  return (authorization ?? "").replace(/^bearer /i, "Bearer ");
}
