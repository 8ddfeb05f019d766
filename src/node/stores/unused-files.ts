/** Removes files that nothing in a database refers to. */
import { isDamage } from './sqlite-engine.js'
import { type Tables, toText } from './tables.js'

const hash = /[0-9a-f]{64}/g

/**
 * Removes files to which no entry refers, as `Store.blob` says. It must be called before the first commit: a file is kept
 * before the commit that refers to it.
 */
export function removeUnusedFiles(tables: Tables): void {
  // The data of the sandbox, from which all worlds differ, is a file, too.
  if (tables.hashes(2).length < 2) return
  try {
    tables.run('begin')
    const used = new Set<string>()
    for (const text of tables.referringTexts()) for (const [found] of toText(text).matchAll(hash)) used.add(found)
    for (const each of tables.hashes(-1)) if (!used.has(each)) tables.removeFile(each)
    tables.run('commit')
  } catch (error) {
    try {
      tables.run('rollback')
    } catch {
      // SQLite has already done so.
    }
    // Damage is found when the entry is read. Then no file is removed.
    if (!isDamage(error)) throw error
  }
}
