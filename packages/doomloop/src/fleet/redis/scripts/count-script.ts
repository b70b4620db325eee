import { defineScript } from "./script.ts";

/**
 * Counts the calls of a batch, and says which of its fingerprints are dead ends now. All keys are in one slot.
 *
 * - `KEYS[i]`: a sorted set of what is known of one fingerprint. Its scores are times in milliseconds, in bands: barren calls,
 *   other calls above 2^43, workers with their latest call above 2^44; below zero, calls from before a success, and that success.
 * - `ARGV`: nonce, time (empty: the server's own), and in one word: window in milliseconds, calls and workers that make a dead end,
 *   calls and workers remembered of a fingerprint, names told of a dead end, 1 if other calls count too, milliseconds by which a report
 *   can be late. Then one word for all keys, what belongs to each ended by the character 30, its fields ended by the character 31, lists
 *   inside of them parted by spaces: age of its calls, age of the latest success (empty: none), workers known to the caller, settled
 *   calls, and for each worker its name, barren calls and other calls. Few words, because writing each one costs a client more than all else.
 * - Returns: nonce, then for each dead end: which key, calls, barren calls, workers, milliseconds it lasts, and the names of
 *   workers unless there are as many as the caller knows.
 *
 * A call is a member, so one that is delivered again counts once. What does not fit, comes from the future or is older than
 * the window is not counted. A key that holds something else is emptied. A success of which nothing was counted is remembered for as long
 * as calls from before it can still come, and no longer: most fingerprints never have anything but successes.
 */
export const countScript = defineScript(`
local OTHER, WORKER = 8796093022208, 17592186044416
local nonce, time, settings = ARGV[1], tonumber(ARGV[2]), {}
for setting in string.gmatch(ARGV[3], '%S+') do settings[#settings + 1] = tonumber(setting) end
local window, least_calls, least_workers, capacity, max_names = unpack(settings, 1, 5)
local counts_all, grace = settings[6] == 1, settings[7]
local call = redis.call
local reply = { nonce }

if not time then
  local clock = call('TIME')
  time = clock[1] * 1000 + math.floor(clock[2] / 1000)
end
local horizon = time - window
local after, after_other, after_worker = '(' .. horizon, '(' .. (OTHER + horizon), '(' .. (WORKER + horizon)

local function settle(key)
  local live = call('ZRANGEBYSCORE', key, 1, WORKER - 1, 'WITHSCORES')
  if #live == 0 then return end
  local changes = {}
  for i = 1, #live, 2 do
    changes[i] = -(tonumber(live[i + 1]) % OTHER)
    changes[i + 1] = live[i]
  end
  call('ZADD', key, 'XX', unpack(changes))
  call('ZREMRANGEBYSCORE', key, WORKER, '+inf')
end

-- When so many of the oldest calls have fallen out of the window that too few are left.
local function decisive_call(key, place)
  local barren = call('ZRANGEBYSCORE', key, after, time, 'WITHSCORES', 'LIMIT', counts_all and 0 or place - 1, counts_all and place or 1)
  if not counts_all then return tonumber(barren[2]) end
  local other = call('ZRANGEBYSCORE', key, after_other, OTHER + time, 'WITHSCORES', 'LIMIT', 0, place)
  local times = {}
  for i = 2, #barren, 2 do times[#times + 1] = tonumber(barren[i]) end
  for i = 2, #other, 2 do times[#times + 1] = tonumber(other[i]) - OTHER end
  table.sort(times)
  return times[place]
end

local function judge(index, key, known_workers)
  local barren = call('ZCOUNT', key, after, time)
  local calls = barren
  if counts_all then calls = calls + call('ZCOUNT', key, after_other, OTHER + time) end
  if calls < least_calls then return end
  local workers = call('ZCOUNT', key, after_worker, WORKER + time)
  if workers < least_workers then return end
  local worker = call('ZREVRANGEBYSCORE', key, WORKER + time, WORKER, 'WITHSCORES', 'LIMIT', least_workers - 1, 1)
  local last = math.min(decisive_call(key, calls - least_calls + 1), tonumber(worker[2]) - WORKER) + window
  local names = {}
  if workers ~= known_workers then
    names = call('ZREVRANGEBYSCORE', key, WORKER + time, after_worker, 'LIMIT', 0, max_names)
  end
  reply[#reply + 1] = { index, calls, barren, workers, math.floor(last - time), names }
end

local next_text = string.gmatch(ARGV[4], '([^\\30]*)\\30')
for index, key in ipairs(KEYS) do
  local fields = {}
  for field in string.gmatch(next_text(), '([^\\31]*)\\31') do fields[#fields + 1] = field end
  local score, success = time - tonumber(fields[1]), tonumber(fields[2])

  local known = redis.pcall('ZCARD', key)
  if type(known) == 'table' then
    call('DEL', key)
    known = 0
  end
  local had, cleared = known > 0, nil
  if known > capacity / 2 then
    call('ZREMRANGEBYSCORE', key, -horizon, horizon)
    call('ZREMRANGEBYSCORE', key, OTHER, OTHER + horizon)
    call('ZREMRANGEBYSCORE', key, WORKER, WORKER + horizon)
    known = call('ZCARD', key)
  end
  if had then cleared = tonumber(call('ZSCORE', key, '+') or nil) end
  local has_calls = known > (cleared and 1 or 0)
  if success then
    if has_calls then settle(key) end
    cleared = math.min(cleared or 0, success - time)
    call('ZADD', key, cleared, '+')
  end
  -- Workers take room as well. What is small is kept in a form that takes a quarter of the room.
  local room = score > horizon and capacity - known - (#fields - 4) / 3 or 0
  local is_late = cleared and score < -cleared
  local added = 0

  local function add(calls, own)
    if calls == '' then return 0 end
    local members = {}
    for member in string.gmatch(calls, '%S+') do
      if room <= 0 then break end
      room = room - 1
      members[#members + 1] = own
      members[#members + 1] = member
    end
    return #members > 0 and call('ZADD', key, 'NX', unpack(members)) or 0
  end

  added = add(fields[4], -score)
  for i = 5, #fields, 3 do
    local fresh = add(fields[i + 1], is_late and -score or score) + add(fields[i + 2], is_late and -score or OTHER + score)
    -- A call that is delivered again does not make its worker's latest call any later.
    if fresh > 0 and not is_late then call('ZADD', key, 'GT', WORKER + score, '|' .. fields[i]) end
    added = added + fresh
  end

  if added > 0 or (success and has_calls) then
    call('PEXPIRE', key, window)
  elseif success then
    call('PEXPIRE', key, grace)
  end
  if #fields > 4 and known + added >= least_calls then judge(index, key, tonumber(fields[3])) end
end

return reply
`);
