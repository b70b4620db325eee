/** A program that runs another one, named after its own options. */
export interface Wrapper {
  /** Options that take the next word as their value. */
  readonly valued: ReadonlySet<string>;
  /** Words between the options and the wrapped program: the duration of `timeout`. */
  readonly operands: number;
  /** The first word that makes it a wrapper: `run` of `uv run`. */
  readonly subcommands: ReadonlySet<string> | undefined;
  /** Does it make the command a different one (`sudo`), or not (`timeout`)? */
  readonly isPartOfSubstance: boolean;
}

const setOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const silent = (valued = "", operands = 0): Wrapper => ({
  valued: setOf(valued),
  operands,
  subcommands: undefined,
  isPartOfSubstance: false,
});

const telling = (subcommands: string, valued = "", operands = 0): Wrapper => ({
  valued: setOf(valued),
  operands,
  subcommands: subcommands === "" ? undefined : setOf(subcommands),
  isPartOfSubstance: true,
});

/** Programs to look behind for the program that does the work. */
export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([
  // How long, how loud, how urgent: the same command.
  ["timeout", silent("-s --signal -k --kill-after", 1)],
  ["gtimeout", silent("-s --signal -k --kill-after", 1)],
  ["time", silent("-f --format -o --output")],
  ["nohup", silent()],
  ["nice", silent("-n --adjustment")],
  ["ionice", silent("-c -n --class --classdata")],
  ["stdbuf", silent("-i -o -e")],
  ["unbuffer", silent()],
  ["command", silent()],
  ["builtin", silent()],
  ["exec", silent("-a")],
  ["setsid", silent()],
  ["env", silent("-u --unset -C --chdir")],
  ["xvfb-run", silent("-n -s --server-args -e -f -p -w")],
  // As whom, where, from which installation: another command.
  ["sudo", telling("", "-u -g -h -p -C -T -D --user --group --host --prompt")],
  ["doas", telling("", "-u -C")],
  ["xargs", telling("", "-I -n -P -d -L -s -a -E --max-args --max-procs --delimiter --arg-file --replace")],
  ["npx", telling("", "-p --package -w --workspace")],
  ["bunx", telling("", "-p --package")],
  ["npm", telling("exec x", "-p --package")],
  ["pnpm", telling("exec dlx", "-C --dir --package")],
  ["yarn", telling("exec dlx", "-p --package")],
  ["uv", telling("run", "-p --python --with --extra --group --directory --project --env-file")],
  ["uvx", telling("", "--from --with -p --python")],
  ["poetry", telling("run", "-C --directory -P --project")],
  ["pipenv", telling("run")],
  ["pdm", telling("run", "-p --project")],
  ["rye", telling("run")],
  ["hatch", telling("run", "-e --env")],
  ["pixi", telling("run", "-e --environment")],
  ["bundle", telling("exec")],
  ["coverage", telling("run", "--source --include --omit --rcfile --data-file --context")],
  ["conda", telling("run", "-n --name -p --prefix --cwd")],
  ["mamba", telling("run", "-n --name -p --prefix --cwd")],
  ["docker", telling("exec", "-u --user -w --workdir -e --env --env-file", 1)],
  ["podman", telling("exec", "-u --user -w --workdir -e --env --env-file", 1)],
]);
