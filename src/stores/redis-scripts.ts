/**
 * The scripts that run in Redis, and the values that they take and return. Each runs as a whole: nothing else runs between its commands, and after a crash all of its
 * changes are there or none.
 *
 * A table with the id `x` has five keys, and worlds have two more for all of them:
 *
 * - `{prefix}:stamp:x`: incarnation and sequence, `AbCdEfGhIjKlMnOp:17`
 * - `{prefix}:entries:x`: a hash of texts by name
 * - `{prefix}:log:x`: the names that each of the last commits changed
 * - `{prefix}:commits:x`: a hash of stamps by commit id; a commit that was given up has an empty one
 * - `{prefix}:before:x`: the same for commits before those
 * - `{prefix}:worlds`: a sorted set of ids, and `{prefix}:labels`: a hash of labels by id
 */
import { createHash, randomBytes } from 'node:crypto'
import { SandboxError } from '../contract/sandbox-error.js'
import { quote, shorten } from '../contract/violations.js'
import { type Commit, type Entry, type Stamp, sharedId } from '../state/commits/store.js'

export interface Script {
  text: string
  /** SHA-1 of the text in hexadecimal, by which the server knows it. */
  hash: string
}

/** Length of the random part of an incarnation. A stamp in Redis begins with it. */
export const incarnationLength = 16

/** Lua passes at most about 8000 values to a function. */
const shared = `
local function each_thousand(list, first, last, call)
  for at = first, last, 1000 do call(unpack(list, at, math.min(at + 999, last))) end
end
local function keep_commit(commits, before, id, stamp)
  redis.call('HSET', commits, id, stamp)
  -- 1000 commits that are promised, and room for those that were given up.
  if redis.call('HLEN', commits) >= 1200 then redis.call('RENAME', commits, before) end
end
local function error_in(found)
  for at = 1, #found do if type(found[at]) == 'table' then return found[at].err end end
end
-- Before anything is written: an error later would leave a half of it.
local function damage_of(stamp, entries, log, commits, before, is_never_empty)
  local found = {
    redis.pcall('HLEN', entries), redis.pcall('LLEN', log), redis.pcall('HLEN', commits), redis.pcall('HLEN', before),
    redis.pcall('GET', stamp),
  }
  local damage = error_in(found)
  if damage then return damage end
  if (found[5] or '') == '' then return found[1] > 0 and 'its stamp is missing' end
  return is_never_empty == '1' and found[1] == 0 and 'its entries are missing'
end
local function commit_of(commits, before, id)
  return redis.call('HGET', commits, id) or redis.call('HGET', before, id)
end
`

/**
 * Keys: worlds, labels, and five for each commit. Values for each commit: its id, the stamp that it is based on (empty: no
 * table), the new stamp, the id of a new world (empty: not a new world), its label, 1 if it replaces everything, 1 if the
 * table always has entries, how many are set, how many are removed, names and texts of the former, names of the latter.
 * Returns for each 1, 0 for a conflict, the stamp of a commit that is stored already, or a list with what is damaged, and 1
 * if that is the list of all worlds.
 */
