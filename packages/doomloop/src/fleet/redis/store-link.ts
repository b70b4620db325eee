import type { Breaker } from "./breaker.ts";
import { createDeadlines } from "./deadlines.ts";
import type { RedisCommands } from "./redis-commands.ts";
import type { Script } from "./scripts/script.ts";

/** What went wrong with a call. */
export interface StoreFault {
  readonly kind: "not-ready" | "timeout" | "error" | "wrong-reply";
  /** Words of the client's or the server's, cut. */
  readonly reason: string;
}

type StoreReply = { readonly reply: readonly unknown[] } | { readonly fault: StoreFault };

/** Calls scripts, each within our own deadline: clients' timeouts do not hold, so none is relied upon. Never rejects. */
export interface StoreLink {
  /** Runs a script whose first argument is a nonce, which is the first thing in its reply. Takes `words` over. */
  run(script: Script, keys: readonly string[], nonce: string, words: string[]): Promise<StoreReply>;
}

export interface StoreLinkOptions {
  readonly commands: RedisCommands;
  readonly breaker: Breaker;
  readonly deadlineMs: number;
  /** Told of every call with how long it took. */
  onCall(script: Script, tookMs: number, fault: StoreFault | undefined): void;
  /** Told when a connection was given up for a new one. */
  onRenewed(): void;
}

const MAX_REASON = 200;

export function createStoreLink({ commands, breaker, deadlineMs, onCall, onRenewed }: StoreLinkOptions): StoreLink {
  const deadlines = createDeadlines(deadlineMs);

  const renew = (): void => {
    // One that is being made already is not thrown away again.
    if (commands.isReady() && commands.renew()) onRenewed();
  };

  /** An answer to another question: all that follow on this connection would be as well. */
  const checked = (reply: unknown, nonce: string): StoreReply => {
    if (Array.isArray(reply) && String(reply[0]) === nonce) return { reply };
    renew();
    return faultOf("wrong-reply", "the reply belongs to another call");
  };

  return {
    run: (script, keys, nonce, words) =>
      new Promise((done) => {
        const start = performance.now();
        const end = (outcome: StoreReply): void => {
          const fault = "fault" in outcome ? outcome.fault : undefined;
          if (fault === undefined) breaker.succeeded();
          else breaker.failed();
          onCall(script, performance.now() - start, fault);
          done(outcome);
        };
        if (!commands.isReady()) {
          const fault = faultOf("not-ready", "the client is not connected");
          // A connection that is being made is no fault of the store's yet.
          if (commands.revive() && breaker.state() === "closed") done(fault);
          else end(fault);
          return;
        }
        const watched = deadlines.watch(() => {
          renew();
          end(faultOf("timeout", `no reply within ${deadlineMs} ms`));
        });
        /** What comes after the deadline is nobody's any more. */
        const settle = (outcome: () => StoreReply): void => {
          if (watched.isOver) return;
          watched.isOver = true;
          end(outcome());
        };
        const onReply = (reply: unknown): void => settle(() => checked(reply, nonce));
        const onError = (fault: unknown): void =>
          settle(() => {
            if (isNoPrimary(fault)) renew();
            return faultOf("error", messageOf(fault));
          });
        words.unshift(nonce);
        attempt(
          () => commands.evalSha(script.sha, keys, words),
          onReply,
          (fault) => {
            // The server was restarted, another took over, or somebody emptied its scripts: it gets the text again.
            if (isUnknownScript(fault)) attempt(() => commands.eval(script.text, keys, words), onReply, onError);
            else onError(fault);
          },
        );
      }),
  };
}

/** A client that throws instead of rejecting is a client that rejects. */
function attempt(
  action: () => Promise<unknown>,
  onReply: (reply: unknown) => void,
  onError: (fault: unknown) => void,
): void {
  try {
    action().then(onReply, onError);
  } catch (fault) {
    onError(fault);
  }
}

function faultOf(kind: StoreFault["kind"], reason: string): StoreReply {
  return { fault: { kind, reason: reason.slice(0, MAX_REASON) } };
}

function messageOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}

/** The server is no primary any more, or cut off from its replicas: a new connection asks who is. */
function isNoPrimary(fault: unknown): boolean {
  const message = messageOf(fault);
  return ["READONLY", "ReadOnly", "NOREPLICAS", "MASTERDOWN", "MasterDown"].some((word) => message.includes(word));
}

function isUnknownScript(fault: unknown): boolean {
  const message = messageOf(fault);
  return message.includes("NOSCRIPT") || message.includes("NoScriptError");
}
