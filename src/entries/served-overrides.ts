/** The overrides of a server, which are loaded again when one of their files changes. */
import { createHash } from 'node:crypto'
import { loadOverrides } from '../node/load-overrides.js'
import type { Overrides } from '../sandbox/overrides/override-types.js'

export interface ServedOverrides {
  readonly all: readonly Overrides[]
  /** The files that were read, also those that other ones import. */
  readonly files: readonly string[]
  /** Of all that was loaded, in hexadecimal. */
  readonly hash: string
  /**
   * Loads the files again. If one has an error, or what uses them refuses, what was loaded before stays.
   * @throws SandboxError
   */
  load(use: (all: readonly Overrides[]) => void, onRead?: (path: string) => void): void
}

/** @throws SandboxError if a file can't be loaded */
export function createServedOverrides(given: readonly (string | object)[]): ServedOverrides {
  let files: string[] = []
  let loaded = loadAll()

  function loadAll(onRead?: (path: string) => void) {
    const read = new Set(files)
    const hash = createHash('sha256')
    try {
      const all = given.map((each) => {
        if (typeof each !== 'string') {
          for (const [name, code] of Object.entries(each)) hash.update(`${name}\n${code}\n`)
          return each as Overrides
        }
        const { overrides, hash: own } = loadOverrides(each, (path) => {
          read.add(path)
          onRead?.(path)
        })
        hash.update(own)
        return overrides
      })
      return { all, hash: hash.digest('hex') }
    } finally {
      files = [...read]
    }
  }

  return {
    get all() {
      return loaded.all
    },
    get files() {
      return files
    },
    get hash() {
      return loaded.hash
    },
    load(use, onRead) {
      const next = loadAll(onRead)
      use(next.all)
      loaded = next
    },
  }
}
