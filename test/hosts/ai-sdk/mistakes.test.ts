import { createGuard } from "doomloop";
import { guard, loopStop } from "doomloop/ai-sdk";
import { describe, expect, it } from "vitest";
import type { StepsLike } from "../../../packages/doomloop/src/adapters/ai-sdk/loop-stop.ts";
import { QUICK } from "../../contracts/adapter-scripts.ts";
import { packages } from "./ai-packages.ts";
import { looping, readFile, scripted } from "./scripted.ts";

describe.each(packages)("a mistake in the wiring, in ai $major", (ai) => {
  const faults: string[] = [];
  const onFault = (fault: unknown) => void faults.push(String(fault));

  it("is told if another stopWhen replaces the guard's, so that nothing ends", async () => {
    faults.length = 0;
    const { model } = scripted(ai, looping(14));
    const { read_file } = readFile(ai);
    const stopWhen = ai.stepCountIs(12);
    const settings = guard({ tools: { read_file }, stopWhen }, { ...QUICK, onFault });
    await ai.generateText({ model, prompt: "go", ...settings, stopWhen });

    expect(faults).toEqual([expect.stringContaining("pass stopWhen to guard only")]);
  });

  it("is not told of a run that ends", async () => {
    faults.length = 0;
    const { model } = scripted(ai, looping(14));
    const { read_file } = readFile(ai);
    const settings = guard({ tools: { read_file }, stopWhen: ai.stepCountIs(12) }, { ...QUICK, onFault });
    const result = await ai.generateText({ model, prompt: "go", ...settings });

    expect(loopStop(result as StepsLike)).toBeDefined();
    expect(faults).toEqual([]);
  });

  const ask = async (prompts: readonly string[]) => {
    faults.length = 0;
    const own = createGuard({ ...QUICK, onFault });
    const read: string[] = [];
    let stopped = 0;
    for (const prompt of prompts) {
      const { model, requests } = scripted(ai, looping(1));
      const { read_file } = readFile(ai);
      const settings = guard({ tools: { read_file }, stopWhen: ai.stepCountIs(5) }, { guard: own, onFault });
      const result = await ai.generateText({ model, prompt, ...settings });
      read.push(JSON.stringify(requests));
      if (loopStop(result as StepsLike) !== undefined) stopped++;
    }
    return { told: read.filter((text) => text.includes("[doomloop]")).length, stopped };
  };

  it("is told if one guard serves many customers, and none of them pays for it", async () => {
    const customers = Array.from({ length: 20 }, (_, at) => `Customer ${at}: when do you open?`);

    expect(await ask(customers)).toEqual({ told: 0, stopped: 0 });
    expect(faults).toEqual([expect.stringContaining("one guard watches one run")]);
  });

  it("is none if a guard watches one task over many requests", async () => {
    expect((await ask(Array(12).fill("Go on."))).told).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });
});
