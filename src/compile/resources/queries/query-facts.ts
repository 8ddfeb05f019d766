/** Finds the facts about a page in the body and the headers of a list. */
import type { BodyFact, PageFact, PagePosition } from '../../../contract/effects/list-query.js'
import type { JsonType } from '../../../contract/request-model.js'
import type { Located, OpenApiDocument, Schema } from '../../../document/document.js'
import { isObject, ownValue } from '../../../json/own-value.js'
import { bareName } from '../../../lexicon/words.js'
import { type FlatSchema, flattenSchema, isObjectSchema } from '../../../schemas/flatten-schema.js'

/** Names of objects that describe the page. */
const groups =
  /^(meta|metadata|listmeta|listmetadata|responsemetadata|pagination|paging|paginationinfo|pager|page|pageinfo|pagemeta|pagedetails|pagingdata|pagingdetails|pages|links?|navigation|cursors?|summary|info|result|resultinfo|searchinfo|context|next|nextpage|prev|previous|previouspage|first|last|self|response|header|data)$/

const totals =
  /^(total|grandtotal|overall)(number(of)?)?(count|items|records|results|size|setsize|elements|entries|hits|rows|objects|matches|found|available|resultcount|itemcount)?$|^(items?|records?|results?|rows?|elements?|entries)?total(count)?$|^odatacount$|^(num|number(of)?)(found|results|items|records|total)$|^(item|record|result|row|object|match)s?count$|^totalof\w+$/
const counts =
  /^(resultsetsize|returned|pageitems|numberofelements|currentitems|pageresults|countreturned|itemsonpage|currentcount|pagecount|displayed|resultsreturned)$/
const sizes =
  /^((items|results|records)?per_?page|pagesize|limit|pagelimit|itemsperpage|maxresults|maxitems|max|top|take)$/
const offsets = /^(offset|skip|start|startindex|startposition|startat|firstresult)$/
/** The number of the last record of the page, from 0. */
const ends = /^end(position|index)$/
const pageNumbers = /^(page|currentpage|pagenumber|pageno|pageindex|pagenum|number|thispage)$/
const pageTotals =
  /^(pages|totalpages|totalnumberofpages|numpages|numberofpages|pagetotal|lastpagenumber|totalpagecount|pagestotal)$/
const more =
  /^(has|is)?(more|next|nextpage|morepages|moreitems|moreresults|moredata|morerecords|moreavailable|incomplete)$|^(is|list)?truncated$|^nextpageexists$|^islasttruncated$/
const last = /^(is)?(last|lastpage|lastpageoflist|complete|done|finished|eof|endoflist|allfetched)$/
const first = /^(is)?(first|firstpage)$/
const hasPrevious = /^(has|is)?prev(ious)?(page|items)?$/
const cursorWord = '(token|cursor|marker|key|bookmark|iterator|id|value)'
const nextCursors = new RegExp(
  `^(next|nextpage|continuation|continue|end|nextset|nextstart)${cursorWord}$|^(next|nextpage|cursor|iterator|continuation|continue|after|marker|bookmark|scrollid|startingafter|pagetoken|lastevaluatedkey|endcursor|aftercursor|cursornext)$`,
)
const previousCursors = new RegExp(
  `^(prev|previous|prevpage|previouspage|start)${cursorWord}$|^(prev|previous|before|beforecursor|cursorprev)$`,
)
const links = /(url|link|href|uri)$/

interface FactContext {
  document: OpenApiDocument
  positions: readonly PagePosition[]
  /** The names that lead to the list. */
  list: readonly string[]
  /** The documented examples of the body. */
  examples: readonly unknown[]
}

