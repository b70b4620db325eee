import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { until as waitUntil } from "../servers/until.ts";
import type { Fault } from "./fault.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { createCommandCounter } from "./relay.ts";

const ping = "*1\r\n$4\r\nPING\r\n";
const stops: (() => unknown)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** An echo server behind a proxy. */
async function echo(): Promise<{ proxy: FaultProxy; heard: () => string }> {
  const heard: Buffer[] = [];
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      heard.push(bytes);
      socket.write(bytes);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy = await startFaultProxy((server.address() as { port: number }).port);
  stops.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  stops.push(() => proxy.stop());
  return { proxy, heard: () => Buffer.concat(heard).toString() };
}

/** A client that records what it receives, piece by piece, and how its connection ends. */
function client({ port }: FaultProxy) {
  const socket = connect(port, "127.0.0.1");
  const pieces: string[] = [];
  const state = { pieces, socket, ended: "", text: () => pieces.join("") };
  socket.setNoDelay(true);
  socket.on("data", (bytes) => pieces.push(bytes.toString()));
  socket.on("error", (error) => {
    state.ended = (error as NodeJS.ErrnoException).code ?? "error";
  });
  socket.on("close", () => {
    state.ended ||= "closed";
  });
  stops.push(() => {
    socket.destroy();
  });
  return state;
}

const until = (holds: () => boolean): Promise<void> => waitUntil(String(holds), holds, { everyMs: 5 });

async function connected(fault?: Fault) {
  const { proxy, heard } = await echo();
  const one = client(proxy);
  one.socket.write("hello ");
  await until(() => one.text() === "hello ");
  if (fault !== undefined) await proxy.setFault(fault);
  return { proxy, heard, one };
}

