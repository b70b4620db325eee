const list = (text: string): string[] => text.trim().split(/\s+/);
const setOf = (...texts: string[]): ReadonlySet<string> => new Set(texts.flatMap(list));

/** Programs that only show something, whatever their arguments. */
export const LOOKING_PROGRAMS: ReadonlySet<string> = setOf(
  // Files and directories.
  `ls ll la dir vdir tree exa eza lsd cat tac head less more nl bat batcat zcat zless bzcat xzcat stat file du df find fd
   fdfind locate realpath readlink basename dirname pathchk namei lsattr getfacl lsblk`,
  // Searching.
  "grep egrep fgrep zgrep rg ag ack pcregrep ast-grep",
  // Filters and calculators.
  `wc sort uniq cut tr paste join comm column fold fmt rev expand unexpand nl pr tsort shuf seq factor bc dc expr numfmt
   jq yq xmllint awk gawk mawk sed base32 base64 od xxd hexdump strings iconv md5sum sha1sum sha224sum sha256sum sha384sum
   sha512sum md5 shasum b2sum cksum sum cmp diff diff3 sdiff colordiff vimdiff diffstat xargs envsubst`,
  // Talking and asking the shell.
  `echo printf true false : test [ exit return break continue shift trap read pwd which whereis type command hash jobs
   history man info help apropos whatis compgen complete caller times fc bind`,
  // The machine, its processes and its users.
  `env printenv date cal whoami who w id groups users last logname hostname hostnamectl uname arch nproc uptime free
   vmstat iostat mpstat sar lscpu lspci lsusb lsmod lsof fuser ps pgrep pstree top htop pidof dmesg journalctl getconf
   locale tty ulimit getent ldd nm objdump readelf size ldconfig ltrace exiftool identify ffprobe`,
  // The network, looking only.
  "ping traceroute nslookup dig host whois ss netstat ifconfig arp route",
  // Source trees.
  "ctags cloc tokei scc pyreverse",
);

/** Programs that write, delete, install, start or stop something, whatever their arguments. */
export const CHANGING_PROGRAMS: ReadonlySet<string> = setOf(
  // Files and directories.
  `mv cp rm mkdir rmdir touch ln chmod chown chgrp chattr setfacl install truncate mktemp mkfifo mknod tee split csplit
   shred rename unlink patch dd ed ex rsync scp sftp dos2unix unix2dos mount umount`,
  // Archives.
  "zip cpio 7z unrar",
  // Processes, services and users.
  `kill pkill killall renice service crontab at useradd usermod userdel groupadd passwd su reboot shutdown
   sysctl modprobe iptables ufw`,
  // The shell itself.
  "export unset alias unalias source . enable",
  // Building and packaging.
  "make gmake ninja dpkg rpm apk pacman yum dnf zypper snap easy_install pip-sync wget2 aria2c createdb dropdb initdb",
);

/** Programs that pass time. */
export const WAITING_PROGRAMS: ReadonlySet<string> = setOf(
  "sleep usleep wait watch inotifywait wait-for-it.sh wait-for-it",
);

/** Shell words that set up the rest of a chain: a change by themselves, nothing beside another command. */
export const SETUP_PROGRAMS: ReadonlySet<string> = setOf(
  "cd chdir pushd popd dirs set shopt umask declare typeset local readonly let getopts",
);

/** Shells that take a script as the argument of `-c`. */
export const SHELLS: ReadonlySet<string> = setOf("bash sh zsh dash ash ksh");

/** Programs that show a file or a part of it, with their options that take the next word as value. */
export const FILE_VIEWERS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["cat", setOf()],
  ["head", setOf("-n -c --lines --bytes")],
  ["tail", setOf("-n -c --lines --bytes -s")],
  ["sed", setOf()],
  ["nl", setOf("-w -v -s -i -b -h -f -d -l")],
  ["less", setOf("-p -x")],
  ["more", setOf("-n")],
  ["bat", setOf("-r --line-range -l --language --style --theme -H")],
  ["batcat", setOf("-r --line-range -l --language --style --theme -H")],
]);

/** Programs whose business is files, and that file tools of an agent replace. */
export const FILE_PROGRAMS: ReadonlySet<string> = setOf(
  "mv cp rm mkdir rmdir touch ln tee install truncate unlink rename patch dd ed ex",
);

/** Programs that become file work when their output goes to a file. */
export const PRINTING_PROGRAMS: ReadonlySet<string> = setOf("echo printf cat head tail sed awk");

/** Programs that only shorten what comes through a pipe. */
export const TRIMMING_FILTERS: ReadonlySet<string> = setOf("head tail cat less more");

/** Words that begin a shell construct, so that a command starting with one is not a plain one. */
export const RESERVED_WORDS: ReadonlySet<string> = setOf(
  "if then elif else fi for while until do done case esac select function in time coproc",
);

/** First options that make a changing program a looking one. */
export const LISTING_OPTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["make", setOf("-n --dry-run --just-print -p")],
  ["gmake", setOf("-n --dry-run --just-print -p")],
  ["kill", setOf("-0 -l")],
  ["crontab", setOf("-l")],
  ["dpkg", setOf("-l -L -s -S --list --listfiles --status --search --print-architecture")],
  ["rpm", setOf("-q -qa -ql -qi -qf")],
  ["pacman", setOf("-Q -Qi -Ql -Ss -Si")],
  ["apk", setOf("info search list")],
  ["yum", setOf("list info search")],
  ["dnf", setOf("list info search")],
  ["patch", setOf("--dry-run")],
  ["rsync", setOf("-n --dry-run")],
]);
