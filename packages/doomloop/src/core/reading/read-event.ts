import { pushLatest } from "../collections/bounded.ts";
import type { AgentEvent, CallEvent, ResultEvent } from "../event.ts";
import type { Hints } from "../hints/index.ts";
import { MOST_TIMES, type Request } from "../hints/request.ts";
import type { Platform } from "../identity/read-object.ts";
import { areAlike, stemsOf } from "../identity/stems.ts";
import type { Call, Step } from "../step.ts";
import { nameWords } from "./named-words.ts";
import { type CallTerms, completeStep, openCall } from "./read-step.ts";
import { MESSAGE_PREFIX, readResult } from "./result.ts";
import type { OpenCall, RunMemory } from "./run-memory.ts";

export interface ReadingTerms {
  readonly hints: Hints;
  readonly platform: Platform;
  readonly termsOf: (event: CallEvent) => CallTerms | "ignore";
}

export type Reading =
  | { readonly kind: "call"; readonly call: Call; readonly open: OpenCall; readonly isBlind: boolean }
  | { readonly kind: "step"; readonly step: Step; readonly open: OpenCall }
  | { readonly kind: "user" | "progress" | "nothing" };

const NOTHING: Reading = { kind: "nothing" };
const MOST_OPEN = 48;
const MOST_REFUSED = 8;

export function readEvent(run: RunMemory, event: AgentEvent, terms: ReadingTerms): Reading {
  switch (event.type) {
    case "call":
      return takeCall(run, event, terms);
    case "result":
      return takeResult(run, event, terms);
    case "round":
      run.hasRounds = true;
      run.round++;
      run.isRoundOver = false;
      return NOTHING;
    case "text":
      if (event.partial !== true) run.isRoundOver = true;
      return NOTHING;
    case "user":
      return takeUser(run, typeof event.text === "string" ? event.text : "", terms);
    default:
      return NOTHING;
  }
}

function takeCall(run: RunMemory, event: CallEvent, { hints, platform, termsOf }: ReadingTerms): Reading {
  const terms = termsOf(event);
  if (terms === "ignore") return NOTHING;
  if (!run.hasRounds && run.isRoundOver) {
    run.round++;
    run.isRoundOver = false;
  }
  const open = openCall(run, event, terms, { hints, platform });
  open.id = typeof event.id === "string" && event.id !== "" ? event.id : undefined;
  run.calls++;
  pushLatest(run.open, open, MOST_OPEN);
  return { kind: "call", call: open.call, open, isBlind: run.results === 0 };
}

function takeResult(run: RunMemory, event: ResultEvent, { hints, platform }: ReadingTerms): Reading {
  const open = takeOpen(run, typeof event.id === "string" && event.id !== "" ? event.id : undefined);
  if (open === undefined) return NOTHING;
  run.isRoundOver = true;
  run.results++;
  const read = readResult(event, hints, platform);
  if (read.at !== undefined) run.lastAt = Math.max(run.lastAt ?? read.at, read.at);
  if (event.synthetic === true || event.cancelled === true) return NOTHING;
  return { kind: "step", step: completeStep(run, open, read, hints), open };
}

function takeOpen(run: RunMemory, id: string | undefined): OpenCall | undefined {
  const from = (list: OpenCall[]): OpenCall | undefined => {
    const at = id === undefined ? 0 : list.findLastIndex((each) => each.id === id);
    return at < 0 ? undefined : list.splice(at, 1)[0];
  };
  return from(run.open) ?? from(run.refused);
}

export function refuse(run: RunMemory, open: OpenCall): void {
  const at = run.open.indexOf(open);
  if (at >= 0) run.open.splice(at, 1);
  open.isRefused = true;
  pushLatest(run.refused, open, MOST_REFUSED);
  run.isRoundOver = true;
  if (open.at !== undefined) run.lastAt = Math.max(run.lastAt ?? open.at, open.at);
}

const NAMED = 2_000;
const SHORT_TEXT = 120;
const HARNESS_WORDS = 4;
const FEW_TIMES = 2;
const PATIENT_TIMES = 8;
const MAX_TEXTS = 8;

function takeUser(run: RunMemory, text: string, { hints }: ReadingTerms): Reading {
  if (text.startsWith(MESSAGE_PREFIX)) return NOTHING;
  nameWords(run, text);
  const stems = stemsOf(text.slice(0, NAMED).replace(/\d{1,20}/g, " "));
  const known = text.trim() === "" ? undefined : run.userTexts.find((other) => areAlike(stems, other.stems));
  const wanted = hints.request(hints.withoutFrame(text));
  const still: Request =
    wanted.orders.length > 0 || text.length > SHORT_TEXT
      ? wanted
      : { ...wanted, orders: run.request.orders.map((order) => ({ ...order, isAll: false })) };
  let speaks = true;
  if (known === undefined) {
    run.userTexts.push({ stems, times: 1 });
    if (run.userTexts.length > MAX_TEXTS) run.userTexts.splice(1, 1);
    run.request = still;
  } else {
    if (++known.times > PATIENT_TIMES) return NOTHING;
    const before = run.request.orders;
    run.request =
      wanted.orders.length === 0
        ? still
        : {
            ...wanted,
            orders: wanted.orders.map((order, at) => ({
              ...order,
              times: order.times === 0 ? 0 : Math.min(MOST_TIMES, order.times + (before[at]?.times ?? 0)),
            })),
          };
    speaks =
      run.calls === run.from || (stems.length < HARNESS_WORDS && !(known.times > FEW_TIMES && hints.saysGoOn(text)));
  }
  if (!speaks) return NOTHING;
  run.isRoundOver = true;
  run.from = run.calls;
  return { kind: "user" };
}
