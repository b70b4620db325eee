// Written by scripts/write-vocabulary.ts from the core's sources. Do not edit.

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The words that the core's rules know. Nothing foreign is among them. */
export const VOCABULARY = list(`
  0x able aborted ack acquire action activate active add after ag again agent alias all allowed alter am an anew
  annotate api apikey apk apologise apologize apology append apply apt arch archive arg args ash assign assistant
  ast at attempt attempts audit authentication autopep8 autoremove ava awk back barren base base64 basename bash bat
  batcat bats bc because been before beginning begins bench bigint bin bind black blame blind body book boolean
  branch break brew browse browser build builtin bun bundle bunx busy by bytes bzip2 cache cal calc calculate call
  calls can cancel canceled cancelled cannot cargo case cat cd cell change changed chdir check checkout checks
  cherry chgrp chmod chown chunk ci cksum clang clean click cloc clone close cluster cmd cmp code column comm
  command commands comment commit compaction compare compgen complete compose composer conclusion conda config
  connection console container containercreating contains content contents context continue coproc correlation
  correlationid correlationkey could couldn count counts coverage cp crash crashed crashloopbackoff create creating
  credential credentials crontab csplit csrf csrftoken csv ctags ctest curl current cursor cut cypress daemon dash
  data database date db dd dead deadlock declare declared dedupe defined delegate delete delimiter denied depends
  deploy desc describe destroy dev df did diff difficult dig digest dir directory dirname dirs dis disable dismiss
  dlx dmesg dnf do doas doc docker doctest document does doesn done doomloop down download dpkg drag drain drop dry
  du due dune duration each echo econn ed edit egrep ei elapsed elif else enable enabled encountered end ending
  entries env eof equality error errored errors esac eta etag events ex exact exception exceptions exchange exec
  execdir execute executed execution executions exiftool exist exists exit exitcode exited exitedcode exitedstatus
  exitedwith exitstatus exitwith expired explain export expr extra fail failed failing failure failures false fatal
  fd fetch ffprobe fgrep fi file filename files fill find first fix fls fmt fn focus fold folders follow for
  forbidden form format forward found fprint free freeze from fsck ft ftf ftj ftk ftv ftz function fund gawk gc gem
  generate get getconf getent getopts gh ginkgo git glob global gmake go gofmt gotestsum goto gradle gradlew grant
  graph grep group groups gsed gtimeout guesses gunzip gzip handoff has hash hatch have head health held helm help
  hexdump hg history host hostname hour hours hover hr hrs iconv id idempotency idempotencyid idempotencykey
  identify identity if ifconfig ignore images import in include index inferred info ing init initialising
  initializing inotifywait inplace input insert inspect install interpreter interrupted into invalid invocation
  invocationid invocationkey ionice ipython is isort issue it jasmine javascript jest job jobs join journalctl jq
  json jt jtf jtj jtk jtv jtz jupyter just karma key kill killall killed kind known ksh kt ktf ktj ktk ktv ktz
  kubeconfig kubectl label lap last lasting later ldd length less let limit line lines link list ll ln load loading
  local locale localhost locate lock locked log login logout logs look lookup ls lscpu lsof make makedirs malformed
  mamba man many map masked matches matching mawk max md5 md5sum merge merged message metadata method milliseconds
  min mins minute minutes missing mkdir mktemp mocha modify more mount move ms much mv mvn mvnw mysql name namespace
  navigate ne netstat never new news next nextest ni nice nil ninja nl nm no node nohup nonce none noop nose nose2
  nosetests not notebook notes nothing notready notstarted notyet now nox npm nproc npx ns nslookup null number
  numbers nv objdump object obtain od of offset ok okdir old omit only op open operation os others out outcome
  outdated output overloaded pack package pacman page panic parallel parse part pass passes password paste patch
  path pattern pause pay pdm pend pending perl permission permissions permitted pest pgrep phase php phpunit pick
  pid pidof ping pip pip3 pipenv pipx pkill place plan pnpm podman poetry points policy poll pop popd port position
  post postgres powershell pr pragma prefix press prettier printenv printf problem process processing procs progress
  project prove proven provisioning prune ps pstree publish pull purge push pushd put pwd py pydoc pypy pytest
  python python3 query queue queued quiet quota quoted rake ran range rate ratelimit rcfile read readelf readlink
  readonly ready realpath reason rebase rebuild records ref reflect reflog refused regex rejected reload remaining
  remote remotes remove rename repl replace replacement request requestid requestkey requests require reset
  resources restart restore result results retries retrieve retry retryafter retryin retrylater return returncode
  returnstatus returnwith rev revert rewording rg ri right rm rmdir rmi rollback rolle rolleback rolled rolledback
  rollout root round rows rpm rspec rsync ruby run running runtest runtests rustfmt rustup same sampling save
  savefig says scale scp screenshot script scroll search sec second seconds secs sed select self send seq service
  session set setsid sh sha1sum sha256sum shasum shell shift shm shopt shortlog show shred shuf shutil si sibling
  signal silent similar site size skip skipped sleep snapshot some sorry sort source span spanid spankey spawn spec
  spider split spoke sql sqlite ss stage start started starting stash stat state statement stats status stdbuf
  stdout still stop stopped store str strength string strings style su subagent submodule subprocess substance
  subtask such sudo sum summary surfer svn swipe switch symbol sync syntax synthetic system systemctl tab tac tag
  tail tap tar task tee template temporar term terminal terminated terraform test tests text tf the then think
  thinking thought thread throttl tidy time timed timedout timeout tj tk tmp to token told too took tool top touch
  tox tr trace traceback traceid tracekey traceroute transaction transactionid transactionkey transfer trap tree
  trial true trunc truncate try tty tv twisted type typeset tz ui ulimit umask umount unable unalias uname
  unauthorised unauthorized unavailable unbuffer undefined undo unexpected unfortunately uninstall uniq unique
  unittest unknown unlink unrecognized unrelated unset unterminated until unzip up update upgrade upload upsert
  uptime uri url us usage use user useradd users uses uv uvx validate value values var vendor venv verbose verify
  version view visit vitest vt vtf vtj vtk vtv vtz wait waiting was wasn watch wc web websurfer were wget wheel
  whereis which while who whoami why with without words work worker workspace world write xargs xdelete xmllint
  xpatch xpost xput xvfb xxd xz yapf yarn yet yq yum zcat zero zgrep zi zip zsh zstd zt ztf ztj ztk ztv ztz`);

/** Those that the rules also find at the end of longer words. */
export const ENDINGS = list(`
  aborted attempt attempts canceled cancelled conclusion correlation correlationid correlationkey crash crashed
  crashloopbackoff csrf csrftoken dead does elapsed error errored etag exception exited expired fail failed failure
  follow health id idempotency idempotencyid idempotencykey ing invocation invocationid invocationkey killed no
  nonce not nv pend phase pid port progress queue queued rejected request requestid requestkey retries retry
  rollback rolle rolleback rolled rolledback rollout session sleep span spanid spankey stage state status stopped
  terminated thread took trace traceid tracekey transaction transactionid transactionkey try wait watch worker`);
