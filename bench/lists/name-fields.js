/** Tells by their names what the fields around a list say about it. */
import { normalize } from '../documents/collect-keys.js'

const toSet = (text) => new Set(text.split(/\s+/))

/** Objects that say something about the page. Others have totals of something else. */
const around = toSet(
  `meta pagination paging page pageinfo metadata responsemetadata pager links cursors next previous prev info paginationinfo
  data response result results list embedded header pages paginationmetadata pagingmetadata pageable listmeta`,
)

const names = {
  total: toSet(
    `total totalcount totalelements totalitems totalresults totalrecords totalsize totalrows totalentries totalhits
    numfound odatacount recordstotal totalavailable totalobjects totalnumber counttotal totalnumberofitems itemstotal`,
  ),
  count: toSet('count resultcount resultscount itemcount recordcount numresults'),
  length: toSet('numberofelements returned returnedcount currentitemcount itemsinpage countinpage'),
  pages: toSet('totalpages pagecount pages numpages totalpagecount pagetotal numberofpages lastpage'),
  page: toSet('page pagenumber currentpage pageindex pageno pagenum'),
  size: toSet('perpage pagesize limit itemsperpage'),
  offset: toSet('offset skip startindex'),
  more: toSet('hasmore hasnext hasnextpage more moreresults hasmoreitems istruncated truncated hasmoreresults'),
  last: toSet('last islast lastpage islastpage'),
  first: toSet('first isfirst firstpage isfirstpage'),
  before: toSet('hasprevious hasprev haspreviouspage hasprevpage'),
  next: toSet(
    `next nextpage nextpageurl nextlink nexturl odatanextlink nextpagelink nexthref nexturi nextpageuri nextpath
    nexttoken nextpagetoken nextcursor nextmarker continuationtoken endcursor nextoffset nextpagenumber nextpath
    nextafter cursornext nextid nextcontinuationtoken`,
  ),
  previous: toSet(
    'previous prev previouspage prevpage previousurl prevurl previouslink prevlink prevpageurl previouspageurl',
  ),
}
/** What a field must be, besides its name. */
const types = {
  total: /integer|number|string/,
  count: /integer|number/,
  length: /integer|number/,
  pages: /integer|number/,
  page: /integer|number/,
  size: /integer|number/,
  offset: /integer|number/,
  more: /boolean/,
  last: /boolean/,
  first: /boolean/,
  before: /boolean/,
  next: /string|integer|number|undefined/,
  previous: /string|integer|undefined/,
}

/**
 * @param fields what `findLists` found
 * @param pointer of the array
 * @returns the fields that are known, with `kind`, `label` and, for links, `isLink` and `isToken`
 */
export function nameFields(fields, pointer) {
  const found = fields.flatMap((field) => toNamed(field, pointer) ?? [])
  const hasBoth = ['next', 'previous'].every((kind) => found.some((each) => each.kind === kind))
  // Beside links, a count is that of all records.
  const hasTotal = found.some(({ kind }) => kind === 'total')
  return found.map((each) => (each.kind === 'count' && hasBoth && !hasTotal ? { ...each, kind: 'total' } : each))
}

/** Whether an object at a place says something about the list at a pointer. */
export function isAround(place, pointer) {
  return around.has(normalize(place.at(-1))) || place.every((name, index) => name === pointer[index])
}

function toNamed(field, pointer) {
  const { header, schema } = field
  if (header !== undefined) return toHeader(field)
  const path = field.pointer.map(normalize)
  const own = path.at(-1)
  const parents = path.slice(0, -1)
  if (!parents.every((_, index) => isAround(field.pointer.slice(0, index + 1), pointer))) return undefined
  const type = String([schema?.type].flat().find((each) => each !== 'null'))
  const label = field.pointer.join('.')
  const direction = ['next', 'previous', 'prev'].find((name) => parents.at(-1) === name)
  if (direction !== undefined && /^(href|url|uri|link|after|cursor|token)$/.test(own)) {
    const kind = direction === 'next' ? 'next' : 'previous'
    return { ...field, kind, label, isLink: /^(href|url|uri|link)$/.test(own) }
  }
  const isOfPage = parents.at(-1) === 'page' || parents.at(-1) === 'pagination' || parents.at(-1) === 'pageable'
  if (isOfPage && (own === 'size' || own === 'number')) return { ...field, kind: own === 'size' ? own : 'page', label }
  if (own === 'after' && parents.at(-1) === 'cursors') return { ...field, kind: 'next', label, isLink: false }
  const kind = Object.keys(names).find((each) => names[each].has(own) && types[each].test(type))
  if (kind === undefined) return undefined
  const isLink = /ur[li]$|link$|href$/.test(own) || /ur[il]/.test(schema?.format ?? '') || parents.at(-1) === 'links'
  return { ...field, kind, label, isLink }
}

function toHeader(field) {
  const bare = normalize(field.header)
  const label = `header ${field.header}`
  if (bare === 'link') return { ...field, kind: 'link', label, isLink: true }
  const own = bare.replace(/^x/, '').replace(/^pagination/, '')
  const kind = ['total', 'pages', 'page', 'size', 'offset'].find((each) => names[each].has(own))
  return kind && { ...field, kind, label }
}

/** The address of a relation in a header `Link` (RFC 8288). */
export function linkOf(header, relation) {
  for (const part of String(header ?? '').split(/,\s*(?=<)/)) {
    const [, address, rest] = /^\s*<([^>]*)>(.*)$/.exec(part) ?? []
    if (address !== undefined && new RegExp(`rel="?([^"]*\\s)?${relation}(\\s[^"]*)?"?(;|$|\\s)`).test(rest))
      return address
  }
}
