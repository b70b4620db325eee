import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { bytes, snapshotOf } from "./snapshot.ts";

/** A workspace before an agent works in it, and what the agent does to it. */
export interface RandomWorkspace {
  readonly isRepository: boolean;
  readonly isDirty: boolean;
  readonly isRebasing: boolean;
  readonly files: readonly RandomFile[];
  readonly deeds: readonly Deed[];
}

interface RandomFile {
  readonly folder: string;
  readonly name: string;
  readonly kind: "file" | "link" | "outer link" | "hard link" | "outer hard link" | "empty folder";
  readonly content: string;
  readonly mode: number;
}

/** What an agent does to the file with this number. */
interface Deed {
  readonly kind: (typeof DEEDS)[number];
  readonly choice: number;
  readonly text: string;
}

const FOLDERS = ["", "src", "src/deep/er", "ignored", "src/ignored", "nested", "src/nested", "nested/in", "plain"];
/** With everything that is special to git, to a shell, to another system or in another encoding. */
const ODD_NAMES = `a.ts|b.md|c.log|-n| x |new\nline|quo"te'|*|[a]|!no|#yes|back\\slash|git~1|ä|a\u0308|漢|no\xfftext|CON|x:y|HEAD|tab\tend`;
const NAMES =
  process.platform === "linux"
    ? [...ODD_NAMES.split("|"), "y".repeat(200)]
    : ["a.ts", "b.md", "c.log", "-n", "HEAD", "README", "[a]", "!no", "#yes"];
const DEEDS = [
  "rewrite",
  "append",
  "same size and time",
  "delete",
  "delete folder",
  "create",
  "create deep",
  "rename",
  "chmod",
  "file to folder",
  "folder to file",
  "folder to outer link",
  "file to link",
  "new rules",
  "no rules",
  "forget nested",
  "make repository",
  "empty",
] as const;
const RULES = "ignored/\n*.log\n";

const file: fc.Arbitrary<RandomFile> = fc.record({
  folder: fc.constantFrom(...FOLDERS),
  name: fc.constantFrom(...NAMES),
  kind: fc.constantFrom(
    ...Array<"file">(4).fill("file"),
    ...(["link", "outer link", "hard link", "outer hard link", "empty folder"] as const),
  ),
  content: fc.constantFrom("", "one\n", "one\r\ntwo\n", "$Id$\n", "\0\xff\0", "long ".repeat(5000)),
  mode: fc.constantFrom(0o644, 0o644, 0o755, 0o600, 0o444, 0o664, 0o711),
});
const deed: fc.Arbitrary<Deed> = fc.record({
  kind: fc.constantFrom(...DEEDS),
  choice: fc.nat(10_000),
  text: fc.constantFrom("agent\n", "two\n", "\r\n", ""),
});

export const randomWorkspace: fc.Arbitrary<RandomWorkspace> = fc.record({
  isRepository: fc.boolean(),
  isDirty: fc.boolean(),
  isRebasing: fc.boolean(),
  files: fc.array(file, { minLength: 1, maxLength: 14 }),
  deeds: fc.array(deed, { minLength: 1, maxLength: 10 }),
});

export interface Places {
  readonly root: string;
  /** The targets of links. */
  readonly outside: string;
}

/** Writes the workspace to disk, as it is before the agent works in it. */
export function build(workspace: RandomWorkspace, { root, outside }: Places): void {
  mkdirSync(root, { recursive: true });
  mkdirSync(join(outside, "folder"), { recursive: true });
  writeFileSync(join(outside, "folder", "a.ts"), "outside\n");
  writeFileSync(join(outside, "file"), "outside\n");
  writeFileSync(join(root, ".gitignore"), RULES);
  writeFileSync(join(root, ".gitattributes"), "* text eol=lf filter=evil ident\n*.md working-tree-encoding=UTF-16\n");
  for (const nested of ["nested", "src/nested"]) git(root, "init", "--quiet", nested);
  writeFileSync(join(root, "nested", "kept"), "nested\n");
  if (workspace.isRepository) buildRepository(workspace, root);
  for (const [at, each] of workspace.files.entries())
    attempt(() => put(each, workspace.files[at - 1], { root, outside }));
}

