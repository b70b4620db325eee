import { REPORT_REQUEST } from "doomloop";
import { guard, type LoopStop, loopStop } from "doomloop/ai-sdk";
import { describe, expect, it } from "vitest";
import type { StepsLike, StreamedStepsLike } from "../../../packages/doomloop/src/adapters/ai-sdk/loop-stop.ts";
import type { ScriptedAnswer } from "../../contracts/adapter-driver.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { packages } from "./ai-packages.ts";
import { looping, readFile, type ScriptedRequest, scripted } from "./scripted.ts";

const REPORT = "I looked six times and found nothing.";
const endsWithReport = (calls: number): ScriptedAnswer[] => [...looping(calls), { text: REPORT }];

interface Result extends StepsLike {
  readonly text: string;
  readonly responseMessages?: unknown;
  readonly response: { readonly messages: unknown };
}

/** What the model was told last. */
const lastWords = (request: ScriptedRequest | undefined): string => JSON.stringify(request?.prompt.at(-1));

describe.each(packages)("guard with a final report, in ai $major", (ai) => {
  const wire = (options: object = { finalReport: true }, more: object = {}) => {
    const { read_file, executed } = readFile(ai);
    const stops: LoopStop[] = [];
    const onStop = (stop: LoopStop): void => void stops.push(stop);
    const settings = { tools: { read_file }, stopWhen: ai.stepCountIs(20), ...more };
    return { executed, stops, settings: guard(settings, { ...QUICK, onStop, ...options }) };
  };
  const generate = async (settings: object, script: readonly ScriptedAnswer[]) => {
    const { model, requests } = scripted(ai, script);
    const result = (await ai.generateText({ model, prompt: "go", ...settings })) as Result;
    return { result, requests };
  };

  it("lets the model report once, without tools, and tells of the end as ever", async () => {
    const { settings, stops } = wire();
    const { result, requests } = await generate(settings, endsWithReport(6));

    expect(requests).toHaveLength(7);
    expect(requests[6]?.tools ?? []).toEqual([]);
    expect(requests[6]?.prompt.at(-1)?.role).toBe("user");
    expect(lastWords(requests[6])).toContain(REPORT_REQUEST);
    expect(lastWords(requests[6])).toContain("[doomloop]");
    expect(result.text).toBe(REPORT);
    expect(loopStop(result)).toEqual(stops[0]);
    expect(stops).toHaveLength(1);
    expect(JSON.stringify(result.responseMessages ?? result.response.messages)).not.toContain(REPORT_REQUEST);
  });

  it("does so in a stream and in an agent, each run by itself", async () => {
    const { settings } = wire();
    const { model } = scripted(ai, endsWithReport(6));
    const stream = ai.streamText({ model, prompt: "go", ...settings }) as unknown as StreamedStepsLike & {
      readonly text: PromiseLike<string>;
    };
    const agent = new ai.Agent({ model: scripted(ai, endsWithReport(6)).model, ...settings });
    const results = await Promise.all([
      agent.generate({ prompt: "go" }) as Promise<Result>,
      generate(settings, endsWithReport(2)).then(({ result }) => result),
    ]);

    expect(await stream.text).toBe(REPORT);
    expect((await loopStop(stream))?.callId).toBe("call-6");
    expect(results.map(({ text, steps }) => `${steps.length} ${text}`)).toEqual([`7 ${REPORT}`, `3 ${REPORT}`]);
    expect(results.map((result) => loopStop(result)?.callId)).toEqual(["call-6", undefined]);
  });

  it("ends the run even if the model calls again instead, and runs nothing", async () => {
    const { settings, executed } = wire();
    const { result, requests } = await generate(settings, looping(15));

    expect(requests).toHaveLength(7);
    expect(executed).toHaveLength(4);
    expect(loopStop(result)?.callId).toBe("call-6");
  });

  it("does so where the end was decided at a result", async () => {
    const { settings, executed } = wire({ finalReport: true, ladder: ["stop"] });
    const { result, requests } = await generate(settings, endsWithReport(3));

    expect(executed).toHaveLength(3);
    expect(requests).toHaveLength(4);
    expect(lastWords(requests[3])).toContain(REPORT_REQUEST);
    expect(loopStop(result)?.callId).toBe("call-3");
  });

  it.each(ai.major === 7 ? ["prepareStep"] : ["prepareStep", "experimental_prepareStep"])(
    "keeps the caller's %s, in the last step too",
    async (name) => {
      const asked: number[] = [];
      const theirs = ({ stepNumber, messages }: { stepNumber: number; messages: object[] }) => {
        asked.push(stepNumber);
        return { messages: [...messages, { role: "user", content: "Remember." }], toolChoice: "required" };
      };
      const { settings } = wire({ finalReport: true }, { [name]: theirs });
      const { requests } = await generate(settings, endsWithReport(6));

      expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6]);
      expect(requests[3]?.toolChoice).toEqual({ type: "required" });
      expect(JSON.stringify(requests[6]?.prompt.slice(-2))).toContain("Remember.");
      expect(requests[6]?.toolChoice).not.toEqual({ type: "required" });
      expect(lastWords(requests[6])).toContain(REPORT_REQUEST);
    },
  );

  it("ends the run without a report where a function of the caller's replaces ours, or its limit is reached", async () => {
    const replaced = wire();
    const other = await generate({ ...replaced.settings, prepareStep: () => ({}) }, endsWithReport(6));
    const limited = wire({ finalReport: true }, { stopWhen: ai.stepCountIs(6) });
    const short = await generate(limited.settings, endsWithReport(6));

    expect([other, short].map(({ requests }) => requests.length)).toEqual([6, 6]);
    expect([other, short].map(({ result }) => loopStop(result)?.callId)).toEqual(["call-6", "call-6"]);
    expect(replaced.executed).toHaveLength(4);
  });

  it("goes on when the user speaks after the report", async () => {
    const { settings } = wire();
    const { result } = await generate(settings, endsWithReport(6));
    const answers = (result.responseMessages ?? result.response.messages) as object[];
    const messages = [{ role: "user", content: "go" }, ...answers, { role: "user", content: "go on" }];
    const { model, requests } = scripted(ai, looping(2));
    const next = (await ai.generateText({ model, messages, ...settings })) as Result;

    expect(requests).toHaveLength(3);
    expect(JSON.stringify(requests)).not.toContain(REPORT_REQUEST);
    expect(loopStop(next)).toBeUndefined();
  });

  it("changes nothing where no run is ended, nor where none can be", async () => {
    const plain = await generate(wire({}).settings, looping(3));
    const withReport = await generate(wire().settings, looping(3));
    const { read_file } = readFile(ai);

    expect(JSON.stringify(withReport.requests)).toBe(JSON.stringify(plain.requests));
    expect("prepareStep" in guard({ tools: { read_file } }, { finalReport: true })).toBe(false);
  });
});
