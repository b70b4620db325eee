/** One call with its result, as an agent made it in a sample session. */
export interface Turn {
  readonly tool: "Read" | "Edit" | "Bash" | "Grep";
  readonly args: Readonly<Record<string, string>>;
  readonly output: string;
  readonly error?: boolean;
  /** Seconds since the turn before; a few where none are said. */
  readonly afterSeconds?: number;
}

/** A session of work, before it is written down the way some agent does. */
export interface SampleSession {
  readonly id: string;
  readonly project: string;
  readonly model: string;
  readonly begin: string;
  readonly prompt: string;
  readonly turns: readonly Turn[];
  readonly lastWords: string;
}

export function times(count: number, ...turns: readonly Turn[]): readonly Turn[] {
  return Array.from({ length: count }, () => turns).flat();
}

export const read = (file: string, output: string): Turn => ({
  tool: "Read",
  args: { file_path: `/home/ada/${file}` },
  output,
});

export const edit = (file: string, before: string, after: string): Turn => ({
  tool: "Edit",
  args: { file_path: `/home/ada/${file}`, old_string: before, new_string: after },
  output: `The file /home/ada/${file} has been updated.`,
});

export const grep = (pattern: string, output: string): Turn => ({ tool: "Grep", args: { pattern }, output });

export function bash(command: string, output: string, more: Pick<Turn, "error" | "afterSeconds"> = {}): Turn {
  return { tool: "Bash", args: { command }, output, ...more };
}
