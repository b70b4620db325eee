import { setTimeout as wait } from "node:timers/promises";
import type { Breaker } from "./breaker.ts";
import { createDeadlines, type WatchedCall } from "./deadlines.ts";
import type { RedisCommands } from "./redis-commands.ts";
import type { Script } from "./scripts/script.ts";

/** What went wrong with a call. */
export interface StoreFault {
  readonly kind: "not-ready" | "timeout" | "error" | "wrong-reply";
  /** Words of the client's or the server's, cut. */
  readonly reason: string;
}

export type StoreAnswer = { readonly reply: readonly unknown[] } | { readonly fault: StoreFault };

/** Told of an answer, and how long it took. */
type OnAnswer = (answer: StoreAnswer, tookMs: number) => void;

/** Calls scripts, each within our own deadline: clients' timeouts do not hold, so none is relied upon. */
export interface StoreLink {
  /**
   * Runs a script whose first word is a nonce, which is the first thing in its reply. `onAnswer` is called once, and not before
   * this returns: a promise for each call beside the client's own would cost as much as the rest.
   */
  run(script: Script, keys: readonly string[], words: readonly string[], onAnswer: OnAnswer): void;
  /** Waits for a connection that is being made, until then at the latest. Keeps the process alive meanwhile. */
  ready(until: number): Promise<void>;
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

interface StoreCall extends WatchedCall {
  readonly script: Script;
  readonly nonce: string;
  readonly onAnswer: OnAnswer;
}

const MAX_REASON = 200;
/** Clients tell of a connection in different ways; all can be asked. */
const READY_POLL_MS = 2;

export function createStoreLink({ commands, breaker, deadlineMs, onCall, onRenewed }: StoreLinkOptions): StoreLink {
  const note = ({ script, begunAt }: StoreCall, answer: StoreAnswer): number => {
    const tookMs = performance.now() - begunAt;
    const fault = "fault" in answer ? answer.fault : undefined;
    if (fault === undefined) breaker.succeeded();
    else breaker.failed();
    onCall(script, tookMs, fault);
    return tookMs;
  };

  const finish = (call: StoreCall, answer: StoreAnswer): void => {
    call.onAnswer(answer, note(call, answer));
  };

  const renew = (): void => {
    // One that is being made already is not thrown away again.
    if (commands.isReady() && commands.renew()) onRenewed();
  };

  const deadlines = createDeadlines<StoreCall>(deadlineMs, (call) => {
    renew();
    finish(call, faultOf("timeout", `no reply within ${deadlineMs} ms`));
  });

  /** What comes after the deadline is nobody's any more. */
  const onReply = (call: StoreCall, reply: unknown): void => {
    if (call.isOver) return;
    deadlines.end(call);
    if (Array.isArray(reply) && String(reply[0]) === call.nonce) {
      finish(call, { reply });
      return;
    }
    // An answer to another question: all that follow on this connection would be as well.
    renew();
    finish(call, faultOf("wrong-reply", "the reply belongs to another call"));
  };

  const onError = (call: StoreCall, fault: unknown): void => {
    if (call.isOver) return;
    deadlines.end(call);
    if (isNoPrimary(fault)) renew();
    finish(call, faultOf("error", messageOf(fault)));
  };

  return {
    run(script, keys, words, onAnswer) {
      const call: StoreCall = { script, nonce: words[0]!, onAnswer, begunAt: performance.now(), isOver: false };
      if (!commands.isReady()) {
        const answer = faultOf("not-ready", "the client is not connected");
        // A connection that is being made is no fault of the store's yet.
        if (!commands.revive() || breaker.state() !== "closed") note(call, answer);
        queueMicrotask(() => onAnswer(answer, 0));
        return;
      }
      deadlines.watch(call);
      attempt(
        () => commands.evalSha(script.sha, keys, words),
        (reply) => onReply(call, reply),
        (fault) => {
          // The server was restarted, another took over, or somebody emptied its scripts: it gets the text again.
          if (!isUnknownScript(fault)) onError(call, fault);
          else
            attempt(
              () => commands.eval(script.text, keys, words),
              (reply) => onReply(call, reply),
              (second) => onError(call, second),
            );
        },
      );
    },
    async ready(until) {
      while (!commands.isReady() && !commands.isEnded() && performance.now() < until) await wait(READY_POLL_MS);
    },
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
    queueMicrotask(() => onError(fault));
  }
}

function faultOf(kind: StoreFault["kind"], reason: string): StoreAnswer {
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
