import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterEach, describe, expect, it } from "vitest";
import { createGuard } from "../../../../../test/builders.ts";
import { localServer } from "../../../../../test/scripted-endpoint.ts";
import type { Decision } from "../../core/decision.ts";
import type { AgentEvent } from "../../core/event.ts";
import { packageFolder } from "../../system/package-folder.ts";
import { type DecisionService, type ServiceNote, startDecisionService } from "./decision-service.ts";
import { readPolicies } from "./policies.ts";
import type { ClientQuestion } from "./questions.ts";
import type { RunStore } from "./run-store.ts";

const TOKEN = "a-token-of-the-tests";
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Script = (response: ServerResponse, body: string, request: IncomingMessage) => unknown;

/** An endpoint on loopback that answers as the script says. */
async function endpointWith(script: Script, answers = false) {
  const asked: string[] = [];
  const { url, close } = await localServer(async (request, response) => {
    const body = (await request.toArray()).join("");
    asked.push(body);
    script(response, body, request);
  });
  closing.push(close);
  return { url: `${url}/v1`, model: "scripted", asked, answers };
}

const says =
  (content: unknown): Script =>
  (response) =>
    response.end(JSON.stringify({ choices: [{ message: { content } }] }));
const verdict = (word: string): Script => says(`{"verdict":"${word}","since":null}`);

interface Asked {
  readonly opinion?: { url: string; model: string; shows?: "text" | "shapes"; timeoutMs?: number; answers?: boolean };
  readonly configuration?: unknown;
  readonly store?: RunStore;
}

/** What a service is told of an endpoint. */
function endpointOf({ url, model, shows, timeoutMs }: NonNullable<Asked["opinion"]>) {
  return { url, model, ...(shows && { shows }), ...(timeoutMs && { timeoutMs }) };
}

async function serviceWith({ opinion, configuration, store }: Asked = {}) {
  const notes: ServiceNote[] = [];
  const service: DecisionService = await startDecisionService({
    ...{ host: "127.0.0.1", port: 0, token: TOKEN, policies: readPolicies(configuration) },
    ...{ opinion: opinion && endpointOf(opinion), store, onNote: (note: ServiceNote) => void notes.push(note) },
  });
  closing.push(() => service.end());
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
      headers: { authorization: `Bearer ${TOKEN}` },
      ...(body && { method: "POST", body: JSON.stringify(body) }),
    });
    return response.text();
  };
  /** Waits for the answer to an open question, if the endpoint gives answers. */
  const settle = async (run: string): Promise<void> => {
    if (opinion?.answers !== true) return;
    const open = async () => {
      const { asked, stuck, working, unsure, late } = await opinions(run);
      return asked - stuck - working - unsure - late;
    };
    await expect.poll(open, { timeout: 10_000, interval: 5 }).toBeLessThanOrEqual(0);
  };
  /** Sends one event after the other, as an agent does. */
  const play = async (events: readonly AgentEvent[], settings: object = {}, run = "a") => {
    const decisions: Decision[] = [];
    for (const event of events) {
      const text = await ask(`/v1/runs/${run}/events`, { events: [event], ...settings });
      decisions.push(...(JSON.parse(text) as { decisions: Decision[] }).decisions);
      if (event.type === "result") await settle(run);
    }
    return decisions;
  };
  const opinions = async (run = "a") => JSON.parse(await ask(`/v1/runs/${run}`)).stats.opinions;
  return { service, notes, ask, play, opinions, metrics: () => ask("/metrics") };
}

const laps = (count: number, tool: string, args: object, output: string): AgentEvent[] =>
  Array.from({ length: count }, (_, at): AgentEvent[] => [
    { type: "round" },
    { type: "call", id: `c${at}`, tool, args, at: at * 5_000 },
    { type: "result", id: `c${at}`, output, at: at * 5_000 + 100 },
  ]).flat();
/** Not clear: mail may have to be sent again. */
const mails = (count: number) => laps(count, "send_mail", { to: "kim@example.org", text: "Where is it?" }, "sent");
const reads = (count: number) => laps(count, "read_file", { path: "a.ts" }, "the same text as before");
const actions = (decisions: readonly Decision[]): string[] => decisions.map(({ action }) => action);
/** What a guard decides whose questions nobody answers. */
const unanswered = (events: readonly AgentEvent[]): string[] => {
  const guard = createGuard({ questions: 12 });
  return events.map((event) => guard.observe(event).action);
};

