import { script } from './scripts';

/** Slots of a window of exact limits, as in memory. */
const SLOTS = 256;

/**
 * Counts a request if all limits allow it. KEYS: a hash of the uses by slot for each limit. ARGV, for each: the window in
 * milliseconds, the limit, the weight, and 1 to count.
 *
 * @returns for each: milliseconds to wait, what is left, milliseconds until more becomes available
 */
export const TAKE = script(
  undefined,
  `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local allowed, limits = true, {}
for at, key in ipairs(KEYS) do
  local base = (at - 1) * 4
  local length = tonumber(ARGV[base + 1]) / ${SLOTS}
  local limit, weight = tonumber(ARGV[base + 2]), tonumber(ARGV[base + 3])
  local slot = math.floor(now / length)
  local entries, live, used = redis.call('HGETALL', key), {}, 0
  for i = 1, #entries, 2 do
    local one, count = tonumber(entries[i]), tonumber(entries[i + 1])
    if one + ${SLOTS} < slot then redis.call('HDEL', key, entries[i])
    else
      -- The clock was set back: it was used now at the latest.
      if one > slot then
        redis.call('HINCRBY', key, string.format('%.0f', slot), count)
        redis.call('HDEL', key, entries[i])
        one = slot
      end
      used = used + count
      live[#live + 1] = { one, count }
    end
  end
  table.sort(live, function(a, b) return a[1] < b[1] end)
  local function free(amount)
    local freed = 0
    for _, entry in ipairs(live) do
      freed = freed + entry[2]
      if freed >= amount then return math.max(1, math.ceil((entry[1] + ${SLOTS} + 1) * length - now)) end
    end
    return 0
  end
  local wait = 0
  if used + weight > limit then wait = math.max(1, free(used + weight - limit)) end
  if wait > 0 then allowed = false end
  limits[at] = { key, length, slot, used, wait, free(1), limit, weight, ARGV[base + 4] == '1' }
end
local results = {}
for at, one in ipairs(limits) do
  local key, length, slot, used, wait, reset, limit, weight, counts = unpack(one)
  if allowed and counts and weight > 0 then
    redis.call('HINCRBY', key, string.format('%.0f', slot), weight)
    redis.call('PEXPIRE', key, math.ceil(length * (${SLOTS} + 2)))
    used = used + weight
    if reset == 0 then reset = math.ceil((slot + ${SLOTS} + 1) * length - now) end
  end
  results[#results + 1] = wait
  results[#results + 1] = math.max(0, limit - used)
  results[#results + 1] = reset
end
return results
`,
);

/** Computes `wait`, the milliseconds until a sign-in may be verified. KEYS and ARGV as in BEGIN_SIGN_IN. */
const SIGN_IN_WAIT = `
local window, failures = tonumber(ARGV[1]), tonumber(ARGV[2])
-- More than the window is left if the clock was set back, or the window was longer.
local function left(key)
  local rest = redis.call('PTTL', key)
  if rest > window then redis.call('PEXPIRE', key, window) end
  return math.min(rest, window)
end
local wait = 0
if tonumber(redis.call('GET', KEYS[1]) or '0') >= tonumber(ARGV[3]) then
  wait = math.max(1, left(KEYS[1]))
end
for at = 2, #KEYS do
  local entries, count = redis.call('HGETALL', KEYS[at]), 0
  for i = 1, #entries, 2 do
    if entries[i] == 'failures' then count = count + tonumber(entries[i + 1])
    elseif entries[i] ~= 'g' .. ARGV[at + 2] then count = count + 1 end
  end
  if count >= failures then wait = math.max(wait, 1, left(KEYS[at])) end
end
`;

/**
 * Begins to verify a sign-in. KEYS: the failures of the address, then a hash for each user: their failures, and the
 * passwords that are being verified. ARGV: the window in milliseconds, the limit for a user, that for the address, then
 * the guess for each user.
 *
 * @returns the milliseconds to wait, 0 for none
 */
export const BEGIN_SIGN_IN = script(
  undefined,
  `${SIGN_IN_WAIT}
if wait > 0 then return wait end
for at = 2, #KEYS do
  if ARGV[at + 2] ~= '' then
    redis.call('HINCRBY', KEYS[at], 'g' .. ARGV[at + 2], 1)
    if redis.call('PTTL', KEYS[at]) < 0 then redis.call('PEXPIRE', KEYS[at], window) end
  end
end
return 0
`,
);

/**
 * Ends what BEGIN_SIGN_IN has begun, with the same keys and arguments. Further ARGV: 1 for a failure, then for each user
 * 1 to forget the failures. A user without a guess was not counted meanwhile: nothing is counted if there is one and a
 * limit has been reached.
 *
 * @returns the milliseconds to wait then, 0 for none
 */
export const END_SIGN_IN = script(
  undefined,
  `${SIGN_IN_WAIT}
local isHeld, failed = true, ARGV[#KEYS + 3] == '1'
for at = 2, #KEYS do
  local guess = ARGV[at + 2]
  if guess == '' then isHeld = false
  elseif redis.call('HINCRBY', KEYS[at], 'g' .. guess, -1) <= 0 then
    redis.call('HDEL', KEYS[at], 'g' .. guess)
  end
end
if wait > 0 and not isHeld then return wait end
if failed and redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], window) end
for at = 2, #KEYS do
  if ARGV[#KEYS + 2 + at] == '1' then redis.call('HDEL', KEYS[at], 'failures') end
  if failed and redis.call('HINCRBY', KEYS[at], 'failures', 1) == 1 then
    redis.call('PEXPIRE', KEYS[at], window)
  end
end
return 0
`,
);

/** Slots of a window of counts for nodes that start: they expire at most so much later on these. */
export const LOG_SLOTS = 16;
/** Clients in a slot at most, as in memory. */
const MAX_CLIENTS = 100_000;

/**
 * Adds counts to the log of the deployment, and publishes them. KEYS: the sorted set of logs by expiry, whose name begins
 * those of the slots. ARGV: the channel, the message, then for each count: the log, its window in seconds, the client, and
 * the amount, 0 to forget the client.
 */
export const LOG = script(
  1,
  `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for at = 3, #ARGV, 4 do
  local log, window, client, amount = ARGV[at], ARGV[at + 1] * 1000, ARGV[at + 2], tonumber(ARGV[at + 3])
  local length = window / ${LOG_SLOTS}
  local slot = math.floor(now / length)
  local function name(one) return KEYS[1] .. ':' .. log .. ':' .. string.format('%.0f', one) end
  if amount == 0 then
    for back = 0, ${LOG_SLOTS} do redis.call('HDEL', name(slot - back), client) end
  elseif redis.call('HLEN', name(slot)) < ${MAX_CLIENTS} or redis.call('HEXISTS', name(slot), client) == 1 then
    local ends = math.ceil((slot + 1) * length + window)
    redis.call('HINCRBY', name(slot), client, amount)
    redis.call('PEXPIREAT', name(slot), ends)
    redis.call('ZADD', KEYS[1], ends, log .. ' ' .. ARGV[at + 1])
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('PUBLISH', ARGV[1], ARGV[2])
return 0
`,
);
