/** Faults of a replica and its store that the checker has to find. Each happens now and then. */

/** How many calls go right for each that goes wrong. */
const oneIn = 40

const none = { store: (store) => store, apply: (apply, input) => apply(input) }

/** Each returns a part of `none` that has the fault. `isDue` decides whether it happens now. */
const faults = {
  'a read gets old data': (isDue) => ({
    store: (store) => ({ ...store, open: (id, have) => (have && isDue() ? 'unchanged' : store.open(id, have)) }),
  }),

  'a list comes from a cache': () => {
    const kept = new Map()
    return {
      apply(apply, input) {
        if (input.operation.effect.kind !== 'list') return apply(input)
        const name = `${input.world.key} ${input.operation.id} ${input.query}`
        const known = kept.get(name)
        if (known && known.until > Date.now()) return known.outcome
        const outcome = apply(input)
        if (!(outcome instanceof Promise)) kept.set(name, { outcome, until: Date.now() + 50 })
        return outcome
      },
    }
  },

  'a commit overwrites that of another replica': () => ({
    store: (store) => ({
      ...store,
      async commit(id, commit) {
        const stamp = await store.commit(id, commit)
        if (stamp !== 'conflict') return stamp
        const newest = await store.open(id)
        return newest ? store.commit(id, { ...commit, on: newest.stamp }) : stamp
      },
    }),
  }),

  'a commit is answered and not stored': (isDue) => ({
    store: (store) => ({
      ...store,
      async commit(id, commit) {
        if (!commit.on || !isDue()) return store.commit(id, commit)
        return { ...commit.on, sequence: commit.on.sequence + 1 }
      },
    }),
  }),

  'a commit is answered before it is stored': () => ({
    store: (store) => ({
      ...store,
      async commit(id, commit) {
        if (!commit.on) return store.commit(id, commit)
        store.commit(id, commit).catch(() => undefined)
        return { ...commit.on, sequence: commit.on.sequence + 1 }
      },
    }),
  }),

  'a commit whose answer is lost is made twice': (isDue) => ({
    store: (store) => ({
      ...store,
      async commit(id, commit) {
        const stamp = await store.commit(id, commit)
        if (stamp !== 'conflict' && isDue()) throw new Error('The answer is lost')
        return stamp
      },
      committed: () => undefined,
    }),
  }),

  'a commit stores only a part': (isDue) => ({
    store: (store) => ({
      ...store,
      commit(id, commit) {
        const records = commit.entries.filter(({ name }) => name.startsWith('["record"'))
        const lost = records.length > 1 && isDue() ? records.at(-1) : undefined
        return store.commit(id, { ...commit, entries: commit.entries.filter((entry) => entry !== lost) })
      },
    }),
  }),

  'a removed record comes back': (isDue) => withEntries((entry) => !(isRecord(entry) && isRemoved(entry) && isDue())),
  'the changes of another replica lack a record': (isDue) => ({
    store: (store) => ({
      ...store,
      async open(id, have) {
        const opened = await store.open(id, have)
        if (typeof opened !== 'object' || opened.isWhole) return opened
        const records = opened.entries.filter(isRecord)
        const lost = records.length > 1 && isDue() ? records.at(0) : undefined
        return { ...opened, entries: opened.entries.filter((entry) => entry !== lost) }
      },
    }),
  }),
  'the next key is not stored': () => withEntries(({ name }) => !name.startsWith('["nextKey"')),
  'the number of requests is not stored': () => withEntries(({ name }) => name !== '["requests"]'),
  'kept answers are not stored': () => withEntries(({ name }) => !name.startsWith('["answer"')),

  'a world that was removed begins with its old stamps': () => ({
    store: (store) => {
      const toOwn = (stamp) => (typeof stamp === 'object' ? { ...stamp, incarnation: 'always' } : stamp)
      const known = new Map()
      const keep = (id, stamp) => typeof stamp === 'object' && known.set(id, stamp.incarnation)
      const toStored = (id, stamp) => stamp && { ...stamp, incarnation: known.get(id) ?? '' }
      return {
        ...store,
        async open(id, have) {
          const before = await store.open(id)
          if (!before) return undefined
          keep(id, before.stamp)
          if (have?.sequence === before.stamp.sequence) return 'unchanged'
          return { ...before, stamp: toOwn(before.stamp) }
        },
        async commit(id, commit) {
          const stamp = await store.commit(id, { ...commit, on: toStored(id, commit.on) })
          keep(id, stamp)
          return toOwn(stamp)
        },
        committed: async (id, commitId) => toOwn(await store.committed(id, commitId)),
      }
    },
  }),

  'an answer is computed again after its commit': (isDue) => ({
    async apply(apply, input) {
      const outcome = await apply(input)
      return input.operation.effect.kind === 'list' || !isDue() ? outcome : apply(input)
    },
  }),
}

function isRecord({ name }) {
  return name.startsWith('["record"')
}

function isRemoved({ text }) {
  return text === null || text === 'null'
}

function withEntries(isStored) {
  return {
    store: (store) => ({
      ...store,
      commit: (id, commit) => store.commit(id, { ...commit, entries: commit.entries.filter(isStored) }),
    }),
  }
}

export const faultNames = Object.keys(faults)

/** @param name one of `faultNames`. @default no fault */
export function plant(name) {
  if (!name) return none
  let calls = 0
  const isDue = () => ++calls % oneIn === 0
  return { ...none, ...faults[name](isDue) }
}