describe("a service with an endpoint", () => {
  it("asks it about every run, and heeds what it says", async () => {
    const opinion = await endpointWith(verdict("working"), true);
    const { play, opinions, metrics } = await serviceWith({ opinion });
    const decisions = await play(mails(8));

    expect(actions(decisions).indexOf("nudge")).not.toBe(unanswered(mails(8)).indexOf("nudge"));
    expect(decisions.filter(({ question }) => question !== undefined)).toEqual([]);
    expect(await opinions()).toMatchObject({ asked: 1, working: 1 });
    expect(opinion.asked[0]).toContain("send_mail");
    expect(opinion.asked[0]).not.toContain("kim@example.org");
    expect(await metrics()).toContain('doomloop_service_questions_total{by="service",why="confirm"} 1');
    expect(await metrics()).toContain('doomloop_service_opinions_total{verdict="working"} 1');
  });

  it("asks about what a gateway sends, too", async () => {
    const opinion = await endpointWith(verdict("unsure"), true);
    const { ask, metrics } = await serviceWith({ opinion });
    const messages = Array.from({ length: 5 }, (_, at) => [
      { role: "assistant", tool_calls: [{ id: `c${at}`, function: { name: "send_mail", arguments: "{}" } }] },
      { role: "tool", tool_call_id: `c${at}`, content: "sent" },
    ]).flat();
    for (let end = 2; end <= messages.length; end += 2) {
      const json = { model: "m", messages: [{ role: "user", content: "Ask Kim." }, ...messages.slice(0, end)] };
      await ask("/v1/guardrails/portkey", { eventType: "beforeRequestHook", request: { json } });
    }

    await expect.poll(() => opinion.asked.length).toBeGreaterThan(0);
    expect(opinion.asked[0]).toContain("Ask Kim.");
    await expect.poll(metrics).toContain('doomloop_service_opinions_total{verdict="');
  });

  it.each<[string, Script, string]>([
    ["hangs", () => undefined, "no answer within 100 ms"],
    ["sends a head and hangs", (response) => response.writeHead(200).write("{"), "no answer within 100 ms"],
    ["is broken", (response) => response.writeHead(500).end("no"), "status 500"],
    ["sends no JSON", (response) => response.end("secret words"), "the answer is not JSON"],
    ["sends other JSON", (response) => response.end('{"error":"no"}'), "the answer has no text"],
    ["says garbage", says("The agent is fine."), "the answer is not a verdict"],
    ["contradicts itself", says('{"verdict":"stuck"} {"verdict":"working"}'), "the answer is not a verdict"],
    ["says too much", says(`{"verdict":"working"}${" ".repeat(100_000)}`), "the answer is too long"],
    ["never ends", (response) => void setInterval(() => response.write(" ".repeat(9_000)), 1).unref(), "too long"],
    ["hangs up", (response) => response.destroy(), "opinion endpoint: "],
    [
      "leads elsewhere",
      (response) => response.writeHead(307, { location: "/v2/chat/completions" }).end(),
      "opinion endpoint: unexpected redirect",
    ],
  ])("decides alone if the endpoint %s, and says so once a minute", async (_, script, words) => {
    const opinion = await endpointWith(script);
    const timeoutMs = words.includes("100 ms") ? 100 : 30_000;
    const { play, notes, metrics } = await serviceWith({ opinion: { ...opinion, timeoutMs } });

    expect(actions(await play(mails(14)))).toEqual(unanswered(mails(14)));
    await expect.poll(metrics).toMatch(/opinion_faults_total\{\} \d/);
    expect(notes.filter(({ event }) => event === "opinion-fault")).toMatchObject([
      { message: expect.stringContaining(words) },
    ]);
    expect(JSON.stringify(notes)).not.toContain("secret words");
    expect(opinion.asked.length).toBeLessThanOrEqual(12);
  });

  it("makes no request wait for an answer", async () => {
    const opinion = await endpointWith(
      (response, ...rest) => void setTimeout(verdict("stuck"), 400, response, ...rest),
    );
    const { ask } = await serviceWith({ opinion });
    const start = performance.now();
    for (let at = 0; at < 5; at++) await ask(`/v1/runs/${at}/events`, { events: mails(6) });
    const tookMs = performance.now() - start;

    await expect.poll(() => opinion.asked.length).toBe(5);
    expect(tookMs).toBeLessThan(5 * 400);
  });

  it("has at most 32 questions of all runs open", async () => {
    const opinion = await endpointWith(() => undefined);
    const { ask, metrics, notes } = await serviceWith({ opinion });
    for (let at = 0; at < 36; at++) await ask(`/v1/runs/${at}/events`, { events: mails(6) });

    await expect.poll(() => opinion.asked.length).toBe(32);
    expect(await metrics()).toContain("opinion_faults_total{} 4");
    expect(notes).toContainEqual({ event: "opinion-fault", message: expect.stringContaining("32 questions are open") });
  });

  it("gives up on open questions when it ends", async () => {
    let hasHungUp = false;
    const opinion = await endpointWith((response) => response.on("close", () => (hasHungUp = true)));
    const { play, service, notes } = await serviceWith({ opinion });
    await play(mails(6));
    await expect.poll(() => opinion.asked.length).toBe(1);
    await service.end();

    await expect.poll(() => hasHungUp).toBe(true);
    expect(notes.filter(({ event }) => event === "opinion-fault")).toEqual([]);
  });

  it("ends a clear loop as without it, if it always says that the agent works", async () => {
    const alone = await (await serviceWith()).play(reads(25));
    const opinion = await endpointWith(verdict("working"), true);
    const asked = await (await serviceWith({ opinion })).play(reads(25));

    expect(actions(asked)).toEqual(actions(alone));
    expect(actions(asked)).toContain("stop");
  });

  it("shows only shapes, if the operator or the run's policy says so", async () => {
    const configuration = { policies: { open: {}, closed: { opinionShows: "shapes" } } };
    const opinion = await endpointWith(verdict("unsure"), true);
    const { play } = await serviceWith({ opinion, configuration });
    await play(mails(6), { policy: "closed" });
    const strict = await serviceWith({ opinion: { ...opinion, shows: "shapes" } });
    await strict.play(mails(6), { options: { opinionShows: "text" } });
    expect(opinion.asked.length).toBe(2);
    expect(opinion.asked.join("")).toContain("send_mail");
    expect(opinion.asked.join("")).not.toContain("Where is it?");
    await play(mails(6), { policy: "open" }, "b");

    expect(opinion.asked.at(-1)).toContain("Where is it?");
  });

  it("asks nothing about a run whose policy or client says so", async () => {
    const opinion = await endpointWith(verdict("working"), true);
    const { play } = await serviceWith({ opinion, configuration: { policies: { quiet: { questions: 0 } } } });
    const { play: own } = await serviceWith({ opinion });

    const alone = actions(await (await serviceWith()).play(mails(12)));
    expect(actions(await play(mails(12)))).toEqual(alone);
    expect(actions(await own(mails(12), { options: { questions: 0 } }))).toEqual(alone);
    expect(opinion.asked).toEqual([]);
  });
});

