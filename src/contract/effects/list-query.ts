/** How a request filters, sorts and pages the records of a list. */
import type { JsonType } from '../request-model.js'

/** A value of a request. */
export interface RequestValue {
  in: 'path' | 'query' | 'body' | 'header'
  /** The parameter, or the property of the body. */
  name: string
  /** The property in its value if that is an object: `size` in `page[size]` with the style `deepObject`. Headers have JSON. */
  member?: string
  /** The properties that lead to it, if it is deeper in the body. */
  pointer?: string[]
}

/** A compiled query: names of parameters and properties are interpreted only at compile time. */
export interface ListQuery {
  filters: ListFilter[]
  order?: ListOrder
  /** The order if a request gives none. Absent: that of creation, the newest first. */
  standard?: PropertyOrder
  /** Whether the order of creation begins with the oldest record. */
  isOldestFirst?: true
  /** Properties that follow the order of creation: a record without one is the newest. */
  created?: string[]
  /** The page sizes that a request may give. The first one present counts. */
  sizes: RequestValue[]
  /** The size if the request gives none. Absent: all records. */
  defaultSize?: number
  maxSize?: number
  /** The positions that a request may give. The first one present counts. */
  positions: PagePosition[]
  /** Facts about the page in the body. */
  facts: BodyFact[]
  /** Facts about the page in headers. */
  headers: { name: string; from: PageFact | 'links' }[]
  /** Whether the body or headers have links, which depend on the host of the request. */
  hasLinks?: true
}

/**
 * How the value of a record is compared with that of a request. `equal` compares exactly, with the index of the
 * collection; `is` accepts several values with commas, and equivalent texts; `text`, `start` and `end` search in a text.
 */
export type Comparison = 'equal' | 'is' | 'above' | 'from' | 'below' | 'to' | 'text' | 'start' | 'end'

export interface ListFilter extends RequestValue {
  /** Several for a text search. `/` separates the names of nested properties. */
  properties: string[]
  compare: Comparison
  /** JSON types of the properties. Values of the request are converted to one of them before the comparison. */
  types: JsonType[]
  /** For expressions such as `name eq "x"`: the properties by their names, in lower case and without punctuation. */
  names?: Record<string, [property: string, types: JsonType[]]>
  /** Whether the value is always an expression, so that no other text filters. */
  isExpression?: true
  /** How an object or a list states conditions. Absent: by the names of properties. */
  conditions?: ConditionForm
  /** The property that has any others, which conditions may name. */
  open?: string
  /** Members of an expression in JSON that do not filter, such as the order. */
  besides?: string[]
  /** Whether the value is a selector such as `tier=gold,zone in (a, b),!old`, of names inside of the property, or of any. */
  isSelector?: true
  /** Values that mean no filter, such as `all`. */
  all?: string[]
  /** The value if the request gives none. */
  default?: unknown
  /** Values that choose the records without the property. @default false for a flag */
  unset?: string[]
  /** Whether records without the property pass: only creations have it, so that nobody knows what others have. */
  isOpen?: true
}

/** The names of the members of conditions. */
export interface ConditionForm {
  /** Those with the name of a property. */
  properties: string[]
  operators: string[]
  values: string[]
  /** Those with the greatest value of a range. */
  ends: string[]
  /** Those with conditions of which one is enough, and of which all must be met. */
  any: string[]
  all: string[]
}

export interface PropertyOrder {
  property: string
  isDescending: boolean
}

export interface ListOrder extends RequestValue {
  /** Properties by the names that requests may use, in lower case and without punctuation. */
  properties: Record<string, string>
  /** The property that has any others, which a request may name. */
  open?: string
  /** The value that makes the order descending. */
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
   * A number of records or pages, an opaque cursor from an answer, or the key of the record before or after the
   * page.
   */
  as: 'offset' | 'page' | 'cursor' | 'after' | 'before'
  /** The number of the first record or page. */
  first: number
  /** Whether cursors are numbers. */
  isNumber?: true
  /** Whether the document does not name the parameter, so that it occurs only in links. */
  isOwn?: true
}

/** A fact about a page. */
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
  | 'isEmpty'
  | 'isPaged'
  | 'isUnpaged'
  | 'nextCursor'
  | 'previousCursor'
  | 'firstKey'
  | 'lastKey'
  | 'nextOffset'
  | 'lastOffset'
  | 'nextPage'
  | 'previousPage'
  | 'selfUrl'
  | 'firstUrl'
  | 'previousUrl'
  | 'nextUrl'
  | 'lastUrl'

/** A property of the body with a fact about the page. */
export interface BodyFact {
  pointer: string[]
  from: PageFact
  types: JsonType[]
  /** Whether a link must be absolute, as the format `uri` requires. */
  isAbsolute?: true
  /** How many names of the pointer lead to the part that is left out without the fact. Absent: the part is required. */
  leftOut?: number
}

/** The filters that the index of a collection can evaluate. */
export function equalFilters({ filters }: ListQuery): ListFilter[] {
  return filters.filter(({ compare }) => compare === 'equal')
}

/** The query parameter that limits the number of records. Undefined if there is none. */
export function limitNameOf({ sizes }: ListQuery): string | undefined {
  return sizes.find((each) => each.in === 'query' && each.member === undefined)?.name
}
