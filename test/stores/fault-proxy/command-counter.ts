const CARRIAGE_RETURN = 13;

/**
 * Counts the commands that end in a stream of bytes, as clients send them: lists of strings with their lengths in front.
 *
 * Keeps the rest of an unfinished command. Throws for what no client sends.
 */
export function createCommandCounter(): (bytes: Buffer) => number {
  let rest: Buffer<ArrayBufferLike> = Buffer.alloc(0);

  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    let commands = 0;
    for (let end = endOfCommand(rest); end !== undefined; end = endOfCommand(rest)) {
      rest = rest.subarray(end);
      commands += 1;
    }
    return commands;
  };
}

/** Where the first command ends, undefined while it has not. */
function endOfCommand(bytes: Buffer): number | undefined {
  let header = readHeader(bytes, 0, "*");
  if (header === undefined) return undefined;
  const words = header.value;
  let at = header.end;
  for (let word = 0; word < words; word++) {
    header = readHeader(bytes, at, "$");
    if (header === undefined) return undefined;
    at = header.end + header.value + 2;
    if (at > bytes.length) return undefined;
  }
  return at;
}

function readHeader(bytes: Buffer, at: number, mark: string): { value: number; end: number } | undefined {
  if (at >= bytes.length) return undefined;
  const found = String.fromCharCode(bytes[at]!);
  if (found !== mark) throw new Error(`a command has ${mark} here, got ${JSON.stringify(found)}`);
  const end = bytes.indexOf(CARRIAGE_RETURN, at);
  if (end < 0 || end + 2 > bytes.length) return undefined;
  return { value: Number(bytes.toString("latin1", at + 1, end)), end: end + 2 };
}
