/** How strongly a command touches the world, in the order in which one outweighs another within a chain. */
export const Rank = { none: 0, look: 1, wait: 2, unknown: 3, change: 4 };

const { change, look, none, unknown, wait } = Rank;
const list = (text: string): string[] => text.trim().split(/\s+/);
const ranked = (rank: number, text: string): [string, number][] => list(text).map((name) => [name, rank]);

/** What programs do, whatever their arguments. Any other program is unknown. */
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
  // These set up the rest of a chain.
  ...ranked(none, "cd pushd popd dirs set shopt umask declare typeset local readonly let getopts"),
]);

/** Arguments, with a space before each, that make programs do something else; the first pattern that fits counts. */
export const TURNING_ARGUMENTS: readonly (readonly [programs: string, arguments_: RegExp, rank: number])[] = [
  ["sed gsed", / (?:-[nErsuz]*i|--in-place)/, change],
  ["perl ruby", / -[a-z0-9]*i/, change],
  ["awk gawk mawk", />\s{0,8}["(]|>>|\bsystem\(|\|\s{0,8}"| inplace/, change],
  ["sort", / (?:-o|--output)/, change],
  ["tail", / (?:-\d*[fF]|--follow)/, wait],
  ["tee", / (?!-|\/dev\/)\S/, change],
  ["tar", /^ -?[zjJvfk]*t[zjJvfk]*(?: |$)/, look],
  ["unzip gzip gunzip bzip2 xz zstd", / -[a-z0-9]*[clt]/, look],
  ["source .", /^ (?:\S*\/)?activate/, none],
  ["mount export", / (?!-p)\S/, change],
  ["prettier gofmt clang-format", / (?:-w|-i|--write)(?: |$)/, change],
  ["make gmake patch rsync", / -n(?: |$)/, look],
  ["kill crontab dpkg rpm pacman", /^ -[0lLsSqQ]/, look],
  ["curl", / (?:-[A-Za-z]*[oO]|--output|--remote-name)(?! -| \/dev\/)/, change],
  ["curl", / (?:-d|-F|-T|--data\S*|--json|--form|(?:-X)?(?:POST|PUT|PATCH|DELETE))(?: |$)/, unknown],
  ["wget", / (?:-[a-zA-Z]*O ?-|-[a-zA-Z]*O \/dev\/|--output-document=-|--spider)/, look],
  ["python python3", /^ -m (?:json\.tool|ast|dis|site|pydoc)/, look],
  ["find", / -(?:delete|fprint|fls)/, change],
];

/** Programs whose first argument says what they do. */
export const HOSTS: ReadonlySet<string> = new Set(
  list(`git npm pnpm yarn bun pip pip3 pipx uv poetry pipenv conda mamba docker podman docker-compose kubectl helm gh cargo go
    rustup gem bundle composer brew apt apt-get apt-cache apk yum dnf systemctl terraform svn hg`),
);

/** Programs that ask about, or act on, what others or time may change: services, machines, processes, devices. */
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

/** What subcommands do, in one program or in whatever program. Any other is unknown. */
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
  // What comes behind these is no subcommand.
  ...ranked(unknown, "test t bench exec"),
]);