/** @param body the schema of the success body */
export function findFacts(body: Located<Schema>, context: FactContext): BodyFact[] {
  const { document, list } = context
  const found: BodyFact[] = []
  visit(body, [], 0, undefined)
  return withTotals(found)

  function visit(schema: Located<Schema>, pointer: string[], isInside: number, optional: number | undefined): void {
    const flat = flattenSchema(document, schema)
    for (const [name, property] of flat.properties) {
      const here = [...pointer, name]
      if (here.join('/') === list.join('/')) continue
      const inner = flattenSchema(document, property)
      const isOptional = !flat.required.has(name)
      if (isObjectSchema(inner) && inner.properties.size > 0) {
        const isOnWay = list.slice(0, here.length).join('/') === here.join('/')
        const isAbout = groups.test(bareName(name)) && pointer.length < 4
        const isPart = /^(next|nextpage|prev|previous|previouspage)$/.test(bareName(name)) && isOptional
        if (isOnWay || isAbout) visit(property, here, isInside + 1, isPart ? here.length : optional)
        continue
      }
      if (inner.types.has('array') || inner.types.has('object')) continue
      const from = factOf(here, inner, context)
      if (from === undefined) continue
      const leftOut = isOptional ? here.length : undefined
      const isAbsolute = from.endsWith('Url') && isAbsoluteLink(inner, here, context)
      const types = [...inner.types] as JsonType[]
      const absolute = isAbsolute ? { isAbsolute: true as const } : {}
      // Beside a cursor, a link that cannot be made is left out alone.
      const isAlone = leftOut !== undefined && from.endsWith('Url') && [...flat.properties.keys()].some(isCursor)
      found.push({ pointer: here, from, types, ...absolute, ...leaveOut(isAlone ? leftOut : (optional ?? leftOut)) })
    }
  }
}

const isCursor = (name: string) => new RegExp(`^(after|before|${cursorWord})$`).test(bareName(name))

/** Links have a host if their format requires it, or if their examples have one. */
function isAbsoluteLink({ keywords }: FlatSchema, pointer: readonly string[], { examples }: FactContext): boolean {
  if (/^(uri|url|iri)$/.test(keywords.format ?? '')) return true
  const shown = examples.map((body) =>
    pointer.reduce((at, name) => (isObject(at) ? ownValue(at, name) : undefined), body),
  )
  return [keywords.example, ...shown].some((value) => /^https?:\/\/./.test(String(value)))
}

function leaveOut(names: number | undefined): { leftOut?: number } {
  return names === undefined ? {} : { leftOut: names }
}

/** A count is the total number of records, unless the body also has a total. */
function withTotals(fields: BodyFact[]): BodyFact[] {
  const hasTotal = fields.some(({ from }) => from === 'total')
  const isCount = ({ pointer }: BodyFact) => bareName(pointer.at(-1) ?? '') === 'count'
  return fields.map((field) => (!hasTotal && isCount(field) ? { ...field, from: 'total' } : field))
}

function factOf(pointer: readonly string[], flat: FlatSchema, { positions }: FactContext): PageFact | undefined {
  const names = pointer.map(bareName)
  const name = names.at(-1) ?? ''
  const above = names.at(-2) ?? ''
  const isNumber = flat.types.has('integer') || flat.types.has('number')
  const isText = flat.types.size === 0 || flat.types.has('string')
  const isLink = isUrl(names, flat, positions)
  if (flat.types.has('boolean')) return flagOf(name)
  if (/^(next|nextpage)$/.test(above)) {
    if (isLink) return 'nextUrl'
    return isText && new RegExp(`^(after|page|start|${cursorWord})`).test(name) ? 'nextCursor' : undefined
  }
  if (/^(prev|previous|previouspage)$/.test(above)) {
    if (isLink) return 'previousUrl'
    return isText && new RegExp(`^(before|page|${cursorWord})`).test(name) ? 'previousCursor' : undefined
  }
  if (isLink && isText) return linkOf(name, above)
  if (isNumber) return numberOf(name, positions)
  if (!isText) return undefined
  // Counts may be texts.
  if (/^(resultset|totalset)size$|^(start|end)position$/.test(name)) return numberOf(name, positions)
  if (totals.test(name) && /total|count/.test(name)) return 'total'
  if (/^(first|last)(id|key)$/.test(name)) return name.startsWith('first') ? 'firstKey' : 'lastKey'
  const isNext = nextCursors.test(name) || (above === 'cursors' && /^(next|after)$/.test(name))
  if (isNext) return /^(nextpage|next)$/.test(name) && isByPage(positions) ? 'nextPage' : 'nextCursor'
  if (previousCursors.test(name)) return /^prev/.test(name) && isByPage(positions) ? 'previousPage' : 'previousCursor'
  return undefined
}

