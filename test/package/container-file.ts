/** What a Dockerfile says, as far as ours says it. */
export interface ContainerFile {
  readonly base: string;
  /** Done as root, in this order, to make the file system. */
  readonly steps: readonly (CopyStep | RunStep)[];
  readonly folder: string;
  /** User and group, as numbers. */
  readonly user: string;
  readonly environment: readonly string[];
  readonly entrypoint: readonly string[];
  readonly words: readonly string[];
}

interface CopyStep {
  readonly from: readonly string[];
  readonly to: string;
}

interface RunStep {
  readonly command: string;
}

/** Reads a Dockerfile. Throws for an instruction that it doesn't know, because a test without it would show nothing. */
export function readContainerFile(text: string): ContainerFile {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const instructions = lines.map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (!KNOWN.has(name)) throw new Error(`container-file: a known instruction is required, got ${line}`);
    return { name, rest };
  });
  const all = (wanted: string) => instructions.filter(({ name }) => name === wanted).map(({ rest }) => rest);
  const list = (wanted: string) => JSON.parse(all(wanted).at(-1) ?? "[]") as string[];
  return {
    base: all("FROM").at(-1) ?? "",
    steps: instructions
      .filter(({ name }) => name === "RUN" || name === "COPY")
      .map(({ name, rest }) => (name === "RUN" ? { command: rest } : copyStep(rest))),
    folder: all("WORKDIR").at(-1) ?? "/",
    user: all("USER").at(-1) ?? "0:0",
    environment: all("ENV"),
    entrypoint: list("ENTRYPOINT"),
    words: list("CMD"),
  };
}

const KNOWN = new Set(["ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "RUN", "USER", "WORKDIR"]);

function copyStep(rest: string): CopyStep {
  const words = rest.split(" ");
  return { from: words.slice(0, -1), to: words.at(-1)! };
}
