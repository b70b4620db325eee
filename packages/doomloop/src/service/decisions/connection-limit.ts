import type { IncomingMessage, RequestListener } from "node:http";
import type { Socket } from "node:net";
import { Problem } from "./problem.ts";

/** Clients send a request when they have read the answer to the one before. */
const MAX_UNANSWERED = 4;
/** So much of the answers before it may be unsent when a request comes. */
const MAX_UNREAD_BYTES = 65_536;
const NO_VERDICT = -1;

/**
 * Passes requests on, and closes a connection that brings them faster than its client can have read the answers. Otherwise one piece that is
 * read from a connection could bring thousands, all of which would be answered before anybody else.
 */
export function withoutFloods(onRequest: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>();
  const add = (socket: Socket, requests: number): void =>
    void unanswered.set(socket, (unanswered.get(socket) ?? 0) + requests);
  return (request, response) => {
    const { socket } = request;
    // It came in the same piece as the one for which the connection was closed.
    if (socket.destroyed) return;
    if (unanswered.get(socket) === MAX_UNANSWERED || socket.writableLength > MAX_UNREAD_BYTES) return hangUp(request);
    add(socket, 1);
    // What is answered at once counts for this round of the event loop, because its client cannot know the answer yet.
    response.once("close", () => setImmediate(add, socket, -1));
    onRequest(request, response);
  };
}

/** Node would read the rest of the piece even so. A verdict on the head of a request that its parser does not know ends that. */
function hangUp({ socket }: IncomingMessage): void {
  socket.destroy();
  const { parser } = socket as { parser?: { onIncoming?: () => number } | null };
  if (parser) parser.onIncoming = () => NO_VERDICT;
}

/**
 * Looks at nothing more of a body, not even at what was read from the connection: each of its pieces would cost time. The connection has to
 * be closed once the request is answered.
 */
export function dropRest(request: IncomingMessage): void {
  // Node does this itself once the answer is sent, but then it also reads on.
  (request as { _dumped?: boolean })._dumped = true;
  request.socket.pause();
}

/** Throws a `Problem` for a request of which a proxy may have looked at another header than we do. */
export function requireOneHost({ rawHeaders, httpVersion }: IncomingMessage): void {
  const count = (name: string): number =>
    rawHeaders.filter((header, at) => at % 2 === 0 && header.toLowerCase() === name).length;
  const hosts = count("host");
  if (hosts > 1 || (hosts === 0 && httpVersion !== "1.0") || count("authorization") > 1)
    throw new Problem(400, "one Host header, and at most one Authorization header, is required", {
      connection: "close",
    });
}