describe("a client that answers", () => {
  const settings = { options: { questions: 12 } };
  const asked = (decisions: readonly Decision[]): ClientQuestion[] =>
    decisions.flatMap(({ question }) => question ?? []);

  it("gets questions with what to ask a model, and sends opinions as events", async () => {
    const { play, opinions, metrics } = await serviceWith();
    const events = mails(5);
    const decisions = await play(events, settings);
    const [question] = asked(decisions);

    expect(question).toMatchObject({ id: 1, why: "confirm", latest: expect.any(Number), finding: expect.any(Object) });
    expect(question?.request).toEqual({
      system: expect.stringContaining("is it stuck, or is it working?"),
      message: expect.stringContaining("send_mail"),
      maxTokens: 2_000,
    });
    expect(actions(decisions)).toEqual(unanswered(events));
    const at = decisions.findIndex((decision) => decision.question !== undefined);
    const told = [
      ...events.slice(0, at + 1),
      { type: "opinion", question: 1, verdict: "working", since: null } as unknown as AgentEvent,
      ...mails(8).slice(at + 1),
    ];
    expect(actions(await play(told, settings, "b")).indexOf("nudge")).not.toBe(
      unanswered(mails(8)).indexOf("nudge") + 1,
    );
    expect(await opinions("b")).toMatchObject({ working: 1, late: 0 });
    await play([{ type: "opinion", question: 9, verdict: "stuck" }], settings, "b");
    const text = await metrics();
    expect(text).toContain('doomloop_service_questions_total{by="client",why="confirm"} 2');
    expect(text).toContain('doomloop_service_opinions_total{verdict="working"} 1');
    expect(text).toContain('doomloop_service_opinions_total{verdict="late"} 1');
  });

  it("gets the same question again with an event that is sent again, and it counts once", async () => {
    const { ask, metrics } = await serviceWith();
    const events = mails(4).map((event, at) => ({ ...event, seq: at + 1 }));
    const first = await ask("/v1/runs/a/events", { events, ...settings });

    expect(await ask("/v1/runs/a/events", { events, ...settings })).toBe(first);
    expect(first).toContain('"request":{"system"');
    expect(await metrics()).toContain('questions_total{by="client",why="confirm"} 1');
  });

  it("is asked instead of the endpoint", async () => {
    const opinion = await endpointWith(verdict("working"));
    const { play } = await serviceWith({ opinion });

    expect(asked(await play(mails(5), settings))).toHaveLength(1);
    expect(opinion.asked).toEqual([]);
  });

  it("is asked because of a policy if there is no endpoint, and sees what the policy shows", async () => {
    const team = { questions: 12, opinionShows: "shapes" };
    const { play } = await serviceWith({ configuration: { policies: { team } } });
    const [question] = asked(await play(mails(5)));

    expect(question?.request?.message).toContain("send_mail");
    expect(question?.request?.message).not.toContain("Where is it?");
    expect(asked(await play(mails(5), settings, "b"))).toHaveLength(1);
  });

  it("may send what the model answered as it is", async () => {
    const { ask, play, opinions } = await serviceWith();
    const answered = (answer: unknown) => [{ type: "opinion", question: 1, answer } as unknown as AgentEvent];
    for (const [run, answer] of [
      ["a", 'Let me see.\n{"verdict":"working","since":null}'],
      ["b", "It is fine."],
    ]) {
      const at = (await play(mails(5), settings, `${run}0`)).findIndex(({ question }) => question !== undefined);
      await play([...mails(5).slice(0, at + 1), ...answered(answer)], settings, run);
    }

    expect([await opinions("a"), await opinions("b")]).toMatchObject([{ working: 1 }, { unsure: 1 }]);
    expect(await ask("/v1/runs/c/events", { events: answered(7) })).toContain("verdict must be");
  });

  it("gets what the description says", async () => {
    const ajv = new Ajv2020({ strict: false, logger: false });
    ajv.addSchema(JSON.parse(readFileSync(new URL("schema/openapi-1.json", packageFolder), "utf8")), "doomloop");
    const isDescribed = (schema: string, value: unknown) =>
      ajv.getSchema(`doomloop#/components/schemas/${schema}`)?.(value) === true;
    const { play, ask } = await serviceWith();
    const [question] = asked(await play(mails(5), settings));
    expect(isDescribed("Question", question)).toBe(true);
    expect(isDescribed("Question", { ...question, why: 7 })).toBe(false);
    expect(isDescribed("Question", { ...question, request: {} })).toBe(false);

    const base = { type: "opinion", question: 1, verdict: "stuck" };
    const wrong = [{ question: "1" }, { question: undefined }, { verdict: "fine" }, { since: -1 }, { since: "0" }];
    for (const fields of [{}, { since: null }, { since: 3 }, { seq: 7 }, ...wrong]) {
      const events = [{ ...base, ...fields }];
      const isAccepted = (await ask("/v1/runs/b/events", { events })).includes('"decisions"');
      expect({ fields, isAccepted }).toEqual({ fields, isAccepted: isDescribed("EventsRequest", { events }) });
      expect(isAccepted).toBe(!wrong.includes(fields as never));
    }
  });

  it.each([{ opinionShows: "all" }, { questions: -1 }, { questions: 2_000 }])("may not ask for %j", async (options) => {
    const { ask } = await serviceWith();

    expect(await ask("/v1/runs/a/events", { events: [], options })).toContain('"status":400');
  });
});

