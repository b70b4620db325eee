import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createWriteTogether } from "./write-together.ts";

/** A socket that notes how many commands the system was given at a time. */
function socketOf() {
  const writes: number[] = [];
  const socket = new Writable({
    write(_command, _encoding, done) {
      writes.push(1);
      done();
    },
    writev(commands, done) {
      writes.push(commands.length);
      done();
    },
  });
  return { socket, writes };
}

function writer() {
  const together = createWriteTogether();
  return (socket: Writable): void => {
    together(socket);
    socket.write("a");
  };
}

describe("commands that are written together", () => {
  it("are those of one turn", async () => {
    const { socket, writes } = socketOf();
    const write = writer();
    for (let at = 0; at < 5; at++) write(socket);
    await nextTurn();
    for (let at = 0; at < 3; at++) write(socket);
    await nextTurn();

    expect(writes).toEqual([5, 3]);
  });

  it("are not so many that the server has nothing to do meanwhile", async () => {
    const { socket, writes } = socketOf();
    const write = writer();
    for (let at = 0; at < 40; at++) write(socket);
    expect(writes[0]).toBe(16);
    await nextTurn();

    expect(writes.reduce((sum, each) => sum + each, 0)).toBe(40);
    expect(writes.length).toBeLessThanOrEqual(4);
  });

  it("go to the socket that is in use, and leave none held", async () => {
    const [first, second] = [socketOf(), socketOf()];
    const write = writer();
    write(first.socket);
    write(second.socket);
    await nextTurn();

    expect([first.writes, second.writes]).toEqual([[1], [1]]);
    expect([first.socket.writableCorked, second.socket.writableCorked]).toEqual([0, 0]);
  });

  it("need no socket", async () => {
    const { socket, writes } = socketOf();
    const together = createWriteTogether();
    together(undefined);
    together(socket);
    socket.write("a");
    together(undefined);

    expect([writes, socket.writableCorked]).toEqual([[1], 0]);
  });
});
