/** What a command does to the world. Of a chain, the highest rank counts. */
export const Rank = { none: 0, look: 1, wait: 2, unknown: 3, change: 4 };

const { change, look, none, unknown, wait } = Rank;
const list = (text: string): string[] => text.trim().split(/\s+/);
const ranked = (rank: number, text: string): [string, number][] => list(text).map((name) => [name, rank]);

/** What programs do, whatever their arguments. All others are unknown. */
export const PROGRAMS: ReadonlyMap<string, number> = new Map([
  ...ranked(
    look,
    `ls ll dir tree cat tac head tail less more nl bat batcat zcat stat file du df find fd locate realpath readlink basename
     dirname grep egrep fgrep zgrep rg ag ack ast-grep wc sort uniq cut tr paste join comm column fold fmt rev pr shuf seq bc
     expr jq yq xmllint awk gawk mawk sed gsed base64 od xxd hexdump strings iconv sum md5sum sha1sum sha256sum md5 shasum
     cksum cmp diff xargs tee echo printf true false : test [ [[ (( exit return break continue shift trap read pwd which
     whereis type command hash jobs history man info help compgen env printenv date cal whoami who w id groups users last
     hostname uname arch nproc uptime free lscpu lsof ps pgrep pstree top pidof dmesg journalctl getconf locale tty ulimit
     getent ldd nm objdump readelf exiftool ffprobe identify ping traceroute nslookup dig host ss netstat ifconfig bind ctags
     cloc gofmt prettier clang-format curl mount export`,
  ),
  ...ranked(
    change,
    `mv cp rm mkdir rmdir touch ln chmod chown chgrp install truncate mktemp split csplit shred rename unlink patch dd ed ex
     rsync scp umount zip tar unzip gzip gunzip bzip2 xz zstd kill pkill killall service crontab useradd su unset alias
     unalias source . make gmake ninja dpkg rpm pacman wget black isort autopep8 yapf rustfmt`,
  ),
  ...ranked(wait, "sleep wait watch inotifywait wait-for-it wait-for-it.sh"),
  // These only set up the rest of a chain.
  ...ranked(none, "cd pushd popd dirs set shopt umask declare typeset local readonly let getopts"),
]);

