import { crc32 } from "node:zlib";
import { call, failure, times } from "../../packages/doomloop/src/testing/events.ts";
import { playRun } from "./play-run.ts";

const MAX_CHARACTERS = 58;
const MARK = "doomloop source\0";
/** A PNG begins with its signature and the chunk that holds its size. */
const HEAD = 33;

/** The picture that other sites show with a link to ours: what the guard says today to an agent whose test fails for the third time. */
export function socialPicture(): string {
  const failing = [call("bash", { command: "npm test" }), failure("1 failed: expected 81 to be 90")];
  const { rows } = playRun(times(3, failing));
  const said = rows.flatMap((row) => ("said" in row ? row.said : [])).map(({ message }) => message);
  const lines = wrapped(`nudge ${said[0]}`).map(
    (line, at) => `<text x="${at === 0 ? 145 : 114}" y="${418 + 39 * at}">${escaped(line)}</text>`,
  );
  const tiles = [72, 122, 172].map(
    (x) =>
      `<rect x="${x}" y="276" width="40" height="40" rx="7" fill="#d55e00"/><text x="${x + 13}" y="304" font-size="24" font-weight="700" fill="#000">A</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" viewBox="0 0 1200 630">
<rect width="1200" height="630" fill="#1b1e21"/>
<g font-family="DejaVu Sans, sans-serif">
<text x="72" y="122" font-size="70" font-weight="700" fill="#e9eaeb">doomloop</text>
<text x="72" y="184" font-size="34" fill="#c6c9cc">Notices when an LLM agent goes in circles, tells it, and</text>
<text x="72" y="230" font-size="34" fill="#c6c9cc">breaks the loop if it does not listen.</text>
</g>
<g font-family="DejaVu Sans Mono, monospace" font-size="26" fill="#e9eaeb">
${tiles.join("\n")}
<text x="237" y="304" font-size="24" fill="#a5abb1">bash npm test, 3 times, failed the same way</text>
<rect x="72" y="362" width="1056" height="${56 + 39 * lines.length}" rx="7" fill="#23272b"/>
<rect x="72" y="362" width="8" height="${56 + 39 * lines.length}" rx="4" fill="#f2b84b"/>
<text x="114" y="418" fill="#f2b84b">&#9650;</text>
${lines.join("\n").replace("nudge", '<tspan font-weight="700" fill="#f2b84b">nudge</tspan>')}
</g>
</svg>
`;
}

/** A PNG with the picture that it was made from, so that a check can tell whether it is the one of today. */
export function withSource(png: Buffer, source: string): Buffer {
  const data = Buffer.from(`tEXt${MARK}${source}`, "latin1");
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length - 4);
  sum.writeUInt32BE(crc32(data));
  return Buffer.concat([png.subarray(0, HEAD), length, data, sum, png.subarray(HEAD)]);
}

/** What a PNG was made from, if it says so. */
export function sourceOf(png: Buffer): string | undefined {
  const data = png.subarray(HEAD + 8, HEAD + 8 + png.readUInt32BE(HEAD)).toString("latin1");
  return data.startsWith(MARK) ? data.slice(MARK.length) : undefined;
}

function wrapped(text: string): readonly string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > MAX_CHARACTERS) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function escaped(text: string): string {
  return text.replaceAll(/[^ -%'-;=?-~]/g, (character) => `&#${character.codePointAt(0)};`);
}
