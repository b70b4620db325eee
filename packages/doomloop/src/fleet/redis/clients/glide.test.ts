import { describe, expect, it } from "vitest";
import { type GlideClient, glideCommands } from "./glide.ts";

/** As a Glide client behaves, as far as it is used: it answers with its own name. */
function newClient(name: string, closed: string[]): GlideClient {
  return { customCommand: () => Promise.resolve(name), close: () => void closed.push(name) };
}

/** Copies that are there when they are let. */
function newCopies(closed: string[]) {
  const waiting: ((client: GlideClient) => void)[] = [];
  let made = 0;
  return {
    make: () => new Promise<GlideClient>((resolve) => waiting.push(resolve)),
    async arrive() {
      waiting.shift()!(newClient(`copy ${++made}`, closed));
      await Promise.resolve();
    },
  };
}

describe("a Glide client", () => {
  it("is given up for a copy, which is used once it is there, and ends with the fleet", async () => {
    const closed: string[] = [];
    const copies = newCopies(closed);
    const commands = glideCommands(newClient("original", closed), copies.make);
    expect(await commands.evalSha("sha", [], [])).toBe("original");

    expect(commands.renew()).toBe(true);
    expect(commands.isReady()).toBe(false);
    await copies.arrive();
    expect(commands.isReady()).toBe(true);
    expect(await commands.evalSha("sha", [], [])).toBe("copy 1");

    commands.close();
    expect(closed).toEqual(["copy 1"]);
    expect(await commands.evalSha("sha", [], [])).toBe("original");
  });

  it("closes a copy that comes when nobody waits for it any more", async () => {
    const closed: string[] = [];
    const copies = newCopies(closed);
    const commands = glideCommands(newClient("original", closed), copies.make);
    commands.renew();
    commands.renew();
    await copies.arrive();
    expect([commands.isReady(), closed]).toEqual([false, ["copy 1"]]);

    await copies.arrive();
    expect(await commands.eval("text", [], [])).toBe("copy 2");
  });

  it.each([
    ["cannot be copied", undefined],
    [
      "throws instead of making one",
      () => {
        throw new Error("no settings");
      },
    ],
  ])("is used as it is where it %s", async (_, makeCopy) => {
    const commands = glideCommands(newClient("original", []), makeCopy);

    expect([commands.renew(), commands.isReady()]).toEqual([false, true]);
    expect(await commands.evalSha("sha", [], [])).toBe("original");
  });

  it("waits for the next copy where one could not be made", async () => {
    const commands = glideCommands(newClient("original", []), () => Promise.reject(new Error("refused")));

    expect(commands.renew()).toBe(true);
    await Promise.resolve();
    expect(commands.isReady()).toBe(false);
  });
});
