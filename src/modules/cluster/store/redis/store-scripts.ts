import { KEPT_REVISIONS, NODE_KEPT, PROPOSAL_TTL, STORE_FORMAT } from '../configuration-store';

/**
 * The keys of a store, in the order in which all scripts get them: `head` is a hash with the format, number and hash of
 * the current revision, and the open proposal (`proposal`, `base`, `proposed`, its hash `next`, `until` in milliseconds since
 * the epoch);
 * `revisions` a hash of revisions by number; `documents` a hash of contents by hash; `answers` a hash of `proposal node`;
 * `nodes` a hash of `[milliseconds since the epoch, report]` by id.
 */
export const STORE_KEYS = ['head', 'revisions', 'documents', 'answers', 'nodes'] as const;

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

const IS_OPEN = `
local function isOpen(id)
  local open = redis.call('HMGET', KEYS[1], 'proposal', 'until')
  return open[1] and (not id or open[1] == id) and tonumber(open[2]) > now
end
local function close()
  redis.call('HDEL', KEYS[1], 'proposal', 'base', 'proposed', 'next', 'until')
  redis.call('DEL', KEYS[4])
end
`;

/** Adds the current revision, and removes what is older than the last 50. */
const RECORD = `
local function record(number, hash, revision)
  redis.call('HSET', KEYS[1], 'format', '${STORE_FORMAT}', 'number', number, 'hash', hash)
  redis.call('HSET', KEYS[2], number, revision)
  redis.call('HDEL', KEYS[2], number - ${KEPT_REVISIONS})
  local used = {}
  for _, text in ipairs(redis.call('HVALS', KEYS[2])) do
    for _, one in pairs(cjson.decode(text).documents) do used[one] = true end
  end
  for _, one in ipairs(redis.call('HKEYS', KEYS[3])) do
    if not used[one] then redis.call('HDEL', KEYS[3], one) end
  end
end
`;

/** From the argument `first`, hash and content in turn. */
const WRITE = `
local function write(first)
  for at = first, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1]) end
end
`;

/** The Lua scripts, which Redis runs atomically. */
export const STORE_SCRIPTS = {
  /**
   * ARGV: 1 to return the current revision too.
   * @returns format, number, hash, open proposal, and the revision; an empty list for an empty store
   */
  head: `${NOW}${IS_OPEN}
local head = redis.call('HMGET', KEYS[1], 'format', 'number', 'hash', 'proposal')
if not head[2] then return {} end
if not isOpen() then head[4] = '' end
if ARGV[1] == '1' then head[5] = redis.call('HGET', KEYS[2], head[2]) end
return head`,
  /** ARGV: number, hash, revision, documents. */
  seed: `${RECORD}${WRITE}
if redis.call('HEXISTS', KEYS[1], 'number') == 1 then return 0 end
write(4)
record(ARGV[1], ARGV[2], ARGV[3])
return 1`,
  /** ARGV: id, base, revision, its hash, documents. */
  propose: `${NOW}${IS_OPEN}${WRITE}
if redis.call('HGET', KEYS[1], 'number') ~= ARGV[2] then return 'moved' end
if isOpen() then return 'busy' end
-- Not after a deletion: without memory, Redis refuses only what a script writes first.
write(5)
redis.call('HSET', KEYS[1], 'proposal', ARGV[1], 'base', ARGV[2], 'proposed', ARGV[3], 'next', ARGV[4], 'until', now + ${PROPOSAL_TTL})
redis.call('DEL', KEYS[4])
return 'proposed'`,
  proposal: `${NOW}${IS_OPEN}
if not isOpen() then return {} end
return redis.call('HMGET', KEYS[1], 'proposal', 'base', 'proposed')`,
  /** ARGV: proposal, node, answer. */
  answer: `
redis.call('HSET', KEYS[4], ARGV[1] .. ' ' .. ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[4], ${10 * PROPOSAL_TTL})`,
  /** ARGV: proposal. */
  withdraw: `${NOW}${IS_OPEN}
if redis.call('HGET', KEYS[1], 'proposal') == ARGV[1] then close() end`,
  /** ARGV: proposal. */
  commit: `${NOW}${IS_OPEN}${RECORD}
if not isOpen(ARGV[1]) then return 0 end
local number, base, proposed, hash = unpack(redis.call('HMGET', KEYS[1], 'number', 'base', 'proposed', 'next'))
if number ~= base then return 0 end
close()
record(number + 1, hash, proposed)
return 1`,
  /** ARGV: id, report. */
  announce: `${NOW}
redis.call('HSET', KEYS[5], ARGV[1], cjson.encode({ now, ARGV[2] }))`,
  /** @returns age and report in turn */
  nodes: `${NOW}
local found = {}
local all = redis.call('HGETALL', KEYS[5])
for at = 1, #all, 2 do
  local seen = cjson.decode(all[at + 1])
  local age = now - seen[1]
  if age > ${NODE_KEPT} then redis.call('HDEL', KEYS[5], all[at])
  else
    found[#found + 1] = tostring(age)
    found[#found + 1] = seen[2]
  end
end
return found`,
} as const;