export const commitScript: Script = toScript(`
local results, at = {}, 1
for key = 3, #KEYS, 5 do
  local stamp, entries, log, commits, before = unpack(KEYS, key, key + 4)
  local id, on, next_stamp, world, label, is_whole, is_never_empty, sets, removals = unpack(ARGV, at, at + 8)
  local first_set, first_removal = at + 9, at + 9 + 2 * sets
  at = first_removal + removals
  local damage = damage_of(stamp, entries, log, commits, before, is_never_empty)
  local unlisted = world ~= '' and error_in({ redis.pcall('ZCARD', KEYS[1]), redis.pcall('HLEN', KEYS[2]) })
  local known = not damage and not unlisted and commit_of(commits, before, id)
  if damage or unlisted then
    results[#results + 1] = { damage or unlisted, damage and 0 or 1 }
  elseif known then
    results[#results + 1] = known == '' and 0 or known
  elseif (redis.call('GET', stamp) or '') ~= on then
    results[#results + 1] = 0
  else
    redis.call('SET', stamp, next_stamp)
    if on == '' or is_whole == '1' then redis.call('UNLINK', entries, log) end
    if on == '' then
      redis.call('PERSIST', commits)
      redis.call('PERSIST', before)
      if world ~= '' then
        redis.call('ZADD', KEYS[1], 0, world)
        redis.call('HSET', KEYS[2], world, label)
      end
    end
    each_thousand(ARGV, first_set, first_removal - 1, function(...) redis.call('HSET', entries, ...) end)
    each_thousand(ARGV, first_removal, at - 1, function(...) redis.call('HDEL', entries, ...) end)
    if on ~= '' and is_whole ~= '1' then
      if sets + removals <= 1000 then
        local names = {}
        for set = first_set, first_removal - 1, 2 do names[#names + 1] = ARGV[set] end
        for removal = first_removal, at - 1 do names[#names + 1] = ARGV[removal] end
        if redis.call('RPUSH', log, cmsgpack.pack(names)) > 200 then redis.call('LTRIM', log, -100, -1) end
      else
        redis.call('UNLINK', log)
      end
    end
    keep_commit(commits, before, id, next_stamp)
    results[#results + 1] = 1
  end
end
return results
`)

/**
 * Keys: stamp, entries, log. Value: the stamp that the caller is at. Returns the newest stamp, and if it is another one,
 * names with their texts: the changes. Without names, or if others have removed the entries, only all entries can be returned, for
 * which a script takes four times as long as a command.
 */
export const changesScript: Script = toScript(`
local newest = redis.call('GET', KEYS[1])
if not newest then return {} end
local start = ${incarnationLength} + 1
if string.sub(newest, 1, start) == string.sub(ARGV[1], 1, start) then
  local behind = tonumber(string.sub(newest, start + 1)) - tonumber(string.sub(ARGV[1], start + 1))
  if behind > 0 and behind <= redis.call('LLEN', KEYS[3]) and redis.call('HLEN', KEYS[2]) > 0 then
    local names, known = {}, {}
    for _, packed in ipairs(redis.call('LRANGE', KEYS[3], -behind, -1)) do
      for _, name in ipairs(cmsgpack.unpack(packed)) do
        if not known[name] then
          known[name] = true
          names[#names + 1] = name
        end
      end
    end
    local texts = {}
    each_thousand(names, 1, #names, function(...)
      for _, text in ipairs(redis.call('HMGET', KEYS[2], ...)) do texts[#texts + 1] = text end
    end)
    return { newest, names, texts }
  end
end
return { newest }
`)

/** Keys: commits, commits before, stamp. Value: the id of a commit. Returns its stamp, or gives it up and returns an empty one. */
export const committedScript: Script = toScript(`
local known = commit_of(KEYS[1], KEYS[2], ARGV[1])
if known then return known end
keep_commit(KEYS[1], KEYS[2], ARGV[1], '')
if redis.call('EXISTS', KEYS[3]) == 0 then
  redis.call('EXPIRE', KEYS[1], 86400)
  redis.call('EXPIRE', KEYS[2], 86400)
end
return ''
`)

/** Keys: worlds, labels. Values: where the list begins, and its limit. Returns ids and labels. */
export const listScript: Script = toScript(`
local ids = redis.call('ZRANGEBYLEX', KEYS[1], ARGV[1], '+', 'LIMIT', 0, ARGV[2])
local labels = {}
each_thousand(ids, 1, #ids, function(...)
  for _, label in ipairs(redis.call('HMGET', KEYS[2], ...)) do labels[#labels + 1] = label end
end)
return { ids, labels }
`)