/** Does what the agent does, and skips what is not possible. */
export function actAsAgent({ deeds }: RandomWorkspace, { root, outside }: Places): void {
  for (const { kind, choice, text } of deeds) {
    const all = [...snapshotOf(root, (path) => /(^|\/)\.git$/.test(path))].filter(
      ([path]) => path !== ".gitattributes",
    );
    const of = (folders: boolean): string => {
      const some = all.filter(([, what]) => (what === "folder") === folders).map(([path]) => path);
      return some[choice % some.length] ?? "none";
    };
    const path = bytes(root, of(false));
    const folder = bytes(root, of(true));
    const act: Record<Deed["kind"], () => void> = {
      rewrite: () => writeFileSync(path, text),
      append: () => appendFileSync(path, text),
      "same size and time": () => {
        const { size, atimeMs, mtimeMs } = statSync(path);
        writeFileSync(path, "z".repeat(size));
        utimesSync(path, atimeMs / 1000, mtimeMs / 1000);
      },
      delete: () => rmSync(path),
      "delete folder": () => rmSync(folder, { recursive: true }),
      create: () => writeFileSync(bytes(root, `${of(true)}/made-${choice % 5}${choice % 2 ? ".log" : ""}`), text),
      "create deep": () => {
        mkdirSync(join(root, "made/by/bot"), { recursive: true });
        writeFileSync(join(root, `made/by/bot/${choice % 3}`), text);
      },
      rename: () => renameSync(path, bytes(root, `${of(true)}/renamed-${choice % 5}`)),
      chmod: () => lstatSync(path).isFile() && chmodSync(path, [0o755, 0o600, 0o644][choice % 3]!),
      "file to folder": () => {
        rmSync(path);
        mkdirSync(path);
        writeFileSync(Buffer.concat([path, Buffer.from("/inside")]), text);
      },
      "folder to file": () => {
        rmSync(folder, { recursive: true });
        writeFileSync(folder, text);
      },
      "folder to outer link": () => {
        rmSync(folder, { recursive: true });
        symlinkSync(join(outside, "folder"), folder);
      },
      "file to link": () => {
        rmSync(path);
        symlinkSync(join(outside, "file"), path);
      },
      "new rules": () => writeFileSync(join(root, ".gitignore"), `${RULES}made/\nsrc/\n*.ts\n`),
      "no rules": () => writeFileSync(join(root, ".gitignore"), ""),
      "forget nested": () => rmSync(join(root, choice % 2 ? "nested" : "src/nested", ".git"), { recursive: true }),
      "make repository": () => git(root, "init", "--quiet", choice % 2 ? "plain" : "src/deep"),
      empty: () => mkdirSync(bytes(root, `${of(true)}/void-${choice % 3}`)),
    };
    attempt(act[kind]);
  }
}

/** Whether git ignores a path under these rules, the only ones that occur here. */
export function isIgnored(path: string, rules: string): boolean {
  const names = path.split("/");
  const lines = rules.split("\n");
  const has = (line: string): boolean => lines.includes(line);
  return (
    (has("ignored/") && names.slice(0, -1).includes("ignored")) ||
    (has("*.log") && names.some((name) => name.endsWith(".log"))) ||
    (has("*.ts") && names.some((name) => name.endsWith(".ts"))) ||
    (has("made/") && names.slice(0, -1).includes("made")) ||
    (has("src/") && names.slice(0, -1).includes("src"))
  );
}

function put(each: RandomFile, before: RandomFile | undefined, { root, outside }: Places): void {
  const folder = join(root, each.folder);
  mkdirSync(folder, { recursive: true });
  const path = bytes(folder, Buffer.from(each.name, each.name.includes("\xff") ? "latin1" : "utf8").toString("latin1"));
  if (each.kind === "empty folder") mkdirSync(path);
  else if (each.kind === "link") symlinkSync(each.content.slice(0, 20).replaceAll("\0", "0") || "nowhere", path);
  else if (each.kind === "outer link") symlinkSync(outside, path);
  else if (each.kind === "outer hard link") linkSync(join(outside, "file"), path);
  else if (each.kind === "hard link" && before !== undefined) linkSync(join(root, before.folder, before.name), path);
  else {
    writeFileSync(path, Buffer.from(each.content, "latin1"), { flag: "wx" });
    chmodSync(path, each.mode);
  }
}

/** A repository with history, sometimes with a changed index or in the middle of a rebase. */
function buildRepository({ isDirty, isRebasing }: RandomWorkspace, root: string): void {
  const commit = (text: string): void => {
    writeFileSync(join(root, "tracked"), text);
    git(root, "add", "tracked", ".gitignore");
    git(root, "commit", "--quiet", "--message", text);
  };
  git(root, "init", "--quiet", "--initial-branch=main");
  commit("base\n");
  git(root, "checkout", "--quiet", "-b", "other");
  commit("other\n");
  git(root, "checkout", "--quiet", "main");
  commit("main\n");
  if (isRebasing) attempt(() => git(root, "rebase", "other"));
  if (!isDirty) return;
  writeFileSync(join(root, "staged"), "staged\n");
  git(root, "add", "staged");
  appendFileSync(join(root, "staged"), "and changed\n");
}

function git(root: string, ...words: string[]): void {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.hooksPath=/dev/null"];
  const env = { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("git", [...who, ...words], { cwd: root, env, stdio: "ignore" });
}

function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Not possible here.
  }
}
