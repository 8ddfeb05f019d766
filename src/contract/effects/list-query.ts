/** How a request chooses among the records of a list, sorts them and goes through their pages. */
import type { JsonType } from '../request-model.js'

/** A value of a request. */
export interface RequestValue {
  in: 'query' | 'body'
  /** The query parameter, or the property of the body. */
  name: string
  /** The property of its value, if that is an object: `size` of `page[size]` with the style `deepObject` */
  member?: string
}

/** One compiled query: no name of a parameter or property is interpreted while a request runs. */
export interface ListQuery {
  filters: ListFilter[]
  order?: ListOrder
  /** What the request says about the size of a page. The first one that it has decides. */
  sizes: RequestValue[]
  /** The size if the request says none. Absent: all records. */
  defaultSize?: number
  maxSize?: number
  /** Where a page begins. The first one that a request has decides. */
  positions: PagePosition[]
  /** What the body says about the page. */
  facts: BodyFact[]
  /** What headers say about the page. */
  headers: { name: string; from: PageFact | 'links' }[]
  /** Whether body or headers have addresses, which depend on the host of the request. */
  hasLinks?: true
}

/**
 * How the value of a record is compared with that of a request. `equal` compares exactly, by the index of the
 * collection; `is` takes several values between commas, and texts that mean the same; `text` looks for a part of it.
 */
export type Comparison = 'equal' | 'is' | 'above' | 'from' | 'below' | 'to' | 'text'

export interface ListFilter extends RequestValue {
  /** Several for a search through texts. Names are separated by `/` where a property is in another one. */
  properties: string[]
  compare: Comparison
  /** JSON types of the properties. Values of the request are converted to one of them to be compared. */
  types: JsonType[]
  /** Values that mean no filter, such as `all`. */
  all?: string[]
  /** The value if the request has none. */
  default?: unknown
}

export interface ListOrder extends RequestValue {
  /** Properties by the names under which requests may know them, in lower case without other signs. */
  properties: Record<string, string>
  /** What says whether the order is descending. */
  direction?: OrderDirection
  /** The property if only a direction is sent. */
  default?: string
}

/** `is`: what a true flag means, as in `descending=true`. Absent if the value is a word such as `desc`. */
export interface OrderDirection extends RequestValue {
  is?: 'ascending' | 'descending'
}

export interface PagePosition extends RequestValue {
  /**
   * A number of records or pages, an opaque cursor that an answer gave, or the key of the record before or behind the
   * page.
   */
  as: 'offset' | 'page' | 'cursor' | 'after' | 'before'
  /** The number of the first record or page. */
  first: number
  /** Whether cursors are numbers. */
  isNumber?: true
  /** Whether no document names the parameter: only links have it. */
  isOwn?: true
}

/** What is known about a page. */
export type PageFact =
  | 'total'
  | 'count'
  | 'size'
  | 'offset'
  | 'from'
  | 'to'
  | 'page'
  | 'pages'
  | 'hasNext'
  | 'hasPrevious'
  | 'isFirst'
  | 'isLast'
  | 'nextCursor'
  | 'previousCursor'
  | 'nextOffset'
  | 'nextPage'
  | 'previousPage'
  | 'selfUrl'
  | 'firstUrl'
  | 'previousUrl'
  | 'nextUrl'
  | 'lastUrl'

/** A property of the body that has a fact about the page. */
export interface BodyFact {
  pointer: string[]
  from: PageFact
  types: JsonType[]
  /** Whether a link must be absolute, as the format `uri` demands. */
  isAbsolute?: true
  /** How many names of the pointer lead to what is left out if there is no such fact. Absent: it must be there. */
  leftOut?: number
}

/** The filters that the index of a collection decides. */
export function equalFilters({ filters }: ListQuery): ListFilter[] {
  return filters.filter(({ compare }) => compare === 'equal')
}

/** The query parameter that limits the number of records. Undefined if there is none. */
export function limitNameOf({ sizes }: ListQuery): string | undefined {
  return sizes.find((each) => each.in === 'query' && each.member === undefined)?.name
}
