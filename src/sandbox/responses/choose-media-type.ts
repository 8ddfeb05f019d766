/** Finds the media type that an `Accept` header prefers. */
import type { Operation } from '../../contract/contract.js'

/** The position of the media type of an answer: 0 for that of the effect. */
export function positionOfType({ effect, representations = [] }: Operation, accept: string | undefined): number {
  const own = 'mediaType' in effect ? effect.mediaType : undefined
  if (own === undefined || accept === undefined || representations.length === 0) return 0
  return Math.max(0, choose(accept, [own, ...representations.map(({ mediaType }) => mediaType)]))
}

/** @returns the position of the preferred type, the first of equals; -1 if none is acceptable */
export function choose(accept: string, types: readonly string[]): number {
  const ranges = accept.split(',').map(parseRange)
  const weights = types.map((type) => weigh(ranges, (type.split(';')[0] ?? '').trim().toLowerCase()))
  const greatest = Math.max(...weights)
  return greatest === 0 ? -1 : weights.indexOf(greatest)
}

interface MediaRange {
  range: string
  quality: number
}

function parseRange(written: string): MediaRange {
  const [range = '', ...parameters] = written.split(';').map((part) => part.trim().toLowerCase())
  const quality = Number(parameters.find((each) => each.startsWith('q='))?.slice(2) ?? 1)
  return { range, quality: quality >= 0 && quality <= 1 ? quality : 1 }
}

/** The weight of the most specific range that contains a type. */
function weigh(ranges: readonly MediaRange[], type: string): number {
  for (const wanted of [type, type.replace(/\/.*/, '/*'), '*/*']) {
    const qualities = ranges.filter(({ range }) => range === wanted).map(({ quality }) => quality)
    if (qualities.length > 0) return Math.max(...qualities)
  }
  return 0
}
