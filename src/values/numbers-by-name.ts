/** Numbers that fit the name of a property. */
import type { DescribedNumber, NumberLook } from '../json/sampler/value-looks.js'
import { rangeOf } from './recipe.js'

const ranges: readonly (readonly [RegExp, readonly [number, number]])[] = [
  [/\bage$/, [18, 80]],
  [/\b(exp|expiry|expiration) ?year$/, [2027, 2032]],
  [/\byears?( (built|founded|established|of \w+))?$/, [1995, 2026]],
  [/\bmonths?$/, [1, 12]],
  [/\bday ?of ?week$|\bweek ?day$/, [1, 7]],
  [/\b(day|day of month)$/, [1, 28]],
  [/\bhours?$/, [0, 23]],
  [/\b(percent|percentage|pct|progress|popularity|opacity|completion|humidity|battery|coverage)$/, [0, 100]],
  [/\b(rating|stars|score)$/, [1, 5]],
  [/\blat(itude)?$/, [-60, 60]],
  [/\b(lng|lon|longitude)$/, [-180, 180]],
  [
    /\b(quantity|qty|count|stock|amount of \w+|votes|likes|views|clicks|impressions|downloads|plays|visits|attempts|retries|num \w+|number of \w+|total \w+s|\w+ count)$/,
    [0, 60],
  ],
  [/\b(ms|millis|milliseconds)$/, [1000, 600_000]],
  [/\b(minutes?|mins?)$/, [5, 120]],
  [/\b(duration|seconds?|secs?|timeout|ttl|expires in|expiry|lifetime)$/, [60, 3600]],
  [/\b(days|weeks)$/, [1, 30]],
  [/\b(bytes|file ?size|content length|size in bytes)$/, [12_000, 4_800_000]],
  [/\b(kb|kilobytes)$/, [12, 4800]],
  [/\b(mb|megabytes|memory|ram)$/, [128, 8192]],
  [/\b(gb|gigabytes|disk|storage)$/, [10, 500]],
  [/\b(width|pixels)$/, [640, 1920]],
  [/\bheight$/, [480, 1080]],
  [/\bport$/, [1024, 65_535]],
  [/^size$/, [1, 40]],
  [/\b(capacity|beds|seats|places|spots|slots|participants|guests|attendees)$/, [2, 40]],
  [/\bfloors?$/, [1, 12]],
  [/\boffset$/, [0, 400]],
  [/\b(http )?status ?code$/, [200, 204]],
  [
    /\b(position|rank|index|order|row|column|page|level|priority|sequence|(disc|track|line|item|episode|season|floor) number|version|revision|day number)$/,
    [1, 12],
  ],
  [
    /\b(price|amount|cost|fee|total|subtotal|balance|tax|discount|deposit|refund|paid|due|charge|credit|debit)( \w+)?$/,
    [5, 400],
  ],
  [/\b(salary|income|revenue|budget|profit)$/, [28_000, 95_000]],
  [/\b(rate|ratio|probability|confidence|share|fraction|similarity)$/, [0, 1]],
  [/\btemperature$/, [-5, 32]],
  [/\b(weight|distance|length|depth|radius|volume|area)$/, [1, 100]],
]

const isCount =
  /\b(number|count|amount|total|how many|how much|sum|value|limit|max\w*|min\w*|in (seconds|minutes|hours|days|px|pixels|cents))\b/i

/** Numbers that stand for something else, such as one of several kinds, or the parts of a place. */
const isCoded =
  /\b(types?|kinds?|mode|status|state|flags?|code|class|format|category|option|override|sign|bbox|bounding box|bounds|coordinates?|points?|interval|vector|matrix|embedding)$/