/**
 * Keys: worlds, labels, and five for each table. Values for each table: its id and incarnation. A table with another one is
 * newer than the call, and stays. The ids of commits stay for a day, as the answers to some may be lost.
 */
export const removeScript: Script = toScript(`
for key = 3, #KEYS, 5 do
  local stamp, entries, log, commits, before = unpack(KEYS, key, key + 4)
  local at = (key - 3) / 5 * 2 + 1
  -- A stamp of another type is none.
  local newest = redis.pcall('GET', stamp)
  if string.sub(type(newest) == 'string' and newest or '', 1, ${incarnationLength}) == ARGV[at + 1] then
    redis.call('UNLINK', stamp, entries, log)
    redis.call('EXPIRE', commits, 86400)
    redis.call('EXPIRE', before, 86400)
    redis.call('ZREM', KEYS[1], ARGV[at])
    redis.call('HDEL', KEYS[2], ARGV[at])
  end
end
`)

function toScript(body: string): Script {
  const text = `${shared}${body}`.trim()
  return { text, hash: createHash('sha1').update(text).digest('hex') }
}

/** Appends the values of `commitScript` for a commit. */
export function pushCommit(values: string[], id: string, commit: Commit, on: string, next: string): void {
  const { commitId, isWhole, isNeverEmpty, entries, label = id } = commit
  const isWorld = !commit.on && id !== sharedId
  values.push(commitId, on, next, isWorld ? id : '', isWorld ? toUtf8(label) : '', isWhole ? '1' : '')
  const counts = values.push(isNeverEmpty ? '1' : '', '', '') - 2
  const removals: string[] = []
  for (const { name, text } of entries) {
    if (text === null) removals.push(toUtf8(name))
    else values.push(toUtf8(name), toUtf8(text))
  }
  values[counts] = String((values.length - counts - 2) / 2)
  values[counts + 1] = String(removals.length)
  for (const name of removals) values.push(name)
}

export function nextStamp(on: Stamp | undefined, run: string): Stamp {
  if (on) return { incarnation: on.incarnation, sequence: on.sequence + 1 }
  const random = randomBytes((incarnationLength / 4) * 3).toString('base64url')
  return { incarnation: `${random}.${run}`, sequence: 1 }
}

/** @returns a stamp as it is stored; empty for none, and one that no table has if it is from another run of the server */
export function toStored(stamp: Stamp | undefined, run: string): string {
  if (!stamp) return ''
  const { incarnation, sequence } = stamp
  if (incarnation.slice(incarnationLength + 1) !== run) return '-'
  return `${incarnation.slice(0, incarnationLength)}:${sequence}`
}

export function toStamp(stored: string, run: string): Stamp {
  if (!/^.{16}:[1-9]\d{0,14}$/.test(stored))
    throw new SandboxError('STORE_UNAVAILABLE', `its stamp is ${quote(shorten(stored))}`)
  return {
    incarnation: `${stored.slice(0, incarnationLength)}.${run}`,
    sequence: Number(stored.slice(incarnationLength + 1)),
  }
}

/** @param pairs names and texts, one after another */
export function toEntries(pairs: readonly string[]): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; at < pairs.length; at += 2) entries.push(toEntry(pairs[at] ?? '', pairs[at + 1] ?? ''))
  return entries
}

export function toEntry(name: string, text: string | null): Entry {
  return { name: fromUtf8(name), text: text === null ? null : fromUtf8(text) }
}

/** UTF-8 cannot represent half of a surrogate pair: such a text is sent as JSON after this character. */
const escaped = '\u0001'

function toUtf8(text: string): string {
  return text.isWellFormed() && !text.startsWith(escaped) ? text : escaped + JSON.stringify(text)
}

/** Text of others that only begins like an escaped one stays as it is, so that the reader of the entry names it. */
export function fromUtf8(text: string): string {
  try {
    return text.startsWith(escaped) ? String(JSON.parse(text.slice(1))) : text
  } catch {
    return text
  }
}