/** Arguments, each after a space, that make a program do something else. The first pattern that matches counts. */
const TURNING_ARGUMENTS: readonly (readonly [programs: readonly string[], arguments_: RegExp, rank: number])[] = [
  [list("sed gsed"), / (?:-[nErsuz]*i|--in-place)/, change],
  [list("perl ruby"), / -[a-z0-9]*i/, change],
  [list("awk gawk mawk"), />\s{0,8}["(]|>>|\bsystem\(|\|\s{0,8}"| inplace/, change],
  [list("sort"), / (?:-o|--output)/, change],
  [list("tail"), / (?:-\d*[fF]|--follow)/, wait],
  [list("tee"), / (?!-|\/dev\/)\S/, change],
  [list("tar"), /^ -?[zjJvfk]*t[zjJvfk]*(?: |$)/, look],
  [list("unzip gzip gunzip bzip2 xz zstd"), / -[a-z0-9]*[clt]/, look],
  [list("source ."), /^ (?:\S*\/)?activate/, none],
  [list("mount export"), / (?!-p)\S/, change],
  [list("prettier gofmt clang-format"), / (?:-w|-i|--write)(?: |$)/, change],
  [list("make gmake patch rsync"), / -n(?: |$)/, look],
  [list("kill crontab dpkg rpm pacman"), /^ -[0lLsSqQ]/, look],
  [list("curl"), / (?:-[A-Za-z]*[oO]|--output|--remote-name)(?! -| \/dev\/)/, change],
  [list("curl"), / (?:-d|-F|-T|--data\S*|--json|--form|(?:-X)?(?:POST|PUT|PATCH|DELETE))(?: |$)/, unknown],
  [list("wget"), / (?:-[a-zA-Z]*O ?-|-[a-zA-Z]*O \/dev\/|--output-document=-|--spider)/, look],
  [list("python python3"), /^ -m (?:json\.tool|ast|dis|site|pydoc)/, look],
  [list("find"), / -(?:delete|fprint|fls)/, change],
];

/** Programs whose first argument says what they do. */
export const HOSTS: ReadonlySet<string> = new Set(
  list(`git npm pnpm yarn bun pip pip3 pipx uv poetry pipenv conda mamba docker podman docker-compose kubectl helm gh cargo go
    rustup gem bundle composer brew apt apt-get apt-cache apk yum dnf systemctl terraform svn hg`),
);

/** Programs about things that may change without the agent: services, machines, processes, devices. */
export const OUTSIDE: ReadonlySet<string> = new Set(
  list(`curl wget http https xh dig nslookup host ping nc ncat telnet ssh scp rsync adb xcrun kubectl oc helm docker podman nerdctl
    docker-compose gh glab aws gcloud az doctl hcloud fly flyctl heroku vercel netlify systemctl service journalctl dmesg pg_isready psql
    mysql mysqladmin sqlcmd redis-cli mongosh rabbitmqctl ps pgrep pidof top free uptime df du ss lsof netstat squeue sacct qstat terraform
    tofu pulumi nomad consul vault launchctl tmux screen nvidia-smi tail argocd flux gsutil virsh multipass vagrant ansible xdotool
    playerctl amixer gpio i2cget i2cset mosquitto_pub mosquitto_sub`),
);

/** Programs that measure. */
export const MEASURING: ReadonlySet<string> = new Set(
  list("hyperfine wrk ab k6 iperf iperf3 vmstat iostat sar perf mtr ping speedtest-cli"),
);

/** What subcommands do, in one program (`go:env`) or in all of them. All others are unknown. */
export const SUBCOMMANDS: ReadonlyMap<string, number> = new Map([
  ...ranked(
    look,
    `status diff log logs show blame grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog reflog cat-file
     for-each-ref show-ref merge-base version help check-ignore diff-tree fsck get get-url ls list view info outdated root
     prefix why explain search audit freeze index inspect ps images stats top port history events policy depends tree metadata
     doc which graph cluster-info api-resources plan validate output template cat summary checks dir current-context
     is-active is-enabled go:env npm:fund pip:check poetry:check bundle:check`,
  ),
  ...ranked(
    change,
    `add commit checkout switch restore reset revert merge rebase cherry-pick pull push fetch clone init rm mv clean apply am
     tag branch pop drop gc prune update-index update-ref read-tree format-patch archive install i ci uninstall remove update
     upgrade up link unlink rebuild dedupe publish pack create set login logout download wheel sync lock venv new self rmi
     start stop restart kill pause cp load save import export rename down delete patch edit scale label annotate drain tidy
     fmt generate vendor purge autoremove rollback destroy close comment enable disable daemon-reload require tap go:get
     npm:version docker:run docker:build kubectl:run cargo:fix`,
  ),
  ...ranked(wait, "wait watch kubectl:status"),
  // These are followed by a program of the project, not by a subcommand.
  ...ranked(unknown, "test t bench exec"),
]);

/** Wrappers that say how long, how loud or how urgent: the command stays the same. Any other wrapper makes another command. */
const SILENT = list("timeout gtimeout time nohup nice ionice stdbuf unbuffer command builtin exec setsid env xvfb-run");
/** Programs that run another program, with their options that take a value, and the word that must come first. */
const WRAPPERS: ReadonlyMap<string, readonly [valued: RegExp, entry?: RegExp]> = new Map(
  (
    [
      [SILENT, /^(?:-[fonauC]|--unset|--chdir)$/],
      [list("timeout gtimeout"), /^(?:-[sk]|--signal|--kill-after)$/, /^\d/],
      [list("sudo doas"), /^(?:-[ughpCTD]|--user|--group)$/],
      [list("xargs"), /^(?:-[InPdLsaE]|--(?:max-args|max-procs|delimiter|arg-file))$/],
      [list("npx bunx uvx"), /^(?:-[pw]|--(?:package|workspace|from|with|python))$/],
      [list("uv poetry pipenv pdm hatch"), /^(?:-[pCPe]|--(?:python|with|extra|group|directory|project))$/, /^run$/],
      [list("coverage conda mamba"), /^(?:-[np]|--(?:name|prefix|source|include|omit|rcfile))$/, /^run$/],
      [list("npm pnpm yarn bundle"), /^(?:-[pCw]|--(?:package|dir|workspace))$/, /^(?:exec|dlx|x)$/],
    ] as const
  ).flatMap(([programs, ...shape]) => programs.map((program) => [program, shape] as const)),
);

/** Options before a subcommand that take the next word as their value. */
const VALUED = /^(?:-[CcnfpwH]|--(?:namespace|context|file|prefix|git-dir|work-tree|kubeconfig))$/;
/** Forms in which these subcommands only list: without arguments, with a question, or with the name of one setting. */
const LISTING =
  /^(?:branch|tag|remote|submodule|notes|config)(?: --(?:local|global))?(?:$| (?:-[alnrv]+\d*|--(?:list|all|remotes|verbose|show-|contains|no-|merged|points-at|get))| [\w-]+\.\S+$)/;
const VERSION = /^(?:node|p?npm|yarn|bun|ruby|php|perl) -v$|^\S{1,80} (?:-V|-version)$/;
const ASKING = /^--(?:help|version|dry-run|check|diff|list|stdout|stat|spider)$/;
const FIND_ACTION = / -(?:exec|ok)(?:dir)? /;

/** The name of a program without its folder: `cat` for `/usr/bin/cat`. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/** Whether a word has the form `NAME=value`, as before a program or after `env`. */
export function isAssignment(word = ""): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word);
}

