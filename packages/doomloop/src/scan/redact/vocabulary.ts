// Written by scripts/write-vocabulary.ts from the core's sources. Do not edit.

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The words that the core's rules know. Nothing foreign is among them. */
export const VOCABULARY = list(`
  0x ab able aborted absolute ack acquire act action activate active adb add advance affected after ag again agent
  alias all allowed alter am amixer an anew annotate announce ansible anything api apikey apk apologise apologize
  apology append apply approval apt arch archive are arg argocd args argument arguments as ash ask asks assign assim
  assistant ast at attempt attempts attends attribute audit authentication autopep8 autoremove ava available awk aws
  az back barren base base64 basedpyright basename bash bat batcat bats bazel bc because been before beginning
  begins bench benchmark benchmarks benchs beobachte bigint billing bin bind biome bis black blame blind blindness
  body book boolean branch break brew browse browser build building builtin bun bundle bunx busy buy by bytes bzip2
  cabal cache cada cal calc calculate call callable calls can cancel canceled cancelled cannot capacity capture
  cargo case cat cd ce change changed charge chdir check checking checkout checks cherry chgrp chmod chown chunk ci
  cksum clang clarification clarify clean clear cli click clippy cloc clone close closed cluster cmake cmd cmp code
  column columns comm command commands comment commit compaction compare compgen compile complete completed
  completion compose composer conclusion conda config confirmed connection console consul container
  containercreating contains content contents context continue coproc correlation correlationid correlationkey could
  couldn count coverage cp crash crashed crashloopbackoff create creating credential credentials crontab csplit csrf
  csrftoken ctags ctest cuanto curl current cursor cut cypress daemon dash data database date db dd dead deadlock
  declare declared declined dedupe defined delegate delete deleted delimiter delivered denied deno depends deploy
  desc describe description destroy details dev df did diff difficult dig digest dir directory dirname dirs dis
  disable dismiss dlx dmesg dnf do doas doc docker doctest doctl document documents does doesn done doomloop dotnet
  down download dpkg drag drain drop dry du due dump dune duration each echo econn ed edit egrep ei eight eighteen
  elapsed eleven elif else email en enable enabled encountered end ended ending entries env error errored errors
  esac eslint espera espere etag events every everything ex exact exception exceptions exchange exec execdir execute
  executed execution executions exhausted exiftool exist existing exists exit exitcode exited exitedcode
  exitedstatus exitedwith exitstatus exitwith expired explain explanation export expr extra eye fail failed failing
  failure failures false fatal fd fetch few ffprobe fgrep fi field fields fifteen file filename files fill find
  finished first five fix flake8 fls flux fly flyctl fmt fn focus fois fold folder folders follow followup for
  forbidden form format forward found four fourteen fprint free freeze from fsck ft ftf ftj ftk ftv ftz function
  fund gawk gc gcloud gem generate get getconf getent getopts gh ginkgo git give glab glob global gmake go gofmt
  golangci got gotestsum goto gpio gradle gradlew grant graph grep group groups gsed gsutil gtimeout guesses gunzip
  gzip half handoff has hash hasta hatch have hcloud head health held helm help heroku hexdump hg history hora host
  hostname hour hours hover hr hrs http https hyperfine i2cget i2cset iconv id idempotency idempotencyid
  idempotencykey identify if ifconfig ignore images import in inbox include increment index inferred info ing init
  initialising initializing inotifywait inplace input insert inserted inspect install insufficient intent internal
  interpreter interrupted into invalid invocation invocationid invocationkey invoice ionice iostat iperf iperf3
  ipython is isort isready issue it item items iterable its jasmine javac javascript jede jest job jobs join
  journalctl jq json jt jtf jtj jtk jtv jtz jupyter jusqu just justification k6 karma keep key keyword kill killall
  killed know ksh kt ktf ktj ktk ktlint ktv ktz kubeconfig kubectl label lap last lasting later launch launchctl ldd
  left length lerna les less let limit line lines link lint list ll ln load loading local locale localhost locate
  lock locked log login logout logs look looks lookup ls lscpu lsof mail mailing make mal malformed mamba man many
  map masked matches matching mawk max md5 md5sum me measure measures memories memorize memory merge merged message
  messages metadata method milliseconds min mins minute minuten minutes minuto minutos missing mix mkdir mktemp
  mocha modified modify mongosh monitor monitore more mosquitto mount move moved moves ms mtr much multipass must
  mute mv mvn mvnw mypy mysql mysqladmin name namespace navigate nc ncat ne nerdctl netlify netstat never new news
  next nextest ni nice nil nine nineteen ninja nl nm no node nohup nomad nonce none noop nose nose2 nosetests not
  note notebook notes nothing notify notready notstarted notyet now nox npm nproc npx ns nslookup null number
  numbers nv nvidia nx objdump object objects observation observations obtain oc od of offset ok okay okdir old omit
  once one only op open operation option options order others out outcome outdated outms output outs overloaded own
  oxlint pack package pacman page panic parallel parameter parameters parse part parts pass passed passing password
  paste patch path pattern pause pay payment pdm peek pend pending perf perhaps perl permission permissions
  permitted pest pg pgrep phase php phpstan phpunit pick pid pidof ping pip pip3 pipenv pipx pkill place plan play
  playerctl pnpm podman poetry points policy poll polling pop popd port position positional post postgres powershell
  pr pragma prefix press prettier pricing printenv printf problem process processed processing procs progress
  project property propertys prove proven provisioning prune ps psalm psql pstree pub publish pull pulumi purchase
  purge purpose push pushd put pwd py pydoc pylint pypy pyright pytest python python3 qstat quarter que query
  question queue queued quiet quota rabbitmqctl raised rake ran range rate ratelimit rationale rcfile read readelf
  reading readings readlink readonly ready realpath reason reasoning rebase rebuild recall receive record records
  redis redo ref reflect reflog refund refused regex rejected relation reload remember remote remotes remove removed
  rename repl replace replacement reply repo request requestid requestkey requests require required requires reset
  resolved resources restart restore result results retries retrieve retry retryafter retryin retrylater return
  returncode returned returnstatus returnwith rev revert rewording rg ri right risk rm rmdir rmi rollback rolle
  rolleback rolled rolledback rollup root rotate round rounds row rows rpm rspec rsync rubocop ruby ruff run running
  runs runtest runtests rustc rustfmt rustup sacct said same sample samples sampling sar save say says sbt scale scp
  screen screenshot script scroll search sec second seconds secs security sed seen sekunden select self send sent
  seq sequence server service session set setsid setting seven seventeen sh sha1sum sha256sum shasum shell
  shellcheck shift shiping shipping shm shopt shortlog shortly show shred shuf si sibling signal silent similar site
  six sixteen size skip skipped sleep smi sms snapshot sobald some something soon sorry sort source space span
  spanid spankey spawn speak spec specs speedtest spider split spoke sql sqlcmd sqlite squeue ss ssh stack stage
  standard start started starting stash stat state statement staticcheck stats status stdbuf stdout step steps still
  stop stopped store str strength string strings stunde style stylelint su sub subagent submodule subtask succeeded
  success successful successfully such sudo sum summary surfer surveille svelte svn swift swiftlint swipe switch
  symbol sync syntax synthetic system systemctl tab table tac tag tail taken tap tar target task tee tell telnet
  template temporar ten term terminal terminated terraform test tests text tf the then these they think thinking
  thirteen thought thread three threw throttl ticket tidy till time timed timedout timeout timeoutms timeouts times
  timestamp tj tk tmp tmux to todo todos tofu toggle token told too took tool top touch toutes tox tr trace
  traceback traceid tracekey traceroute transaction transactionid transactionkey transfer trap tree trial trigger
  true truncate try trying ts tsc tsgo tsup tty turbo turn tv tweet twelve twenty twisted two type typecheck types
  typeset tz ui ulimit umask umount unable unalias uname unauthorised unauthorized unavailable unbuffer undefined
  undo unexpected unfortunately uninstall uniq unique unittest unknown unlink unrecognised unrecognized unrelated
  unset unsupported until unzip up update updated upgrade upload upsert uptime uri url us usage use user useradd
  users uses uv uvx vagrant valid validate validation value values var vault veces vendor venv verbose vercel verify
  version vet vezes view vigila virsh visit vite vitest vmstat vt vtf vtj vtk vtv vtz vue wait waiting waits warning
  warte was wasn watch watches watching wc web webpack websurfer weigh were wget wheel when whereis which while who
  whoami why with without words work worker workspace world write writes wrk xargs xcodebuild xcrun xdelete xdotool
  xh xmllint xpatch xpost xput xvfb xxd xz yapf yarn yet yq yum zcat zero zgrep zi zig zip zsh zstd zt ztf ztj ztk
  ztv ztz`);

/** Those that the rules also find at the end of longer words. */
export const ENDINGS = list(`
  aborted affected attempt attempts available canceled cancelled conclusion correlation correlationid correlationkey
  crash crashed crashloopbackoff csrf csrftoken dead deleted does elapsed error errored etag exception exited
  expired fail failed failure found health id idempotency idempotencyid idempotencykey ing inserted invocation
  invocationid invocationkey killed modified moved no nonce not nv pend phase pid port processed progress queue
  queued rejected removed request requestid requestkey retries retry rollback rolle rolleback rolled rolledback
  session span spanid spankey stage state status stopped terminated thread took trace traceid tracekey transaction
  transactionid transactionkey try updated worker`);
