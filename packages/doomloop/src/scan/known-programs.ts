const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Common programs. Their names say nothing about the user. */
export const PROGRAMS = list(`
  ls ll dir tree cat tac head tail less more nl bat batcat zcat stat file du df find fd locate realpath readlink basename dirname grep egrep
  fgrep zgrep rg ag ack ast-grep wc sort uniq cut tr paste join comm column fold fmt rev pr shuf seq bc expr jq yq xmllint awk gawk mawk sed
  gsed base64 od xxd hexdump strings iconv sum md5sum sha1sum sha256sum md5 shasum cksum cmp diff xargs tee echo printf true false test exit
  read pwd which whereis type command hash jobs history man info help env printenv date cal whoami who id groups users last hostname uname
  arch nproc uptime free lscpu lsof ps pgrep pstree top pidof dmesg journalctl getconf locale tty ulimit getent ldd nm objdump readelf
  exiftool ffprobe identify ping traceroute nslookup dig host ss netstat ifconfig ctags cloc gofmt prettier clang-format curl mount mv cp rm
  mkdir rmdir touch ln chmod chown chgrp install truncate mktemp split csplit shred rename unlink patch dd ed ex rsync scp umount zip tar
  unzip gzip gunzip bzip2 xz zstd kill pkill killall service crontab useradd su alias make gmake ninja dpkg rpm pacman wget black isort
  autopep8 yapf rustfmt sleep wait watch inotifywait node deno bun python python3 ruby perl php java javac gradle mvn sbt dotnet swift rustc
  gcc g++ clang cmake ctest tsc tsx eslint biome oxlint vitest jest mocha ava playwright cypress vite next webpack rollup esbuild turbo nx
  lerna pytest tox nox ruff flake8 mypy pyright pylint unittest rspec phpunit bash sh zsh psql mysql sqlite3 mongosh redis-cli ssh sshpass
  gpg openssl aws gcloud az ansible vim nano code tmux screen ffmpeg convert pandoc latexmk just task bazel buck2`);

/** Commands that only prepare the rest of a line, and do not describe it. */
export const PREPARING = list(
  "cd pushd popd dirs set unset shopt umask declare typeset local readonly let getopts export source .",
);

/** Programs whose first argument says what they do. */
export const HOSTS = list(`
  git npm pnpm yarn bun pip pip3 pipx uv poetry pipenv conda mamba docker podman docker-compose kubectl helm gh cargo go rustup gem bundle
  composer brew apt apt-get apt-cache apk yum dnf systemctl terraform svn hg make just task deno dotnet gradle mvn turbo nx swift`);

/** Common subcommands, and common names of project scripts. */
export const SUBCOMMANDS = list(`
  status diff log logs show blame grep ls-files ls-tree ls-remote rev-parse rev-list describe shortlog reflog cat-file show-ref merge-base
  version help fsck get ls list view info outdated root prefix why explain search audit freeze index inspect ps images stats top port history
  events policy depends tree metadata doc which graph cluster-info plan validate output template cat summary checks is-active env fund check
  add commit checkout switch restore reset revert merge rebase cherry-pick pull push fetch clone init rm mv clean apply am tag branch pop
  drop gc prune format-patch archive install i ci uninstall remove update upgrade up link unlink rebuild dedupe publish pack create set login
  logout download wheel sync lock venv new self rmi start stop restart kill pause cp load save import export rename down delete patch edit
  scale label annotate drain tidy fmt generate vendor purge rollback destroy close comment enable disable require tap wait watch fix exec
  run test t tests unit e2e integration build lint dev serve preview typecheck type-check types format coverage compile deploy release docs
  verify migrate seed codegen storybook bench all`);

/** Programs for which the first plain file among the arguments is shown. */
export const FILE_PROGRAMS = list(`
  cat head tail less more nl bat wc sed awk jq node deno bun python python3 ruby perl php bash sh zsh tsx tsc eslint biome vitest jest mocha
  pytest rspec phpunit ruff mypy pyright prettier gofmt rustc gcc g++ clang javac`);

/** Programs that run another one, with the options that take a value, and the word that must come first. */
const WRAPPERS: readonly (readonly [programs: ReadonlySet<string>, valued: RegExp, entry?: RegExp])[] = [
  [
    list("time nohup nice ionice stdbuf unbuffer command builtin exec setsid env xvfb-run"),
    /^(?:-[fonauC]|--unset|--chdir)$/,
  ],
  [list("timeout gtimeout"), /^(?:-[sk]|--signal|--kill-after)$/, /^\d/],
  [list("sudo doas"), /^(?:-[ughpCTD]|--user|--group)$/],
  [list("xargs"), /^(?:-[InPdLsaE]|--(?:max-args|max-procs|delimiter|arg-file))$/],
  [list("npx bunx uvx"), /^(?:-[pw]|--(?:package|workspace|from|with|python))$/],
  [list("uv poetry pipenv pdm hatch"), /^(?:-[pCPe]|--(?:python|with|extra|group|directory|project))$/, /^run$/],
  [list("coverage conda mamba"), /^(?:-[np]|--(?:name|prefix|source|include|omit|rcfile))$/, /^run$/],
  [list("npm pnpm yarn bundle"), /^(?:-[pCw]|--(?:package|dir|workspace))$/, /^(?:exec|dlx|x)$/],
];

/** The name of a program without its folder: `cat` for `/usr/bin/cat`. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1);
}

/** The words from the program on, without what says how it is run: `npm test` for `A=b timeout 60 npm test`. */
export function unwrap(words: readonly string[]): readonly string[] {
  const start = words.findIndex((word) => !isAssignment(word));
  if (start < 0) return [];
  const rest = words.slice(start);
  const wrapper = WRAPPERS.find(([programs]) => programs.has(baseName(rest[0]!)));
  const inner = wrapper === undefined ? [] : rest.slice(endOfWrapper(rest, wrapper[1], wrapper[2]));
  return inner.length === 0 ? rest : unwrap(inner);
}

/** Whether a word has the form `NAME=value`, as before a program or after `env`. */
function isAssignment(word: string): boolean {
  return /^[A-Za-z_]\w*\+?=/.test(word);
}

/** The index after the wrapper's own words; past the end if it wraps nothing. */
function endOfWrapper(words: readonly string[], valued: RegExp, entry: RegExp | undefined): number {
  let isEntered = entry === undefined;
  for (let index = 1; index < words.length; index++) {
    const word = words[index]!;
    if (/^-./.test(word)) index += valued.test(word) ? 1 : 0;
    else if (isEntered && !isAssignment(word)) return index;
    else if (!isEntered && !entry!.test(word)) break;
    else isEntered = true;
  }
  return words.length;
}
