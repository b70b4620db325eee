import type { IncomingMessage, ServerResponse } from "node:http";
import { createGuard } from "doomloop";
import { guardWith, type SecondOpinion } from "doomloop/opinion";
import { afterAll, describe, expect, it } from "vitest";
import { localServer } from "../../scripted-endpoint.ts";

/** What a client sent. */
export interface JudgeRequest {
  readonly path: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
}

/** A client of a provider, as the tests of all of them use it. */
export interface AskingClient {
  /** A second opinion by a model at this address. */
  ask(url: string, limits: { readonly timeoutMs: number }): SecondOpinion;
  /** A whole answer of the provider with this text in it. */
  answer(text: string): object;
  /** What the request asks, in the provider's format. */
  read(body: JudgeRequest["body"]): object;
  /** Where the request goes, below the address. */
  readonly path: string;
}

type Answer = (response: ServerResponse) => void;

/** A server on this machine that answers as it is told, and notes what it was asked and whether somebody hung up. */
async function startJudge(answer: Answer) {
  const requests: JudgeRequest[] = [];
  let hungUp = 0;
  const { url, close: stop } = await localServer(async (request, response) => {
    let text = "";
    for await (const piece of request) text += piece;
    requests.push({ path: request.url, headers: request.headers, body: JSON.parse(text) });
    response.on("close", () => {
      if (!response.writableFinished) hungUp++;
    });
    answer(response);
  });
  return { url, requests, hungUp: () => hungUp, stop };
}

/** What `askModel` does with a client of a real package, against a server. */
export function asksThrough(title: string, client: AskingClient): void {
  const stops: (() => unknown)[] = [];
  afterAll(() => Promise.all(stops.map((stop) => stop())));

  /** Ten blank pages, about which the guard asks once. */
  const run = async (answer: Answer, timeoutMs = 60_000) => {
    const judge = await startJudge(answer);
    stops.push(judge.stop);
    const faults: unknown[] = [];
    const guard = guardWith(client.ask(judge.url, { timeoutMs }), createGuard, (fault) => faults.push(fault));
    for (let page = 0; page < 10; page++) {
      guard.observe({ type: "call", tool: "read_page", args: { page } });
      guard.observe({ type: "result", output: "This page is blank." });
    }
    return { ...judge, guard, faults };
  };

  const json =
    (value: object, status = 200): Answer =>
    (response) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));

  describe(`askModel with ${title}`, () => {
    it("sends the question as the provider expects it, and reads the answer", async () => {
      const { guard, requests, faults } = await run(json(client.answer('{"verdict":"stuck","since":0}')));
      await expect.poll(() => guard.stats().opinions.stuck).toBe(1);

      expect(faults).toEqual([]);
      expect(requests.map(({ path }) => path)).toEqual([client.path]);
      expect(client.read(requests[0]!.body)).toEqual({
        model: "judge-1",
        maxTokens: expect.any(Number),
        system: expect.stringMatching(/^You give a second opinion/),
        message: expect.stringMatching(/<<<LOG (\S+)\n[\s\S]*This page is blank\.[\s\S]*\n\1 LOG>>>$/),
      });
    });

    it("hangs up when the time is over", async () => {
      const { guard, requests, hungUp, faults } = await run(() => undefined, 300);
      await expect.poll(hungUp).toBe(1);
      await expect.poll(() => faults.length).toBe(1);

      expect(requests).toHaveLength(1);
      expect(guard.stats().opinions).toMatchObject({ asked: 1, stuck: 0, working: 0, unsure: 0 });
    });

    it.each<[string, Answer]>([
      ["an error", json({ error: { message: "busy", type: "server_error" } }, 503)],
      ["no verdict", json(client.answer("I cannot judge that."))],
      ["something else", json({ hello: "world" })],
      ["no JSON", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>hello</p>")],
    ])("asks once, reports a fault and goes on if the server sends %s", async (_what, answer) => {
      const { guard, requests, faults } = await run(answer);
      await expect.poll(() => faults.length).toBe(1);

      expect(requests).toHaveLength(1);
      expect(guard.stats().opinions).toMatchObject({ asked: 1, stuck: 0, working: 0, unsure: 0 });
    });
  });
}