function flagOf(name: string): PageFact | undefined {
  if (more.test(name)) return 'hasNext'
  if (last.test(name)) return 'isLast'
  if (first.test(name)) return 'isFirst'
  return hasPrevious.test(name) ? 'hasPrevious' : undefined
}

function numberOf(name: string, positions: readonly PagePosition[]): PageFact | undefined {
  // The items themselves are a list.
  if (/^(results|items|records|objects)$/.test(name)) return 'total'
  if (totals.test(name)) return 'total'
  if (pageTotals.test(name) || name === 'lastpage') return 'pages'
  if ((name === 'from' || name === 'to') && positions.length > 0) return name
  if (name === 'pagecount') return positions.some(({ as }) => as === 'page') ? 'pages' : 'count'
  if (counts.test(name) || name === 'count') return 'count'
  if (sizes.test(name) || name === 'size' || name === 'perpage') return 'size'
  if (/^next(offset|start|startat|skip|index)$/.test(name)) return 'nextOffset'
  if (/^next(page|pagenumber)$/.test(name)) return 'nextPage'
  if (name === 'next') return isByPage(positions) ? 'nextPage' : 'nextOffset'
  if (/^prev(ious)?(page|pagenumber)?$/.test(name)) return 'previousPage'
  if (nextCursors.test(name)) return 'nextCursor'
  if (previousCursors.test(name)) return 'previousCursor'
  if (pageNumbers.test(name)) return positions.length > 0 || name !== 'number' ? 'page' : undefined
  if (ends.test(name) && positions.length > 0) return 'lastOffset'
  return offsets.test(name) ? 'offset' : undefined
}

function isByPage(positions: readonly PagePosition[]): boolean {
  return positions.some(({ as }) => as === 'page') && !positions.some(({ as }) => as === 'cursor' || as === 'after')
}

function isUrl(names: readonly string[], flat: FlatSchema, positions: readonly PagePosition[]): boolean {
  const name = names.at(-1) ?? ''
  if (/^uri|^url$/.test(flat.keywords.format ?? '') || links.test(name)) return true
  const isInLinks = names.slice(0, -1).some((each) => /^links?$|^navigation$/.test(each))
  const hasCursor = positions.some(({ as }) => as === 'cursor' || as === 'after')
  const example = String(flat.keywords.example ?? '')
  return isInLinks || /^(https?:\/)?\//.test(example) || (/^(next|prev|previous)$/.test(name) && !hasCursor)
}

function linkOf(name: string, above: string): PageFact | undefined {
  const bare = name.replace(/(page)?(results?|set)?(url|link|href|uri)$/, '') || above
  if (/^(next|odatanext|nextpage)$/.test(bare)) return 'nextUrl'
  if (/^(prev|previous|previouspage)$/.test(bare)) return 'previousUrl'
  if (/^(first|firstpage)$/.test(bare)) return 'firstUrl'
  if (/^(last|lastpage)$/.test(bare)) return 'lastUrl'
  return /^self$/.test(bare) ? 'selfUrl' : undefined
}

const headers: [RegExp, PageFact | 'links'][] = [
  [/^link$/, 'links'],
  [
    /^x?(pagination)?total(count|items|results|records|elements)?$|^paginationcount$|^x(total|item|result|record)s?count$/,
    'total',
  ],
  [/^x?(pagination)?(total)?pages?(count|total)?$|^x?paginationpagecount$|^xtotalpages$|^xpages$/, 'pages'],
  [/^x?(pagination)?(current)?page(number)?$/, 'page'],
  [/^x?(pagination)?(per_?page|pagesize|limit)$/, 'size'],
  [/^x?(pagination)?offset$/, 'offset'],
  [/^x?(pagination)?nextpage$/, 'nextPage'],
  [/^x?(pagination)?prev(ious)?page$/, 'previousPage'],
  [/^x?(pagination)?next(cursor|token|pagetoken)$|^xcontinuation(token)?$/, 'nextCursor'],
  [/^x?(pagination)?(has)?more$|^xhasmore$|^xhasnext(page)?$/, 'hasNext'],
]

/** The fact about the page in a documented header. */
export function headerFact(name: string): PageFact | 'links' | undefined {
  const bare = bareName(name)
  if (bare === 'page') return 'page'
  return headers.find(([pattern]) => pattern.test(bare))?.[1]
}
