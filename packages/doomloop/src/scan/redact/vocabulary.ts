// Written by `npm run fix` from the core's sources. Do not edit.

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** The words that the core's rules know. Nothing foreign is among them. */
export const VOCABULARY = list(`
  0x abandoned aborted absolute act action active adb add adk affected after ag again againafter againin againlater
  againshortly againsoon agent ahead alert all alle allowed also alter an and announce answer api apikey apply
  approval apt archive are as ask asked assign assistance assistant at attempt attempts attends attribute auf
  authentication available await awk aws az back bash bat because been before bench benchmark beobachte berwache
  bigint bis bitte blame blind block blocked body book boolean branch brew browse browser buffer bun busy but buy by
  byte cada calc calculate call calls can cancel canceled cancelled cannot capacity capture cargo carry cat cb cd
  change changed chaque charge chars check checkout checks child chmod choice choices chunk ci claim clarification
  clarify clarifying clear cli click clippy clocks closed cmd cmp code command commands comment commit compaction
  compare complete completed completion conclude conclusion confirm connection console containercreating content
  contents contin continue continuez conversation correlation correlationid correlationkey could couldn count cp
  crash create creating credential credentials csrftoken ctest curl current cut cycle dann das data date days dead
  deadlock decision declared declined defined delegate delete deleted delivered denied deploy dequeue der desc
  describe description details dev df did die diff dig digest dir directory docker document documents does doesn don
  done dont doomloop dotnet down download drag drop dtsynerkga du due dump durante duration durationms
  durationseconds durationsecs during e2e each echo econn ed edit effect egrep eight el elapsed elapsedms
  elapsedseconds elapsedsecs eleven email end ended endpoint entries env err error errored errors es escalate eslint
  espera et etag events every evidence exact exception exceptions exec execute executed execution executions exist
  exists exit exitcode exited exitedcode exitedstatus exitedwith exitstatus exitwith expired explain explanation
  export eye fail failed failing fails failure failures false fatal favor fd feedback fetch few fields fifteen file
  filename files fill final find finish finished five fix fleet fn focus fois folder folders follow followup for
  forbidden forfeit forward found four free from function gap gcloud get gh git give giveup glab glob go goal going
  goto gradle gradlew grant grep had half hand handoff has hasta have he head header health held helm help heures
  hexdump history horas hour hours hover hr hrend hrs http human hunch hyperfine ich id idempotency idempotencyid
  idempotencykey ids if ihn il images in inbox index info ing initialising initializing input insert inserted
  inspect install insufficient intent interpreter interrupted intervention invalid invocation invocationid
  invocationkey invoice ipython is issue it item items iteration its iu javascript je jede jedem jeden jeder jedes
  jest job jobs journalctl jq js json jupyter jusqu justification keep key killed kind know kubectl la lap las last
  latency latencyms latencyseconds latencysecs later latest le lease length les less let limit lint list ll lo load
  loading localhost lock locked log logs look lookup loop los ls lsof mach mail make mal malformed many map masked
  matches matching may md me measure memorize memory merge merged message messages method milliseconds min mins
  minute minuten minutes minutos missing mkdir mocha mode model modified modify monitor more move moved ms much
  multi multiple must mv mvn my mypy mysql name navigate netstat never new news next nil nine nl no nocache nohup
  nonce none noop not note notebook notes notice notify notready nous now nox npm ns nslookup nudge null number
  numbers nvidia object objects observe od of off offset ok okay on once one only op open operation operator opinion
  options order original our out outcome outms output outs over overloaded own page panic parts pass passed password
  patch path patrol pattern pause pay peek pend pendant pending people per permission permissions permitted person
  pgrep phase phpunit pid ping pip pip3 plan please pnpm podman policy poll pop por port post powershell pr pragma
  press printenv printf proceed processed processing progress provisioning ps psql publish puis pull purchase
  purpose push put pwd py pytest python que query question questions queue queued quota rand random rate ratelimit
  rationale read readings ready reason reasoning rebase recall receive recent record records redis ref reflect
  refresh refund refused regex rejected reload remaining remember reminder remote remove removed rename repeated
  repeatedly repl replace replacement reply repo request requestid requestkey requests required requires reset
  resolved respond response restart restore result results retr retries retrieve retry retryafter retryin retrylater
  retryshortly retrysoon return returncode returnstatus returnwith rg risk rm roll rollback rolled rolledback round
  rounds row rows rspec ruff run rung running runs same sample samples save say screenshot script scroll search sec
  second secondes seconds secs security sed segundos sekunden select send sent seq sequence service session sessions
  set seven sh shape she shell shortly should show sibling sie sigue similar since six size skipped sleep smi
  snapshot solution soon sort source span spanid spankey spawn speak spec specialist specs spoke sql squeue ss ssh
  stage stalled started starting stash stat state statement stats status stems step steps still stop stopped store
  str strands streak string structured stuck stunden subagent submit substance succeeded success successful
  successfully such sudo summary supervisor support surfer surveille swipe switch symbol syntax system systemctl tab
  tag tail take tap target task team tee tell temporar ten terminal terminate terminated terraform test tests text
  than that the their them then there these they think thinking thirty this those thought thread three throttl
  ticket till time timed timedout timeout timeoutms timeouts times timestamp tmp tmux to todo todos token toml tone
  too took tookms tookseconds tooksecs tool tools top touch toutes tox trace traceback traceid tracekey track
  transaction transactionid transactionkey transfer tree true truncate try ts tsc turn tweet twelve twenty two type
  typecheck unable uname unauthorised unauthorized unavailable und undefined unexpected uniq unique unittest unknown
  unrecognised unrecognized unsupported until up update updated upload upsert us usage use user uses valid validate
  value values var veces verbose verify version vezes view vigila visit vitest volatile wait waiting wall warning
  warte was watch wc we web weigh weiter were wget what when whenever which while who whoami whole will wir with
  without work worker working workspace world would write wrk xd xp xxd yarn yet yield you your yq zero zsh`);

/** Those that the rules also find at the end of longer words. */
export const ENDINGS = list(`
  aborted affected after available canceled cancelled claim conclusion crash dead deleted dequeue down duration
  durationms durationseconds durationsecs ed elapsed elapsedms elapsedseconds elapsedsecs error errored exception
  exit exited expired failed failure found glob in ing inserted killed latency latencyms latencyseconds latencysecs
  later lease limit modified moved next not pattern pend phase pop press processed progress query queue queued
  receive regex rejected removed roll rollback rolled rolledback scroll search shortly soon stage state status
  stopped terminated test took tookms tookseconds tooksecs updated`);