describe("a fault proxy", () => {
  it("passes bytes both ways, unchanged and in order, until told otherwise", async () => {
    const { proxy } = await echo();
    const one = client(proxy);
    const text = Array.from({ length: 20_000 }, (_, at) => `${at};`).join("");
    one.socket.write(text);

    await until(() => one.text().length === text.length);
    expect(one.text()).toBe(text);
  });

  it("delays each way, and keeps the order", async () => {
    const { one } = await connected({ kind: "delay", delayMs: 40, jitterMs: 20 });
    const start = performance.now();
    for (const piece of ["a", "b", "c", "d", "e"]) {
      one.socket.write(piece);
      await wait(3);
    }
    await until(() => one.text() === "hello abcde");

    expect(performance.now() - start).toBeGreaterThan(79);
  });

  it("swallows everything as a black hole, and leaves the connection dead when healed", async () => {
    const { proxy, one, heard } = await connected({ kind: "blackhole" });
    one.socket.write("lost");
    await wait(50);
    await proxy.setFault({ kind: "pass" });
    one.socket.write("also lost");
    await wait(50);
    expect([heard(), one.text(), one.ended]).toEqual(["hello ", "hello ", ""]);

    const other = client(proxy);
    other.socket.write("new");
    await until(() => other.text() === "new");
  });

  it("accepts connections as a black hole", async () => {
    const { proxy } = await connected({ kind: "blackhole" });
    const other = client(proxy);
    await once(other.socket, "connect");
    other.socket.write("x");
    await wait(50);

    expect([other.ended, other.text()]).toEqual(["", ""]);
  });

  it("resets connections when bytes come", async () => {
    const { proxy, one } = await connected({ kind: "reset" });
    one.socket.write("x");
    await until(() => one.ended === "ECONNRESET");
    await proxy.setFault({ kind: "pass" });
    const other = client(proxy);
    other.socket.write("y");

    await until(() => other.text() === "y");
  });

  it("refuses connections, ends open ones, and comes back at the same port", async () => {
    const { proxy, one } = await connected({ kind: "refuse" });
    await until(() => one.ended === "ECONNRESET");
    const refused = client(proxy);
    await until(() => refused.ended === "ECONNREFUSED");
    await proxy.setFault({ kind: "pass" });
    const other = client(proxy);
    other.socket.write("z");

    await until(() => other.text() === "z");
  });

  it("passes requests but not replies when half-open", async () => {
    const { one, heard } = await connected({ kind: "half-open", swallowed: "replies" });
    one.socket.write("a");
    await until(() => heard() === "hello a");
    one.socket.write("b");
    await until(() => heard() === "hello ab");
    expect(one.text()).toBe("hello ");
  });

  it("passes no requests when half-open the other way", async () => {
    const { one, heard } = await connected({ kind: "half-open", swallowed: "requests" });
    one.socket.write("a");
    await wait(50);

    expect([heard(), one.ended]).toEqual(["hello ", ""]);
  });

  it("delivers single bytes", async () => {
    const { one } = await connected({ kind: "slice", bytes: 1 });
    one.socket.write("sliced apart");
    await until(() => one.text() === "hello sliced apart");

    expect(one.pieces.length).toBeGreaterThan(6);
  });

  it("limits the bytes a second", async () => {
    const { one } = await connected({ kind: "throttle", bytesPerSecond: 10_000 });
    const start = performance.now();
    one.socket.write("x".repeat(2_000));
    await until(() => one.text().length === 2_006);

    expect(performance.now() - start).toBeGreaterThan(190);
  });

  it("holds replies until healed, and then delivers them before later ones", async () => {
    const { proxy, one, heard } = await connected({ kind: "late-replies" });
    one.socket.write("late ");
    await until(() => heard() === "hello late ");
    await wait(50);
    expect(one.text()).toBe("hello ");

    one.socket.write("more ");
    await until(() => heard() === "hello late more ");
    await proxy.setFault({ kind: "pass" });
    one.socket.write("now");
    await until(() => one.text() === "hello late more now");
  });

  it("closes in the middle of a reply", async () => {
    const { one } = await connected({ kind: "close-mid-reply", afterBytes: 4 });
    one.socket.write("0123456789");
    await until(() => one.ended === "closed");

    expect(one.text()).toBe("hello 0123");
  });

  it("drops bytes from replies", async () => {
    const { one, heard } = await connected({ kind: "drop-bytes", every: 5 });
    one.socket.write("0123456789");
    await until(() => one.text().length === 14);

    expect([one.text(), heard()]).toEqual(["hello 01235678", "hello 0123456789"]);
  });

  it("answers each command with an error, and keeps it from the server", async () => {
    const { proxy, heard } = await echo();
    const one = client(proxy);
    one.socket.write(ping);
    await until(() => one.text() === ping);
    await proxy.setFault({ kind: "error-replies", message: "LOADING soon" });
    one.socket.write(ping + ping.slice(0, 7));
    await until(() => one.text() === `${ping}-LOADING soon\r\n`);
    one.socket.write(ping.slice(7));

    await until(() => one.text() === `${ping}-LOADING soon\r\n-LOADING soon\r\n`);
    expect(heard()).toBe(ping);
  });

  it("resets a connection in the middle of a command", async () => {
    const { one } = await connected({ kind: "error-replies", message: "LOADING soon" });
    one.socket.write("half a command");

    await until(() => one.ended === "ECONNRESET");
  });

  it("counts connections, and ends them all when stopped", async () => {
    const { proxy, one } = await connected();
    const other = client(proxy);
    await once(other.socket, "connect");
    await until(() => proxy.connections === 2);
    await proxy.stop();

    await until(() => one.ended !== "" && other.ended !== "");
  });
});

describe("createCommandCounter", () => {
  it("counts commands however they are divided into pieces", () => {
    const commands = Buffer.from(`${ping}*2\r\n$3\r\nGET\r\n$6\r\n*1\r\n$a\r\n${ping}`);
    for (let size = 1; size <= commands.length; size++) {
      const count = createCommandCounter();
      let counted = 0;
      for (let at = 0; at < commands.length; at += size) counted += count(commands.subarray(at, at + size));
      expect(counted).toBe(3);
    }
  });

  it("refuses bytes that no client sends", () => {
    expect(() => createCommandCounter()(Buffer.from("GET / HTTP/1.1\r\n"))).toThrow("a command has * here");
  });
});
