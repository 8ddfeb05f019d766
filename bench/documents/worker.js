/** A measurement of one document in a process of its own, which tells its steps and its result to the one that started it. */
import { readDocument } from './read-document.js'

/** What this process has to measure. */
export const task = JSON.parse(process.argv[2])

export function step(what) {
  process.send({ step: what })
}

/** @param measure takes the document, and returns the result */
export async function work(measure) {
  const done = (result) => process.send({ result: { name: task.name, ...result } }, () => process.exit())
  try {
    step('reading')
    const { read, why } = tryRead()
    done(read ? await measure(read) : { outcome: 'not readable', why })
  } catch (error) {
    done({ outcome: 'harness', why: `${error.stack}`.slice(0, 500) })
  }
}

function tryRead() {
  try {
    return { read: readDocument(task.file) }
  } catch (error) {
    return { why: error.message.slice(0, 200) }
  }
}
