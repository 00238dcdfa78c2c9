import { createHash } from 'node:crypto';

/** A Lua script, which Redis runs atomically. */
export interface Script {
  readonly text: string;
  /** SHA-1 of the text, by which Redis knows a script that it has run before. */
  readonly sha: string;
  /** How many of the arguments are keys; undefined if it varies. */
  readonly keys: number | undefined;
}

/**
 * Seconds by which the clock of the server may be set back without a new generation: less than bitmaps outlive their nonces.
 */
const MAX_SET_BACK = 30;
/** Milliseconds by which a bitmap outlives its nonce: twice the time by which the clock may be set back. */
const KEPT = 2_000 * MAX_SET_BACK;

export function script(keys: number | undefined, text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex'), keys };
}

/**
 * Joins a deployment: KEYS[1] is the hash with its generation, KEYS[2] a key that nothing else uses. ARGV: the identity of the server, a random generation,
 * the fingerprint of the current deployment key, of the previous one or '', 1 for a node that starts, and the channel of
 * messages.
 *
 * A new identity is another process, or a replica that was promoted: claims may be lost, so the generation changes. It also
 * does if the clock was set back: nonces may be valid again whose bitmaps have expired. `seen` is the latest time by the clock; its
 * write finds a server that can only be read.
 *
 * A node that starts runs commands of each kind that later scripts run: a user without their permissions is found then.
 *
 * While the key is replaced, nodes with the previous one may start again: until a node has the new key alone.
 *
 * @returns the generation; '' if the deployment has another key
 */
export const JOIN = script(
  2,
  `
if ARGV[5] == '1' then
  redis.call('SETBIT', KEYS[2], 0, 1)
  redis.call('PEXPIREAT', KEYS[2], redis.call('TIME')[1] * 1000 + 60000)
  redis.call('GET', KEYS[2])
  redis.call('DEL', KEYS[2])
  redis.call('ZADD', KEYS[2], 1, '1')
  redis.call('DEL', KEYS[2])
  redis.call('PUBLISH', ARGV[6], '')
end
local server, generation, key, previous, seen = unpack(redis.call('HMGET', KEYS[1], 'server', 'generation', 'key', 'previous', 'seen'))
if ARGV[5] == '1' and key and key ~= ARGV[3] and key ~= ARGV[4] and previous ~= ARGV[3] then return '' end
local now = tonumber(redis.call('TIME')[1])
local isOther = not generation or server ~= ARGV[1] or now < tonumber(seen or 0) - ${MAX_SET_BACK}
-- First: without memory, Redis refuses it unless something was written before.
redis.call('HSET', KEYS[1], 'seen', isOther and now or math.max(now, tonumber(seen or 0)))
if not key then
  redis.call('HSET', KEYS[1], 'key', ARGV[3])
  if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'previous', ARGV[4]) end
elseif key ~= ARGV[3] and key == ARGV[4] then redis.call('HSET', KEYS[1], 'key', ARGV[3], 'previous', ARGV[4])
elseif key == ARGV[3] and ARGV[4] == '' then redis.call('HDEL', KEYS[1], 'previous') end
if isOther then
  generation = ARGV[2]
  redis.call('HSET', KEYS[1], 'server', ARGV[1], 'generation', generation)
end
return generation
`,
);

/** The results of {@link CLAIMS}, in their order. */
export const CLAIM_RESULTS = ['accepted', 'used', 'expired', 'other generation'] as const;

/**
 * Claims counts: KEYS[1] is the hash with the generation, each further key the bitmap of 256 counts. ARGV: the
 * generation of the nonces; then for each bitmap the bit, and the end of the nonce in milliseconds since the epoch.
 *
 * Only the clock of the server decides whether a nonce has expired, as it decides when the bitmap does.
 */
export const CLAIMS = script(
  undefined,
  `
local results = {}
local generation, seen = unpack(redis.call('HMGET', KEYS[1], 'generation', 'seen'))
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local isCurrent = generation == ARGV[1] and now >= (tonumber(seen or 0) - ${MAX_SET_BACK}) * 1000
for at = 2, #KEYS do
  local bit, expires = ARGV[2 * at - 2], tonumber(ARGV[2 * at - 1])
  local result = 0
  if not isCurrent then result = 3
  elseif now >= expires then result = 2
  elseif redis.call('SETBIT', KEYS[at], bit, 1) == 1 then result = 1
  else redis.call('PEXPIREAT', KEYS[at], string.format('%.0f', expires + ${KEPT})) end
  results[at - 1] = result
end
return results
`,
);
