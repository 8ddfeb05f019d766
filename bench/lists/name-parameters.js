/** Tells by their names which query parameters page a list. */
import { normalize } from '../documents/collect-keys.js'

const toSet = (text) => new Set(text.split(/\s+/))

const sizes = toSet(
  `limit pagesize perpage maxresults maxitems top itemsperpage pagelimit take resultsperpage recordsperpage maxpagesize
  countperpage pagemaxsize pageperpage maxrecords maxresult maxrows pagesizelimit numperpage rowsperpage limitperpage`,
)
/** Sizes only beside another parameter that pages. */
const weakSizes = toSet('size count max rows first num length batchsize numresults')
const offsets = toSet('offset skip startindex pageoffset firstresult startat startposition startrow offsetindex')
const weakOffsets = toSet('start from begin')
const pages = toSet('page pagenumber pageno pageindex pagenum p currentpage pagenr pageid')
const tokens = toSet(
  `cursor pagetoken nexttoken nextpagetoken pagecursor nextcursor continuationtoken continuation scrollid bookmark
  skiptoken paginationtoken resumetoken nextpage startcursor pagemarker nextmarker token next pagenext`,
)
/** Tokens, or the key of the last record. */
const afters = toSet('after startingafter pageafter pagestartingafter afterid lastid marker aftercursor cursorafter')

const number = /^(integer|number)$/

/**
 * @param fits returns a value that a parameter takes, out of those that are given
 * @returns `{ size, offset, page, token, after }`, of which any may be missing
 */
export function namePaging({ parameters }, { fits, resolve }) {
  const query = parameters.filter(({ in: place }) => place === 'query')
  const find = (names, isCount) =>
    query.find((each) => names.has(normalize(each.name)) && isCount === takesCount(each, { fits, resolve }))
  const offset = find(offsets, true)
  const page = find(pages, true)
  const token = find(tokens, false) ?? find(pages, false)
  const after = find(afters, false)
  const size = find(sizes, true)
  const others = [offset, page, token, after].some((each) => each !== undefined)
  const weakOffset = size !== undefined && !others ? find(weakOffsets, true) : undefined
  return {
    size: size ?? (others || find(weakOffsets, true) ? find(weakSizes, true) : undefined),
    offset: offset ?? weakOffset,
    page,
    token,
    after,
  }
}

/** A number, or a text without another form that takes one. */
function takesCount(parameter, { fits, resolve }) {
  const { type } = resolve(parameter.schema) ?? {}
  if (number.test([type].flat().find((each) => each !== 'null'))) return true
  // One of several alternatives.
  if (type === undefined) return fits(parameter, [2]) === 2 && fits(parameter, ['two']) === undefined
  if (type !== 'string') return false
  const isCounted = /number|integer|how many|maximum|count|size|offset/i.test(parameter.description ?? '')
  const isToken = /token|cursor|opaque/i.test(parameter.description ?? '')
  return isCounted && !isToken && fits(parameter, [2]) !== undefined
}

/** The number of the first page, or the offset of the first record: those that are possible, the surest first. */
export function firstNumbers({ schema, description = '', name }, { resolve, isPage }) {
  const { default: usual, minimum } = resolve(schema) ?? {}
  const said = /zero[- ]?(based|indexed)|0[- ]?(based|indexed)|(start|begin)\w* (at|from|with) (0|zero)\b/i
  const saidOne = /one[- ]?(based|indexed)|1[- ]?(based|indexed)|(start|begin)\w* (at|from|with) (1|one)\b/i
  if (said.test(description)) return [0]
  if (saidOne.test(description)) return [1]
  if (Number.isInteger(usual)) return [usual]
  if (minimum === 0 || minimum === 1) return minimum === 0 && isPage ? [0, 1] : [minimum]
  return isPage || /startindex|startposition/.test(normalize(name)) ? [1, 0] : [0, 1]
}

/** Whether an offset counts pages. */
export function countsPages({ description = '' }) {
  return /page (number|index)|(skip|number of|which) pages?\b/i.test(description)
}
