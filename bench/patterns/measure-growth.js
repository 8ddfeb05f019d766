/** Measures how the matching time of a regular expression grows with its input, in processor time. */
import v8 from 'node:v8'
import vm from 'node:vm'

// Otherwise the first run of an expression is interpreted.
v8.setFlagsFromString('--no-regexp-tier-up')

/** Sizes at which inputs are tried, with the microseconds above which they are suspects: exponential, cubic, quadratic growth. */
const sieves = [
  { size: 24, limit: 150 },
  { size: 240, limit: 500 },
  { size: 3000, limit: 120 },
]
/** How much longer than a quarter of it an input takes at least: what finds a match at each letter is slow, but linear. */
const least = 6
const mostSuspects = 8
const batch = 100
const batchMs = 150
const stepMs = 300
/** Microseconds after which no larger input is tried; and the largest input. */
const enough = 10_000
const largest = 130_000
/** Words that differ. */
const numbers = Array.from({ length: largest / 5 }, (_, index) => (index + 1e6).toString(36))
/** What grows faster than `length ** exponent`, and takes longer than these microseconds for a character, is more than linear. */
const linear = 1.5
const certain = 1.8
const slow = 0.15

const context = vm.createContext({})
const call = vm.runInContext('(run) => run()', context)
context.call = call

/** @returns `{ exponent, input, length, ms }` of an input that grows faster, or undefined if all grow linearly */
export function measureGrowth(expression, inputs) {
  const run = createRun(expression)
  for (const suspect of sieve(run, inputs)) {
    const grown = grow(run, suspect)
    // Where other programs run, a time can be twice as long as it should be.
    if (grown && (grown.exponent > certain || grow(run, suspect))) return grown
  }
}

/** An expression that splits, or finds all, continues behind each match; others only fail at each start. */
function createRun({ source, flags, isSplit }) {
  const isAll = isSplit || flags.includes('g')
  const regex = new RegExp(source, isAll && !flags.includes('g') ? `${flags}g` : flags)
  if (flags.includes('y')) return (text) => runSticky(regex, text)
  return isAll ? (text) => text.replace(regex, '') : (text) => regex.exec(text)
}

/** Reads one match behind the other, as readers of tokens do. */
function runSticky(regex, text) {
  for (let at = 0; at <= text.length; at = Math.max(regex.lastIndex, at + 1)) {
    regex.lastIndex = at
    if (!regex.test(text)) return
  }
}

/** Those of exponential growth come first. */
function* sieve(run, inputs) {
  let left = inputs
  let count = 0
  for (const { size, limit } of sieves) {
    const rest = []
    for (let index = 0; index < left.length && count < mostSuspects; ) {
      const first = index
      const end = Math.min(index + batch, left.length)
      let suspect
      const isDone = within(batchMs, () => {
        for (; index < end && !suspect; index++) {
          const text = toText(left[index], size)
          let time = timed(run, text)
          if (time > limit && size >= 3000 && time < least * timed(run, toText(left[index], size / 4))) time = 0
          // The engine's own work, such as collecting garbage, can be much longer than one run.
          for (let again = 0; again < 3 && time > limit && (again === 0 || time < 20 * limit); again++)
            time = Math.min(time, timed(run, text))
          if (time > limit) suspect = left[index]
          else rest.push(left[index])
        }
      })
      // Many that are slow do not end in time either, but the first of them does.
      if (!isDone && index === first) suspect = left[index++]
      if (!suspect) continue
      count++
      yield { ...suspect, from: size }
    }
    left = rest
  }
}

/** Grows an input step by step while that takes little time: by a third where the growth may be exponential, else twofold. */
function grow(run, { from, ...input }) {
  const factor = from === 24 ? 1.34 : 2
  const times = []
  let isHanging = false
  for (let size = from === 24 ? 2 : from / 16; size <= largest && !isHanging; size *= factor) {
    const text = toText(input, Math.round(size))
    let time = stepMs * 1000
    isHanging = !within(stepMs, () => {
      time = leastTime(run, text)
    })
    times.push({ length: text.length, time })
    if (time > enough && (growth(times.slice(-3)) > linear || time > 5 * enough)) break
  }
  const exponent = growth(times.slice(isHanging ? -2 : -3))
  const { length, time } = times.at(-1)
  return exponent < linear || time / length < slow ? undefined : { exponent, input, length, ms: time / 1000, isHanging }
}

/** Of the last steps, because a bounded repeat is linear only beyond its bound. */
function growth(times) {
  const [one, other] = [times[0], times.at(-1)]
  return times.length === 1 ? 0 : Math.log(other.time / one.time) / Math.log(other.length / one.length)
}

function leastTime(run, text) {
  let best = Number.POSITIVE_INFINITY
  let all = 0
  for (let round = 0; round < 4 && all < 2 * enough; round++) {
    let count = 0
    const start = processorTime()
    let time = 0
    do {
      run(text)
      count++
      time = processorTime() - start
    } while (time < 300)
    best = Math.min(best, time / count)
    all += time
  }
  return best
}

function timed(run, text) {
  const start = processorTime()
  run(text)
  return processorTime() - start
}

function processorTime() {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** @returns whether the work ended in time; matching can be interrupted only from outside, by the clock */
function within(ms, work) {
  context.work = work
  for (const start = processorTime(); ; ) {
    try {
      vm.runInContext('call(work)', context, { timeout: ms })
      return true
    } catch (error) {
      if (error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
      // Where other programs run, the clock is ahead of the processor.
      if (processorTime() - start > ms * 800) return false
    }
  }
}

function toText({ prefix, pump, middle = '', second, suffix, isCounted }, size) {
  const half = second === undefined ? size : size / 2
  // Of a long text, more letters are needed to see how its repeats grow.
  const run = (each) =>
    isCounted ? numbers.slice(0, half / 5).join(each) : each.repeat(Math.ceil(half / Math.min(each.length, 16)))
  const text = prefix + run(pump) + middle + (second ? run(second) : '') + suffix
  // A text that is made of pieces is joined before it is measured.
  return Buffer.from(text, 'utf16le').toString('utf16le')
}