/** A range in a description: `between 0 and 100`, `from -1.0 to 1.0` */
const saysRange =
  /\b(?:between|from|range(?: is| of)?:?|in) \(?\[?(-?\d+(?:\.\d+)?)\]?(?: and | to | ?- ?| ?– ?| ?\.\. ?|, ?)\+?(-?\d+(?:\.\d+)?)\b/i

function rangeIn(description: string): [number, number] | undefined {
  const [, low, high] = saysRange.exec(description) ?? []
  const [from, to] = [Number(low), Number(high)]
  return low !== undefined && from < to ? [from, to] : undefined
}

/** The range of numbers of this name, if the schema has no bounds. */
function findRange(words: string): readonly [number, number] | undefined {
  const names = [words, words.replace(/s$/, '')]
  return ranges.find(([pattern]) => names.some((name) => pattern.test(name)))?.[1]
}

const fractional =
  /\b(price|amount|cost|fee|total|subtotal|balance|tax|salary|rate|ratio|probability|confidence|share|percent|percentage|score|rating|average|avg|mean|lat|latitude|lng|lon|longitude|temperature|weight|distance|length|depth|speed|value|x|y|z)$/

const isTime =
  /\b(timestamp|epoch|unix|ts|(created|updated|modified|deleted|started|ended|expires|expired|published|finished|completed|added|last \w+|voted|closed|joined|registered|accessed|sent|received|due|start|end|creation|update)( (at|on|date|time|ts|timestamp|utc|unix))?|\w+ (at|date|timestamp)|(date|time) \w+)$/

/** How numbers of a name look. @param words of the name, in lower case with spaces */
export function usualNumber({
  words,
  example,
  isInteger,
  records,
  description,
}: Omit<DescribedNumber, 'name'> & { words: string }): NumberLook {
  const shown = example === undefined ? {} : { example }
  const isLong = example !== undefined && example >= 1e11
  // A number that is only called `due` or `added` may be an amount.
  const saysTime =
    (/\b(at|on|date|time|timestamp|ts|utc|unix|epoch)\b/.test(words) &&
      (!/\b(ms|millis|seconds|duration)$/.test(words) || /\b(timestamp|epoch|unix)\b/.test(words))) ||
    /\b(unix|epoch|timestamp|seconds since)\b/i.test(description) ||
    (/\b(creat|updat|modif)\w*\b/.test(words) && /\b(date|time)\b/i.test(description))
  const mayBeTime =
    example === undefined
      ? saysTime && isTime.test(words) && !/\b(count|number|id|by|days|hours|minutes)\b/.test(words)
      : example >= 1e9 && example < 2e13
  // Few other numbers look like milliseconds.
  if (mayBeTime && (isTime.test(words) || (example !== undefined && example >= 1.2e12 && example < 2e12))) {
    const isMilliseconds = isLong || /\b(ms|millis\w*)\b/i.test(`${words} ${description}`)
    return { ...shown, time: { ...rangeOf(words), unit: isMilliseconds ? 1 : 1000 } }
  }
  const isFraction = !isInteger && (example === undefined ? fractional.test(words) : !Number.isInteger(example))
  const fraction = isFraction ? { isFraction } : {}
  const said = rangeIn(description)
  if (said) return { ...shown, ...(!isInteger && said[1] - said[0] <= 2 && { isFraction: true }), usual: said }
  if (/\bids?$/.test(words)) return { ...shown, ...fraction, usual: [1, records] }
  const usual = findRange(words)
  if (usual && (example === undefined || (example >= usual[0] && example <= usual[1])))
    return { ...shown, ...fraction, usual: [...usual] }
  if (isCoded.test(words))
    return example === undefined ? { isGuess: true } : { ...shown, ...fraction, usual: [example, example] }
  if (example === undefined) return { ...fraction, ...(!isCount.test(`${words} ${description}`) && { isGuess: true }) }
  if (example === 0) return { ...shown, ...fraction }
  const around: [number, number] =
    example > 0
      ? [Math.max(Math.floor(example / 2), Math.min(Math.floor(example), 1)), Math.ceil(example * 1.5)]
      : [Math.floor(example * 1.5), 0]
  return { ...shown, ...fraction, usual: around }
}
