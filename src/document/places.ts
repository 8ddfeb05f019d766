/** Remembers the original places of parts of a document that were moved or merged. */
import { getOrInsert } from '../json/own-value.js'
import type { DocumentPath } from './document.js'
import type { Source } from './parse-source.js'

/** A part of a file. */
export interface WrittenPlace {
  source: Source
  path: DocumentPath
}

interface Branch {
  place?: WrittenPlace
  members: Map<string, Branch>
}

export interface Places {
  /** Sets the original place of a part and its content. */
  set(path: DocumentPath, place: WrittenPlace): void
  /** The original place of a part. */
  find(path: DocumentPath): WrittenPlace
}

/** @param root the file of all parts without another place */
export function createPlaces(root: Source): Places {
  const tree: Branch = { members: new Map() }
  return {
    set(path, place) {
      let branch = tree
      for (const part of path) branch = getOrInsert(branch.members, String(part), () => ({ members: new Map() }))
      branch.place = place
      branch.members.clear()
    },
    find(path) {
      let found: WrittenPlace = { source: root, path }
      let branch: Branch | undefined = tree
      for (const [depth, part] of path.entries()) {
        branch = branch.members.get(String(part))
        if (!branch) break
        if (branch.place) found = { ...branch.place, path: [...branch.place.path, ...path.slice(depth + 1)] }
      }
      return found
    },
  }
}
