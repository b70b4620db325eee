import { defineScript } from "./script.ts";

/**
 * Brings together what all workers must know: the switches, the dead ends of others, and how many runs may be stopped.
 *
 * - `KEYS`: state, found, changes, until, runs of even and of odd windows, looping runs of even and of odd windows, stopped,
 *   switch. All in the slot of the tenant's control.
 * - `ARGV`: nonce, time (empty: the server's own), window in milliseconds, epoch and version known to the caller, `1` to
 *   forget everything, share of the active runs that may be stopped, dead ends kept, the caller's name. Then how many of each follow: active
 *   runs, looping runs, runs that ask to be stopped, dead ends (name, milliseconds it lasts, what is known of it), dead
 *   ends that are none any more.
 * - Returns: nonce, epoch, version, switch, active runs, looping runs, stopped runs, runs that may be stopped, dead ends
 *   that were not known before, those that the caller had made known, and the dead ends changed since the version (name, milliseconds it lasts, what is known of
 *   it; empty: it is none any more).
 *
 * Everything can be delivered again: runs are counted as sets, and a run that may be stopped may be stopped when it asks again.
 */
export const pulseScript = defineScript(`
local state, found, changes, expiry = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local runs, looping = { KEYS[5], KEYS[6] }, { KEYS[7], KEYS[8] }
local stopped, switch = KEYS[9], KEYS[10]
local nonce, window, version = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[5])
local time = tonumber(ARGV[2])
local stop_share, max_found = tonumber(ARGV[7]), tonumber(ARGV[8])
local lifetime = window * 2 + 60000
local at = 15

if not time then
  local clock = redis.call('TIME')
  time = clock[1] * 1000 + math.floor(clock[2] / 1000)
end

-- What somebody else wrote into our keys is thrown away.
local function call(command, key, ...)
  local result = redis.pcall(command, key, ...)
  if type(result) ~= 'table' or not result.err then return result end
  if not (string.find(result.err, 'WRONGTYPE', 1, true) or string.find(result.err, 'INVALIDOBJ', 1, true)) then
    error(result.err)
  end
  redis.call('DEL', key)
  return redis.call(command, key, ...)
end

local function take(count)
  local taken = {}
  for i = 1, count do taken[i] = ARGV[at + i - 1] end
  at = at + count
  return taken
end

local function forget(names)
  if #names == 0 then return end
  call('HDEL', found, unpack(names))
  call('ZREM', changes, unpack(names))
  call('ZREM', expiry, unpack(names))
end

local own_runs = take(tonumber(ARGV[10]))
local own_looping = take(tonumber(ARGV[11]))
local asking = take(tonumber(ARGV[12]))
local announced = take(tonumber(ARGV[13]) * 3)
local cleared = take(tonumber(ARGV[14]))

local epoch = call('HGET', state, 'epoch')
local is_new = not epoch or ARGV[6] == '1'
if is_new then
  epoch = nonce
  redis.call('DEL', state, found, changes, expiry)
  redis.call('HSET', state, 'epoch', epoch)
end
if epoch ~= ARGV[4] then
  announced, cleared, version = {}, {}, 0
end
redis.call('PEXPIRE', state, lifetime)

local number = math.floor(time / window)
local stored = tonumber(redis.call('HGET', state, 'window') or nil)
local current, previous = number % 2 + 1, (number + 1) % 2 + 1
if stored ~= number then
  redis.call('DEL', runs[current], looping[current])
  if stored ~= number - 1 then redis.call('DEL', runs[previous], looping[previous]) end
  redis.call('HSET', state, 'window', number)
end

local function most(keys, own)
  if #own > 0 then
    call('PFADD', keys[current], unpack(own))
    redis.call('PEXPIRE', keys[current], lifetime)
  end
  return math.max(call('PFCOUNT', keys[1]), call('PFCOUNT', keys[2]))
end
local active_count, looping_count = most(runs, own_runs), most(looping, own_looping)

call('ZREMRANGEBYSCORE', stopped, '-inf', time - window)
local stopped_count = call('ZCARD', stopped)
local budget = stop_share > 0 and math.max(1, math.floor(stop_share * active_count)) or 0
local granted = {}
for _, run in ipairs(asking) do
  local has_asked = call('ZSCORE', stopped, run)
  if not has_asked and stopped_count < budget then
    call('ZADD', stopped, time, run)
    stopped_count = stopped_count + 1
    has_asked = true
  end
  if has_asked then granted[#granted + 1] = run end
end
if stopped_count > 0 then redis.call('PEXPIRE', stopped, lifetime) end

local function note(name, last)
  redis.call('ZADD', changes, redis.call('HINCRBY', state, 'version', 1), name)
  redis.call('ZADD', expiry, last, name)
end

forget(call('ZRANGEBYSCORE', expiry, '-inf', time, 'LIMIT', 0, 100))
local fresh, again = {}, {}
for i = 1, #announced, 3 do
  local name, owner = announced[i], ARGV[9]
  local before = call('HGET', found, name)
  if before then
    owner = string.match(before, '^[^|]*')
    if owner == ARGV[9] then again[#again + 1] = name end
  else
    fresh[#fresh + 1] = name
    if call('ZCARD', expiry) >= max_found then forget(call('ZRANGE', expiry, 0, 0)) end
  end
  call('HSET', found, name, owner .. '|' .. announced[i + 2])
  note(name, time + tonumber(announced[i + 1]))
end
for _, name in ipairs(cleared) do
  if call('HDEL', found, name) == 1 then note(name, time + 60000) end
end

local latest = tonumber(redis.call('HGET', state, 'version') or 0)
local told = {}
if latest > version then
  local names = call('ZRANGEBYSCORE', changes, '(' .. version, '+inf', 'LIMIT', 0, 128)
  if #names > 0 then
    local lasts = call('ZMSCORE', expiry, unpack(names))
    local texts = call('HMGET', found, unpack(names))
    for i, name in ipairs(names) do
      told[#told + 1] = name
      told[#told + 1] = math.floor(tonumber(lasts[i] or 0) - time)
      told[#told + 1] = texts[i] and string.match(texts[i], '|(.*)$') or ''
    end
  end
  if #names == 128 then latest = tonumber(call('ZSCORE', changes, names[128])) end
end
for _, key in ipairs({ found, changes, expiry }) do redis.call('PEXPIRE', key, lifetime) end

local switches = redis.pcall('GET', switch)
if type(switches) ~= 'string' then switches = '' end
return { nonce, epoch, latest, switches, active_count, looping_count, stopped_count, granted, fresh, again, told }
`);
