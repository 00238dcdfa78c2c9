import { createHash } from 'node:crypto';

/** A Lua script, which Redis runs atomically. */
export interface Script {
  readonly text: string;
  /** SHA-1 of the text, by which Redis knows a script that it has run before. */
  readonly sha: string;
  /** How many of the arguments are keys. */
  readonly keys: number;
}

function script(keys: number, text: string): Script {
  return { text, sha: createHash('sha1').update(text).digest('hex'), keys };
}

/**
 * Joins a deployment: KEYS[1] is the hash with its generation. ARGV: the identity of the server, a random generation,
 * the fingerprint of the current deployment key, of the previous one or '', and 1 for a node that starts.
 *
 * A new identity is another process, or a replica that was promoted: claims may be lost, so the generation changes. The
 * write of `seen` finds a server that can only be read.
 *
 * @returns the generation; '' if the deployment has another key
 */
export const JOIN = script(
  1,
  `
local server, generation, key = unpack(redis.call('HMGET', KEYS[1], 'server', 'generation', 'key'))
if ARGV[5] == '1' and key and key ~= ARGV[3] and key ~= ARGV[4] then return '' end
if not key or (key ~= ARGV[3] and key == ARGV[4]) then redis.call('HSET', KEYS[1], 'key', ARGV[3]) end
if not generation or server ~= ARGV[1] then
  generation = ARGV[2]
  redis.call('HSET', KEYS[1], 'server', ARGV[1], 'generation', generation)
end
redis.call('HSET', KEYS[1], 'seen', redis.call('TIME')[1])
return generation
`,
);

/** The results of {@link CLAIM}, in their order. */
export const CLAIM_RESULTS = ['accepted', 'used', 'expired', 'other generation'] as const;

/**
 * Claims a count: KEYS[1] is the hash with the generation, KEYS[2] the bitmap of 256 counts. ARGV: the generation of the
 * nonce, the bit, the end of the nonce, and the end of the bitmap, in milliseconds since the epoch.
 *
 * Only the clock of the server decides whether the nonce has expired, as it decides when the bitmap does.
 */
export const CLAIM = script(
  2,
  `
if redis.call('HGET', KEYS[1], 'generation') ~= ARGV[1] then return 3 end
local time = redis.call('TIME')
if time[1] * 1000 + time[2] / 1000 >= tonumber(ARGV[3]) then return 2 end
if redis.call('SETBIT', KEYS[2], ARGV[2], 1) == 1 then return 1 end
redis.call('PEXPIREAT', KEYS[2], ARGV[4])
return 0
`,
);
