import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isForGateways } from "./routes.ts";

/** Says whether a request has the token. */
export function createTokenCheck(token: string): (request: IncomingMessage, path: string) => boolean {
  return (request, path) => isSame(authorizationOf(request, path), `Bearer ${token}`);
}

/** Compares in a time that does not tell how much is right. */
export function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** LiteLLM sends its `api_key` in a header of its own. */
function authorizationOf({ headers }: IncomingMessage, path: string): string {
  const { authorization, "x-api-key": key } = headers;
  if (authorization === undefined && isForGateways(path) && typeof key === "string") return `Bearer ${key}`;
  // The name of the scheme may be written in any case.
  return (authorization ?? "").replace(/^bearer /i, "Bearer ");
}
