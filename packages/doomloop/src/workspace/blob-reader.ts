import { once } from "node:events";
import { writeSync } from "node:fs";
import { DoomloopError } from "../core/doomloop-error.ts";
import type { Git } from "./run-git.ts";

/** Reads contents from the shadow repository, one after another, through one process. */
export interface BlobReader {
  /** Writes a content to an open file. */
  copy(id: string, descriptor: number): Promise<void>;
  /** Returns a short content, such as the target of a link. */
  read(id: string): Promise<Buffer>;
  close(): Promise<void>;
}

const MAX_HEADER = 200;
const MAX_LINK_BYTES = 65_536;
const NEWLINE = 0x0a;

export function createBlobReader(git: Git): BlobReader {
  const child = git.start(["cat-file", "--batch"]);
  const chunks = child.stdout!.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  const ended = once(child, "close").catch(() => {});
  child.stdin!.on("error", () => {});
  child.stderr!.resume();
  let waiting: Buffer = Buffer.alloc(0);

  const more = async (): Promise<void> => {
    const { value, done } = await chunks.next();
    if (done === true) throw fault("git cat-file ended early");
    waiting = waiting.length === 0 ? value : Buffer.concat([waiting, value]);
  };

  const ask = async (id: string): Promise<number> => {
    child.stdin!.write(`${id}\n`);
    while (!waiting.includes(NEWLINE) && waiting.length < MAX_HEADER) await more();
    const end = waiting.indexOf(NEWLINE);
    const [name, kind, size] = waiting.subarray(0, end).toString("latin1").split(" ");
    if (name !== id || kind !== "blob") throw fault(`the content ${id} is not in the shadow repository`);
    waiting = waiting.subarray(end + 1);
    return Number(size);
  };

  /** Passes on a content and drops the newline after it. If `take` throws, it still reads to the end, for the next content. */
  const receive = async (size: number, take: (piece: Buffer) => void): Promise<void> => {
    let missing = size;
    let refusal: unknown;
    while (missing > 0) {
      if (waiting.length === 0) await more();
      const piece = waiting.subarray(0, missing);
      try {
        if (refusal === undefined) take(piece);
      } catch (error) {
        refusal = error;
      }
      missing -= piece.length;
      waiting = waiting.subarray(piece.length);
    }
    if (waiting.length === 0) await more();
    waiting = waiting.subarray(1);
    if (refusal !== undefined) throw refusal;
  };

  return {
    async copy(id, descriptor) {
      await receive(await ask(id), (piece) => {
        for (let at = 0; at < piece.length; ) at += writeSync(descriptor, piece, at);
      });
    },
    async read(id) {
      const size = await ask(id);
      if (size > MAX_LINK_BYTES) throw fault(`a link with a target of ${size} bytes is too long`);
      const pieces: Buffer[] = [];
      await receive(size, (piece) => pieces.push(Buffer.from(piece)));
      return Buffer.concat(pieces);
    },
    async close() {
      child.stdin!.end();
      child.stdout!.destroy();
      await ended;
    },
  };
}

function fault(what: string): DoomloopError {
  return new DoomloopError("workspace-fault", `workspace: ${what}`);
}