/** Finds the program in `timeout 60 ...`, `env A=b ...`, `uv run ...`. Skipped words that make another command go to `kept`. */
export function unwrap(words: readonly string[], from: number, kept: string[]): number {
  for (let index = from; ; ) {
    const program = baseName(words[index] ?? "");
    const next = endOfWrapper(words, index, program);
    if (next >= words.length) return index;
    for (; index < next; index++) if (!SILENT.includes(program) || isAssignment(words[index])) kept.push(words[index]!);
  }
}

/** The index after the wrapper's own words; past the end if it wraps nothing. */
function endOfWrapper(words: readonly string[], start: number, program: string): number {
  const [valued, entry] = WRAPPERS.get(program) ?? [];
  // `command -v name` only asks where a program is.
  if (valued === undefined || /^command -[vV]$/.test(`${program} ${words[start + 1]}`)) return words.length;
  let isEntered = entry === undefined;
  for (let index = start + 1; index < words.length; index++) {
    const word = words[index]!;
    if (/^-./.test(word)) index += valued.test(word) ? 1 : 0;
    else if (!isEntered && !entry!.test(word)) break;
    else if (!isEntered) isEntered = true;
    else if (!isAssignment(word)) return index;
  }
  return words.length;
}

/** What the program at `from` does to the world, as one of the ranks. */
export function programEffect(words: readonly string[], from: number): number {
  const word = words[from]!;
  const program = baseName(word);
  // A relative path names a program of the project, except in the folders of package managers.
  if (program !== word && !/^\/|nv\/bin\/|\.bin\//.test(word)) return Rank.unknown;
  const last = words.length > from + 1 ? words[words.length - 1]! : "";
  if (/^--(?:help|version)$/.test(last) || (words.length === from + 2 && VERSION.test(`${word} ${last}`)))
    return Rank.look;
  const effect = HOSTS.has(program) ? subcommandEffect(words, from, program) : effectByArguments(words, from, program);
  const isAsking = effect === Rank.change && words.some((option, index) => index > from && ASKING.test(option));
  return isAsking ? Rank.look : effect;
}

function effectByArguments(words: readonly string[], from: number, program: string): number {
  if (words[from + 2] === "pip" && program.startsWith("python")) return subcommandEffect(words, from + 2, "pip");
  const text = ` ${words.slice(from + 1).join(" ")}`;
  const turned = TURNING_ARGUMENTS.find(([programs, pattern]) => programs.includes(program) && pattern.test(text));
  if (turned !== undefined) return turned[2];
  const actions = program === "find" ? text.split(FIND_ACTION).slice(1) : [];
  return Math.max(PROGRAMS.get(program) ?? Rank.unknown, ...actions.map((ran) => programEffect(ran.split(" "), 0)));
}

function subcommandEffect(words: readonly string[], from: number, program: string): number {
  const index = operandAfter(words, from);
  const name = words[index];
  // Without a subcommand most print their help; `yarn` installs.
  if (name === undefined) return program === "yarn" ? Rank.change : Rank.look;
  if (LISTING.test(words.slice(index, index + 4).join(" "))) return Rank.look;
  // An unknown word may be a noun, followed by the verb: `docker image ls`.
  for (const verb of [name, words[operandAfter(words, index)] ?? ""]) {
    const known = SUBCOMMANDS.get(`${program}:${verb}`) ?? SUBCOMMANDS.get(verb);
    if (known !== undefined) return known;
  }
  return /^(?:stash|config)$/.test(name) ? Rank.change : Rank.unknown;
}

/** The index of the next word that is neither an option nor an option's value. */
export function operandAfter(words: readonly string[], from: number): number {
  let index = from + 1;
  while (index < words.length && /^[-+]/.test(words[index]!)) index += VALUED.test(words[index]!) ? 2 : 1;
  return index;
}
