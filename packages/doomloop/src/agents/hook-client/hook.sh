#!/bin/sh
# Hands one event of a coding agent to the resident guard, and prints its answer.
#
#   hook.sh STATE NODE SECONDS PATH [SEEN]
#
# STATE is the folder of what hooks keep, NODE starts the resident if nobody listens, SECONDS is how long to wait, PATH says whose event it
# is and how the hook was wired, SEEN is what the agent's environment says about the run. `-` for STATE or NODE finds them.
#
# Whatever happens, it ends with success: an agent must never be blocked by us. It looks at nothing that a repository could have set:
# programs have fixed paths, and get an empty environment.
[ "${DOOMLOOP-}" = off ] && exit 0

ask_with_curl() {
  said=7
  for curl in /usr/bin/curl /usr/local/bin/curl /opt/homebrew/bin/curl; do
    [ -x "$curl" ] || continue
    said=0
    env -i "$curl" -q -s -f --noproxy '*' --unix-socket "$state/run/socket" --max-time "$seconds" -X POST \
      -H 'Content-Type: application/json' -H 'Expect:' -T - "http://doomloop/$path" 2>/dev/null || said=$?
    case $said in 7 | 28) return ;; *) exit 0 ;; esac
  done
}

PATH=/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin
state=$1 node=$2 seconds=$3 path=$4 seen=${5-}
here=${0%/*}
if [ "$state" = - ] || [ "$node" = - ]; then
  # The home folder of the user, not the one that the environment names: a repository could have set that.
  user=$(id -un)
  case $user in '' | *[!A-Za-z0-9._-]*) exit 0 ;; esac
  eval "home=~$user"
fi
if [ "$state" = - ]; then
  state=$home/.local/state/doomloop
  [ -d "$home/Library/Application Support" ] && state="$home/Library/Application Support/doomloop"
fi
case $state in /*) ;; *) exit 0 ;; esac
case $seen in *[!A-Za-z0-9._,-]*) seen= ;; esac
[ -n "$seen" ] && path="$path&seen=$seen"

# The quick way: no Node at all. Perl starts in a fifth of the time that curl takes. Both read the event when they are connected, so that it
# is still there if nobody listens.
silent=
if [ -S "$state/run/socket" ] && [ -O "$state/run/socket" ] && [ -O "$state/run" ] && [ -O "$state" ] && [ ! -L "$state/run" ]; then
  said=2
  [ -x /usr/bin/perl ] && {
    env -i /usr/bin/perl -f "$here/ask-resident.pl" "$state/run/socket" "$seconds" "$path"
    said=$?
  }
  # 7: nobody listens. The resident has ended, or was killed. 28: whoever listens says nothing. Anything else: there is no Perl.
  case $said in 0) exit 0 ;; 7 | 28) ;; *) ask_with_curl ;; esac
  [ "$said" -eq 28 ] && silent=1
fi

# The other way: a program that starts the resident, too. It may hang, if it is not the Node that we know.
if [ "$node" = - ]; then
  # In the usual places, because a path in the environment may be a repository's.
  for node in "$home"/.nvm/versions/node/v2[2-9]*/bin/node "$home"/.local/share/fnm/node-versions/v2[2-9]*/installation/bin/node \
    "$home"/.volta/tools/image/node/2[2-9]*/bin/node /usr/local/bin/node /opt/homebrew/bin/node /usr/bin/node; do
    # An older one does not run the resident.
    [ -x "$node" ] && case $(env -i "$node" -v </dev/null 2>/dev/null) in v2[2-9].* | v[3-9][0-9].*) break ;; esac
    node=
  done
fi
main=$here/main.js
# The source runs as it is.
[ -f "$main" ] || main=$here/main.ts
[ -x "$node" ] && [ -f "$main" ] || exit 0
# What failed within the last minute is not waited for again.
failed=$state/run/failed
[ -f "$failed" ] && [ -n "$(find "$failed" -mmin -1)" ] && exit 0
umask 077
if [ -n "$silent" ]; then
  # In the background, and once at a time: it asks the resident how it is, and starts another if that one is silent, too.
  asking=$state/run/asking
  [ -f "$asking" ] && read -r other <"$asking" && kill -0 "$other" 2>/dev/null && exit 0
  (
    env -i "$node" "$main" "$state" "$node" 1 status &
    child=$!
    (sleep 5; kill -9 "$child") &
    watchdog=$!
    wait "$child"
    kill "$watchdog"
  ) </dev/null >/dev/null 2>&1 &
  rm -f "$asking"
  echo $! >"$asking"
  exit 0
fi
# Root makes nothing in a folder of somebody else, who could not use it any more.
above=$state
while [ ! -e "$above" ]; do above=${above%/*} above=${above:-/}; done
[ -O "$above" ] || [ "$(id -u)" != 0 ] || exit 0
mkdir -p "$state/run" && [ -O "$state" ] && [ -O "$state/run" ] && [ ! -L "$state/run" ] || exit 0
# A file, because a program that hangs would keep a pipe open. It is a new one, whatever somebody may have put there.
out=$state/run/answer.$$
set -C
exec 3<&0
env -i "$node" "$main" "$state" "$node" "$seconds" "$path" <&3 >"$out" 2>/dev/null &
child=$!
(sleep "$((seconds + 2))"; kill -9 "$child") >/dev/null 2>&1 3<&- &
watchdog=$!
wait "$child"
# It was killed: it hangs.
[ $? -gt 128 ] && { rm -f "$failed"; : >"$failed"; }
kill "$watchdog"
said=$(cat "$out")
rm -f "$out"
# What else a program may have printed is not for the agent.
case $said in 'doomloop '*) printf '%s\n' "${said#doomloop }" ;; esac
exit 0