describe("with a store", () => {
  const memoryStore = () => {
    const texts = new Map<string, string>();
    const store: RunStore = {
      load: async (run) => texts.get(run),
      save: async (run, text) => void texts.set(run, text),
      forget: async (run) => void texts.delete(run),
    };
    return { store, texts };
  };

  it("another replica goes on with a run that was asked about and told", async () => {
    const opinion = await endpointWith(verdict("stuck"), true);
    const { store, texts } = memoryStore();
    const one = await serviceWith({ opinion, store });
    const said = actions(await one.play(mails(10)));
    const before = await one.opinions();
    await one.service.end();
    // It asks only once it has seen enough.
    const other = await serviceWith({ opinion: { ...opinion, answers: false }, store });
    const later = actions(await other.play(mails(40).slice(30)));

    expect(said).toContain("nudge");
    expect([...said, ...later]).toContain("block");
    expect(before.stuck).toBeGreaterThan(0);
    expect((await other.opinions()).stuck).toBeGreaterThanOrEqual(before.stuck);
    expect(texts.get("a")).not.toMatch(/kim|Where is it|send_mail.*sent/);
  });

  it("another replica leaves the questions of a run to its client", async () => {
    const opinion = await endpointWith(verdict("working"));
    const { store } = memoryStore();
    const one = await serviceWith({ opinion, store });
    const settings = { options: { questions: 12 } };
    await one.play(mails(8), settings);
    await one.service.end();
    const other = await serviceWith({ opinion, store });
    const pages = Array.from({ length: 30 }, (_, at) =>
      laps(1, "read_page", { at }, `page ${at} is about ${"abcdefghijklmnopqrstuvwxyz"[at % 26]!.repeat(9)}`),
    ).flat();
    const decisions = await other.play(pages, settings);

    expect(decisions.some(({ question }) => question !== undefined)).toBe(true);
    expect(opinion.asked).toEqual([]);
  });
});
