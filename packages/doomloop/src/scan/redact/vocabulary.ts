// Written by scripts/write-vocabulary.ts from the core's sources. Do not edit.

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The words that the core's rules know. Nothing foreign is among them. */
export const VOCABULARY = list(`
  0x abandoned aborted about absolute acceptable access accessing act action active adb add address addresses adk
  affected after ag again agent all allowed alter an and announce answer any anymore api apikey app apply approval
  apt archive are arent article as ask asked assign assistance assistant associated at attempt attempts attribute
  authentication available await awaiting awk aws az back bad bash bat be because been before bench benchmark bigint
  bis blame blind block blocked body book boolean branch brew browse browser bucket buffer bun busy but buy by byte
  cada calc calculate call calls can cancel canceled cancelled cannot cant capacity capture cargo cat cause caused
  cb cd cert certificate change changed chaque charge chars check checkout checks child chmod choice choices ci
  claim clarification clarify clarifying clear cli click client clippy clocks closed cmd cmp code codes command
  commands comment commit compaction compare complete completed completion conclude conclusion confirm connect
  connection connector console containercreating content contents conversation correlation correlationid
  correlationkey could couldn couldnt count cp crash create creating credential credentials csrftoken ctest curl
  current cut cycle data database date dead deadlock decision declared declined default defined delegate delete
  deleted delivered denied deploy dequeue desc describe description detail details dev df dial did didnt diff dig
  digest dir directory dns do doc docker docs doctype document documentation documents does doesn doesnt domain done
  dont doomloop dotnet down download drag driver drop dtsynerkga du due dump duration durationms durationseconds
  durationsecs each echo econn econnrefused ed edit egrep eight elapsed elapsedms elapsedseconds elapsedsecs eleven
  email end ended endpoint enotfound entity entries env err errno error errored errors escalate eslint establish
  etag events every evidence exact exceeded exception exceptions exec execute executed execution executions exist
  exists exit exitcode exited exitedcode exitedstatus exitedwith exitstatus exitwith expired explain explanation
  export eye fail failed failing fails failure failures false fatal fd feedback fetch fetching field fields file
  filename files fill final find finding finish finished five fix fleet fn focus fois folder folders followup for
  forbidden forfeit forward found four free from function gaierror gap gateway gcloud get getaddresses getaddrinfo
  gh git give giveup glab glob go goal gone got goto gradle gradlew grant grep had hand handoff has hasta have head
  header health held helm help here hexdump history host hostname hour hours hover hr hrs html http https human
  hunch hyperfine id idempotency idempotencyid idempotencykey ids if image images implemented in inbox index
  indicate info information ing initialising initializing input insert inserted inspect install insufficient intent
  internal interpreter interrupted intervention invalid invocation invocationid invocationkey invoice io ip ipython
  is isnt issue it item items its java javascript jede jedem jeden jeder jedes jest job jobs journalctl jq js json
  jupyter jusqu justification keep key killed kind know known kubectl lan lap last latency latencyms latencyseconds
  latencysecs later latest latin1 lease legal length less let limit lint list ll load loading local localdomain
  localhost lock locked log logs longer look looking lookup loop ls lsof mail make mal malformed manifest many map
  masked match matches matching max may md me measure media memorize memory merge merged message messages method
  might milliseconds min mins minute minutes missing mkdir mocha mode model modified modify monitor more move moved
  ms much multi multiple mv mvn mypy mysql name navigate net neterror netloc netstat network never new news next nil
  nine nl no nocache node nodename nohup nonce none noop nor nosuch not note notebook notes notfound notice notify
  notready now nox npm ns nslookup nsurl nudge null number numbers nvidia nxdomain object objects od of off offset
  ok okay on once one only oops op open operation operator opinion options or order origin out outcome outms output
  outs over overloaded own package page pages panic parts pass passed password patch path patrol pattern pause pay
  peek pend pending people per permanently permission permissions permitted person pgrep phase php phpunit pid ping
  pip pip3 plan pnpm podman policy poll pool pop port post powershell pr pragma press printenv printf probe
  processed processing progress project provided provisioning ps psql publish pull purchase purpose push put pwd py
  pytest python que query question questions queue queued quota rand random rate ratelimit rationale ray reach
  reached read readings ready reason reasoning reasons rebase recall receive received recent record records redis
  ref reflect refund refused regex rejected release remaining remember remote remove removed rename renamed repeat
  repeated repl replace replacement reply repo repository request requested requestid requestkey requests required
  requires reset resolution resolve resolved resolving resource resources respond responded response restart restore
  result resulted results retr retries retrieve retry retryafter retryin retrylater return returncode returned
  returnstatus returnwith rg risk rm roll rollback rolled rolledback round rounds route row rows rspec ruff run rung
  running runs same sample samples save say screenshot script scroll search sec second seconds secs security sed see
  select send sending sent seq sequence server service servname session sessions set seven sh shape shell show
  sibling similar site six size skipped sleep smi snapshot sobald socket solution soon sorry sort source span spanid
  spankey spawn speak spec specialist specified spoke sql squeue ss ssh ssl stage stalled started starting stash
  stat state statement stats status stems step steps still stop stopped store str strands streak string structured
  stuck subagent submit succeeded success successful successfully such sudo summary supervisor support surfer swipe
  switch symbol syntax system systemctl tab tag tail tap target task tcp team tee tell temporar temporarily ten
  terminal terminate terminated terraform test text that the there these they think thinking this thought thread
  three throttl ticket till time timed timedout timeout timeoutms timeouts times timestamp title tmp tmux to todo
  todos toml tone too took tookms tookseconds tooksecs tool tools top touch tox trace traceback traceid tracekey
  transaction transactionid transactionkey transfer tree true truncate try ts tsc tweet twelve twisted two type
  typecheck typo unable uname unauthorised unauthorized unavailable undefined unexpected uniq unique unittest
  unknown unprocessable unrecognised unrecognized unresolved unsupported until up update updated upload upsert uri
  url urllib urlopen urls us usage use user uses valid validate value values var veces verbose verify version vezes
  view visit vitest volatile wait waiting warning warte was wasnt watch wc we web website weigh were wget what when
  which while whoami whole with without work worker working workspace world write wrk xd xp xxd yarn yet yield you
  youre yq zero zsh`);

/** Those that the rules also find at the end of longer words. */
export const ENDINGS = list(`
  aborted affected after available canceled cancelled claim conclusion crash dead deleted dequeue down duration
  durationms durationseconds durationsecs ed elapsed elapsedms elapsedseconds elapsedsecs error errored exception
  exit exited expired failed failure found glob in ing inserted killed latency latencyms latencyseconds latencysecs
  later lease limit modified moved next not pattern pend phase pop press processed progress query queue queued
  receive regex rejected removed roll rollback rolled rolledback scroll search stage state status stopped terminated
  test took tookms tookseconds tooksecs updated`);
