/** Chooses among the operations whose documented paths match a request. */
import type { RequestContract } from '../../contract/contract.js'
import type { QueryPair } from '../../contract/path-template.js'
import type { Selector } from '../../contract/request-model.js'
import { createNamed } from '../../json/own-value.js'
import { toRounded } from '../../json/rounding.js'
import type { ParameterReader, PathTexts } from './read-parameters.js'
import type { SandboxRequest } from './request.js'
import type { Match, Target } from './route-tree.js'

/** An operation whose documented path and query match a request. The method may differ. */
export interface Candidate extends Match {
  method: string
  target: Target
  /** How many pairs of the documented query the request has, plus the weight of the selector. */
  pairs: number
}

export function toCandidates(matches: readonly Match[], request: SandboxRequest): Candidate[] {
  const given = new URLSearchParams(request.query)
  return matches.flatMap((match) =>
    [...match.end.targets].flatMap(([method, targets]) =>
      targets.flatMap((target) => {
        const { query: documented } = target.template
        const pairs = documented.filter(isGiven).length + weigh(target.operation.selector)
        return documented.every((pair) => pair.value === undefined || isGiven(pair))
          ? { ...match, method, target, pairs }
          : []
      }),
    ),
  )

  /** Negative without the selector. Otherwise grows with each of its parameters, but is below 1 if one is missing. */
  function weigh(selector: Selector | undefined): number {
    if (!selector) return 0
    const { others = [] } = selector
    if (!isSent(selector)) return -1
    const missing = others.filter((other) => !isSent(other)).length
    return missing === 0 ? 1 + others.length : 1 - missing / (1 + others.length)
  }

  function isSent({ in: place, name, value }: Selector): boolean {
    const sent = place === 'query' ? given.get(name) : request.header(name.toLowerCase())
    return value === undefined ? sent != null : sent === value
  }

  function isGiven({ name, value }: QueryPair): boolean {
    return value === undefined ? given.has(name) : given.getAll(name).includes(value)
  }
}

/** Returns the candidate with the most literal path, then the most pairs, then the first with valid path parameters. */
export function chooseCandidate(
  contract: RequestContract,
  readParameters: ParameterReader,
  request: SandboxRequest,
  candidates: readonly Candidate[],
): Candidate | undefined {
  const sorted = candidates.toSorted((a, b) => compare(a, b) || a.target.index - b.target.index)
  const [first] = sorted
  const equal = sorted.filter((each) => first && compare(first, each) === 0)
  return equal.length < 2
    ? first
    : (equal.find((each) => hasValidPath(contract, readParameters, request, each)) ?? first)
}

/** Compares segment by segment: segments further left count more. */
function compare(a: Candidate, b: Candidate): number {
  const { rank } = a.end
  const place = rank.findIndex((each, index) => each !== b.end.rank[index])
  if (place !== -1) return (b.end.rank[place] ?? 0) - (rank[place] ?? 0)
  return b.pairs - a.pairs || Number(isReplaced(a)) - Number(isReplaced(b))
}

/** Whether a GET operation answers a HEAD request. */
function isReplaced({ method, target }: Candidate): boolean {
  return method !== target.operation.method
}

function hasValidPath(
  { validators }: RequestContract,
  readParameters: ParameterReader,
  request: SandboxRequest,
  { target, values }: Candidate,
): boolean {
  const { validatePath, parameters } = target.operation
  if (validatePath === undefined) return true
  const inPath = parameters.filter(({ in: place }) => place === 'path')
  const read = readParameters(request, inPath, toPathTexts(target, values))
  return validators[validatePath]?.(toRounded(read.values)) === true
}

/** The texts of the path parameters by name. */
export function toPathTexts({ names }: Target, values: Match['values']): PathTexts {
  const texts: PathTexts = createNamed()
  for (let index = 0; index < names.length; index++) texts[names[index] ?? ''] = values[index]
  return texts
}

/** The path of an absolute link that a client appended to the address of a server. Undefined for any other path. */
export function pathOfJoined(path: string): string | undefined {
  return /^\/https?:\/\/[^/]+(\/.*)$/i.exec(path)?.[1]
}
