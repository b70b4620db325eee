// Written by scripts/write-vocabulary.ts from the core's sources. Do not edit.

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The words that the core's rules know. Nothing foreign is among them. */
export const VOCABULARY = list(`
  0x abandoned aborted absolute act action active adb add adk affected after ag again agent all allowed alter an and
  announce answer api apikey apply approval apt archive as ask asked assign assistance assistant attempt attempts
  attribute authentication available await awk aws az back bash bat because been before bench benchmark bigint bis
  blame blind block blocked body book boolean branch brew browse browser buffer bun busy buy by byte cada calc
  calculate call calls can cancel canceled cancelled cannot capacity capture cargo cat cb cd change changed chaque
  charge chars check checkout checks child chmod choice choices ci claim clarification clarify clarifying clear cli
  click clippy clocks closed cmd cmp code command commands comment commit compaction compare complete completed
  completion conclude conclusion confirm connection console containercreating content contents conversation
  correlation correlationid correlationkey could couldn count cp crash create creating credential credentials
  csrftoken ctest curl current cut cycle data date dead deadlock decision declared declined defined delegate delete
  deleted delivered denied deploy dequeue desc describe description details dev df did diff dig digest dir directory
  docker document documents does doesn done doomloop dotnet down download drag drop dtsynerkga du due dump duration
  durationms durationseconds durationsecs e2e each echo econn ed edit effect egrep eight elapsed elapsedms
  elapsedseconds elapsedsecs eleven email end ended endpoint entries env err error errored errors escalate eslint
  etag events every evidence exact exception exceptions exec execute executed execution executions exist exists exit
  exitcode exited exitedcode exitedstatus exitedwith exitstatus exitwith expired explain explanation export eye fail
  failed failing failure failures false fatal fd feedback fetch fields file filename files fill final find finish
  finished five fix fleet fn focus fois folder folders followup for forbidden forfeit forward found four free from
  function gap gcloud get gh git give giveup glab glob go goal goto gradle gradlew grant grep hand handoff has hasta
  head header health held helm help hexdump history hour hours hover hr hrs http human hunch hyperfine id
  idempotency idempotencyid idempotencykey ids images in inbox index info ing initialising initializing input insert
  inserted inspect install insufficient intent interpreter interrupted intervention invalid invocation invocationid
  invocationkey invoice ipython is issue it item items its javascript jede jedem jeden jeder jedes jest job jobs
  journalctl jq js json jupyter jusqu justification keep key killed kind know kubectl lap last latency latencyms
  latencyseconds latencysecs later latest lease length less let limit lint list ll load loading localhost lock
  locked log logs look lookup loop ls lsof mail make mal malformed many map masked matches matching md me measure
  memorize memory merge merged message messages method milliseconds min mins minute minutes missing mkdir mocha mode
  model modified modify monitor more move moved ms much multi multiple mv mvn mypy mysql name navigate netstat never
  new news next nil nine nl no nocache nohup nonce none noop not note notebook notes notice notify notready now nox
  npm ns nslookup nudge null number numbers nvidia object objects od of off offset ok okay once one only op open
  operation operator opinion options order out outcome outms output outs over overloaded own page panic parts pass
  passed password patch path patrol pattern pause pay peek pend pending people per permission permissions permitted
  person pgrep phase phpunit pid ping pip pip3 plan pnpm podman policy poll pop port post powershell pr pragma press
  printenv printf processed processing progress provisioning ps psql publish pull purchase purpose push put pwd py
  pytest python que query question questions queue queued quota rand random rate ratelimit rationale read readings
  ready reason reasoning rebase recall receive recent record records redis ref reflect refund refused regex rejected
  remaining remember remote remove removed rename repeat repeated repl replace replacement reply repo request
  requestid requestkey requests required requires reset resolved respond response restart restore result results
  retr retries retrieve retry retryafter retryin retrylater return returncode returnstatus returnwith rg risk rm
  roll rollback rolled rolledback round rounds row rows rspec ruff run rung running runs same sample samples save
  say screenshot script scroll search sec second seconds secs security sed select send sent seq sequence service
  session sessions set seven sh shape shell show sibling similar six size skipped sleep smi snapshot sobald solution
  soon sort source span spanid spankey spawn speak spec specialist specs spoke sql squeue ss ssh stage stalled
  started starting stash stat state statement stats status stems step steps still stop stopped store str strands
  streak string structured stuck subagent submit substance succeeded success successful successfully such sudo
  summary supervisor support surfer swipe switch symbol syntax systemctl tab tag tail tap target task team tee tell
  temporar ten terminal terminate terminated terraform test tests text the these they think thinking thought thread
  three throttl ticket till time timed timedout timeout timeoutms timeouts times timestamp tmp tmux to todo todos
  toml tone too took tookms tookseconds tooksecs tool tools top touch tox trace traceback traceid tracekey
  transaction transactionid transactionkey transfer tree true truncate try ts tsc tweet twelve two type typecheck
  unable uname unauthorised unauthorized unavailable undefined unexpected uniq unique unittest unknown unrecognised
  unrecognized unsupported until up update updated upload upsert us usage use user uses valid validate value values
  var veces verbose verify version vezes view visit vitest volatile wait waiting warning warte was watch wc web
  weigh were wget when which while whoami whole with without work worker working workspace world write wrk xd xp xxd
  yarn yet yield yq zero zsh`);

/** Those that the rules also find at the end of longer words. */
export const ENDINGS = list(`
  aborted affected after available canceled cancelled claim conclusion crash dead deleted dequeue down duration
  durationms durationseconds durationsecs ed elapsed elapsedms elapsedseconds elapsedsecs error errored exception
  exit exited expired failed failure found glob in ing inserted killed latency latencyms latencyseconds latencysecs
  later lease limit modified moved next not pattern pend phase pop press processed progress query queue queued
  receive regex rejected removed roll rollback rolled rolledback scroll search stage state status stopped terminated
  test took tookms tookseconds tooksecs updated`);
