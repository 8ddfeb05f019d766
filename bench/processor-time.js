/** Processor time and memory of a process and its children, from /proc on Linux. */
import { readdirSync, readFileSync } from 'node:fs'

/** A tick of /proc/<pid>/stat is a hundredth of a second on every Linux that Node.js runs on. */
const microsecondsPerTick = 10_000

/** Ids of the process and all its descendants. */
export function processTree(pid) {
  const parents = new Map()
  for (const entry of readdirSync('/proc')) {
    const stat = /^\d+$/.test(entry) ? readStat(entry) : undefined
    if (stat) parents.set(Number(entry), Number(stat[1]))
  }
  const tree = [pid]
  for (const member of tree) for (const [child, parent] of parents) if (parent === member) tree.push(child)
  return tree
}

/** User and system time in microseconds of the process and its children, including ended ones. */
export function processorTime(pid) {
  let ticks = 0
  for (const member of processTree(pid)) {
    // utime, stime, cutime, cstime
    const times = readStat(member)?.slice(11, 15) ?? []
    for (const time of times) ticks += Number(time)
  }
  return ticks * microsecondsPerTick
}

/**
 * The same for one process without children, in nanosecond resolution if Linux provides it, because a start takes only
 * a few ticks. Does not include ended threads.
 */
export function preciseProcessorTime(pid) {
  let nanoseconds = 0
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const used = read(`/proc/${pid}/task/${thread}/schedstat`)
    if (used === undefined) return processorTime(pid)
    nanoseconds += Number(used.split(' ')[0])
  }
  return nanoseconds / 1000
}

/** Resident memory in bytes of the process and its children. */
export function residentMemory(pid) {
  let kilobytes = 0
  for (const member of processTree(pid)) {
    const status = read(`/proc/${member}/status`)
    kilobytes += Number(/^VmRSS:\s+(\d+)/m.exec(status ?? '')?.[1] ?? 0)
  }
  return kilobytes * 1024
}

/** The greatest resident memory that one process has had, in bytes; 0 if it has ended. */
export function peakMemory(pid) {
  return Number(/^VmHWM:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1] ?? 0) * 1024
}

/** The fields from the third on. The second, a name in parentheses, may contain spaces. */
function readStat(pid) {
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
