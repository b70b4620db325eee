/** One thing to try, as a page tells it: files to save and commands to type, in the order in which they stand there. */
export interface Try {
  readonly name: string;
  readonly steps: readonly TryStep[];
}

export type TryStep =
  | { readonly kind: "save"; readonly file: string; readonly text: string }
  | { readonly kind: "type"; readonly commands: string };

const MARK = /^<!-- try: ([\w-]+) -->$/;
const SAVE = /^Save this as `([\w.-]+)`:$/;
const FENCE = /^```(\w*)$/;

/**
 * Reads what a page offers to try. A try begins at its mark and ends with the next `</details>`; code that stands behind "Save this as" is
 * a file, and blocks of `sh` are commands. Other blocks are there to be looked at.
 */
export function readTries(markdown: string): readonly Try[] {
  const tries: { name: string; steps: TryStep[] }[] = [];
  let steps: TryStep[] | undefined;
  let file: string | undefined;
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const [, name] = MARK.exec(line) ?? [];
    if (name !== undefined) {
      steps = [];
      tries.push({ name, steps });
    }
    if (line === "</details>") steps = undefined;
    file = SAVE.exec(line)?.[1] ?? file;
    const [, language] = FENCE.exec(line) ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at + 1);
    const text = `${lines.slice(at + 1, end).join("\n")}\n`;
    if (file !== undefined) steps?.push({ kind: "save", file, text });
    else if (language === "sh") steps?.push({ kind: "type", commands: text });
    file = undefined;
    at = end;
  }
  return tries;
}
