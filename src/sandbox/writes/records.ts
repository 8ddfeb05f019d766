/** The records that an effect works on. */
import type { CreateEffect, Effect, KeyedEffect } from '../../contract/effects/effect.js'
import { ownValue } from '../../json/own-value.js'
import { isRelation, removedMark } from '../../json/path-property.js'
import type { StoredCollection } from '../../state/stored-collection.js'
import { type Filter, type Key, passes, StoredRecord, type Values } from '../../state/stored-record.js'

/** A collection, or the part of it that a path selects. */
export interface Records
  extends Pick<
    StoredCollection,
    'context' | 'nextKey' | 'get' | 'toKey' | 'add' | 'skipKey' | 'replace' | 'remove' | 'select' | 'count'
  > {
  /** Identifies the selected records, and their state. */
  readonly stateId: number | string
  readonly size: number
  /** Adds the values that the path implies to a new record. Absent if the path implies none. */
  place?(values: Values): Values
}

/** The same records, but changes to them are not stored. */
export function withoutChanges(records: Records): Records {
  const { context, nextKey, size, stateId } = records
  return {
    ...{ context, nextKey, size, stateId },
    toKey: (value) => records.toKey(value),
    get: (key) => records.get(key),
    select: (...asked) => records.select(...asked),
    count: (filters) => records.count(filters),
    skipKey: () => undefined,
    replace: () => undefined,
    add: (values) => new StoredRecord(values),
    remove: () => undefined,
  }
}

/** A value in the path, and the property of records that must equal it. */
export interface PlacedValue {
  property: string
  value: Key
}

/** Whether records are linked with the record that a parameter of a path selects. */
export interface PlacedLink {
  /** Identifies the record, and what it names. */
  readonly id: string
  has(values: Values): boolean
  /** The values of a record that is linked, or is not any more. */
  toLinked(values: Values, isLinked: boolean): Values
  /** Changes the record of the path, if that one has the property. */
  write: ShownIn
}

/** Writes a record where another one shows or counts it. @param before the values before a change */
export type ShownIn = (values: Values, isLinked: boolean, before?: Values) => void

/** The records of jobs, which go on as time passes: see `progress.ts`. */
export interface PlacedProgress {
  /** The time at which they are read. */
  readonly now: number
  read(record: StoredRecord): StoredRecord
  begin(values: Values): Values
  change(before: Values, values: Values): Values
}

/**
 * What an effect does with the records. If it detaches them, a removal only ends the relations; for a creation, keys of records
 * outside of the selection count as taken; if it is repeatable, it also replaces records that were changed.
 */
type PlacedEffect = Partial<Pick<KeyedEffect, 'detaches'> & Pick<CreateEffect, 'isRepeatable'> & Pick<Effect, 'kind'>>

/** The values without one key in a relation, which is an array of keys. */
export function withoutRelated(values: Values, property: string, key: unknown): Values {
  const { [property]: related, ...others } = values
  const left = itemsOf(related).filter((each) => each !== key)
  return left.length === 0 ? others : { ...others, [property]: left }
}

/** Whether a record only marks that another one was removed. */
function isMarked(values: Values): boolean {
  return values[removedMark] === true
}

function itemsOf(related: unknown): unknown[] {
  return related === undefined ? [] : [related].flat()
}

/** What a path does with records besides their values. */
export interface Placement {
  links: readonly PlacedLink[]
  /** The key of a record of the scenario that a creation replaces. */
  replaces?: string | undefined
  /** Lists of the owners that show the records. */
  shown: readonly ShownIn[]
  /** Whether keys are counted among these records. */
  isNumbered?: boolean | undefined
  /** Write how many of these records there are into owners. */
  counts: readonly ((size: number) => void)[]
  isHidden?: ((values: Values) => boolean) | undefined
  progress?: PlacedProgress | undefined
}

export class PlacedRecords implements Records {
  readonly #stored: StoredCollection
  readonly #values: readonly PlacedValue[]
  readonly #effect: PlacedEffect
  readonly #placement: Placement
  /** Values of the properties of the scope. */
  readonly #within: readonly unknown[] | undefined
  /** Properties whose absence means every value. */
  readonly #open: ReadonlySet<string>

  constructor(
    stored: StoredCollection,
    values: readonly PlacedValue[],
    effect: PlacedEffect = {},
    placement: Placement = { links: [], shown: [], counts: [] },
  ) {
    const { scope } = stored.context
    this.#stored = stored
    this.#values = values
    this.#effect = effect
    this.#placement = placement
    const given = (name: string) => values.find(({ property }) => property === name)?.value
    this.#within = scope?.map(({ property }) => given(property))
    this.#open = new Set(scope?.filter(({ isOpen }) => isOpen).map(({ property }) => property))
  }

  get context(): StoredCollection['context'] {
    return this.#stored.context
  }

  get nextKey(): number {
    if (!this.#placement.isNumbered) return this.#stored.nextKey
    const { key } = this.context
    return this.select([]).reduce((most, { values }) => Math.max(most, Number(values[key]) || 0), 0) + 1
  }

  get size(): number {
    return this.select([]).length
  }

  get stateId(): string {
    const ids = [...this.#placement.links.map(({ id }) => id), ...(this.#placement.isHidden ? ['hidden'] : [])]
    const values = [...this.#values.map(({ value }) => String(value)), ...ids]
    const { now = '' } = this.#placement.progress ?? {}
    return `${this.#stored.stateId} ${JSON.stringify(values)}${now}`
  }

  toKey(value: unknown): Key | undefined {
    return this.#stored.toKey(value)
  }

  get(key: Key): StoredRecord | undefined {
    const record = this.#find(key)
    // Nobody has changed what is still the record of the scenario.
    const isFree = () =>
      this.#effect.isRepeatable || (record !== undefined && this.context.base.records.includes(record))
    return String(key) === this.#placement.replaces && isFree() ? undefined : record
  }

  #find(key: Key): StoredRecord | undefined {
    const stored = this.#stored.get(key, this.#within)
    const record = stored && this.#placement.progress ? this.#placement.progress.read(stored) : stored
    return record && (this.#effect.kind === 'create' || this.#has(record)) ? record : undefined
  }

  place(values: Values): Values {
    const placed = this.#values.map(({ property, value }): [string, unknown] => {
      if (!isRelation(property, this.context.scope)) return [property, value]
      return [property, [...new Set([...itemsOf(ownValue(values, property)), value])]]
    })
    const added: Values = { ...values, ...Object.fromEntries(placed) }
    return this.#placement.links.reduce((linked, link) => link.toLinked(linked, true), added)
  }

  /** Relates a record to the owners in the path. @returns undefined if it does not exist or belongs to others */
  attach(key: Key): StoredRecord | undefined {
    const record = this.#stored.get(key, this.#within)
    const relations = this.#values.filter(({ property }) => isRelation(property, this.context.scope))
    if (!record || relations.length + this.#placement.links.length === 0) return undefined
    const others = this.#values.filter((each) => !relations.includes(each))
    if (!others.every(({ property, value }) => ownValue(record.values, property) === value)) return undefined
    for (const link of this.#placement.links) link.write(record.values, true)
    return this.#counted(this.#stored.replace(key, this.place(record.values), this.#within))
  }

  add(values: Values): StoredRecord {
    const placed = this.place(values)
    const record = this.#stored.add(this.#placement.progress?.begin(placed) ?? placed)
    const isLinked = !isMarked(record.values)
    for (const link of this.#placement.links) link.write(record.values, isLinked)
    for (const write of this.#placement.shown) write(record.values, isLinked)
    return this.#counted(record)
  }

  #counted<T>(changed: T): T {
    const size = () => this.select([]).filter(({ values }) => !isMarked(values)).length
    for (const write of this.#placement.counts) write(size())
    return changed
  }

  skipKey(): void {
    this.#stored.skipKey()
  }

  replace(key: Key, values: Values): StoredRecord | undefined {
    const before = this.#find(key)
    if (!before) return undefined
    const placed = this.#values.flatMap(({ property }): [string, unknown][] => {
      const value = ownValue(before.values, property)
      return value === undefined ? [] : [[property, value]]
    })
    const given = { ...values, ...Object.fromEntries(placed) }
    const changed = this.#placement.progress?.change(before.values, given) ?? given
    const replaced = this.#stored.replace(key, changed, this.#within)
    for (const write of this.#placement.shown) write(changed, !isMarked(changed), before.values)
    return replaced
  }

  remove(key: Key): StoredRecord | undefined {
    const record = this.get(key)
    if (!record) return undefined
    if (!this.#effect.detaches) {
      const removed = this.#stored.remove(key, this.#within)
      for (const write of this.#placement.shown) write(record.values, false)
      return this.#counted(removed)
    }
    const detached = this.#values
      .filter(({ property }) => isRelation(property, this.context.scope))
      .reduce((values, { property, value }) => withoutRelated(values, property, value), record.values)
    const unlinked = this.#placement.links.reduce((values, link) => link.toLinked(values, false), detached)
    this.#stored.replace(key, unlinked, this.#within)
    for (const link of this.#placement.links) link.write(record.values, false)
    return this.#counted(record)
  }

  select(
    filters: readonly Filter[],
    limit: number = Number.POSITIVE_INFINITY,
    isOldestFirst?: boolean,
  ): StoredRecord[] {
    const closed = this.#values.filter(({ property }) => !this.#open.has(property))
    const own = closed.map(({ property, value }): Filter => ({ property, values: [value] }))
    const { links, isHidden, progress } = this.#placement
    if (progress) {
      const records = this.#stored.select(own, undefined, isOldestFirst).map(progress.read)
      return records
        .filter((record) => this.#has(record) && filters.every((filter) => passes(record, filter)))
        .slice(0, limit)
    }
    if (this.#open.size + links.length === 0 && !isHidden)
      return this.#stored.select([...own, ...filters], limit, isOldestFirst)
    return this.#stored
      .select([...own, ...filters], undefined, isOldestFirst)
      .filter((record) => this.#has(record))
      .slice(0, limit)
  }

  count(filters: readonly Filter[]): number {
    return this.select(filters).length
  }

  #has({ values }: StoredRecord): boolean {
    const isPlaced = this.#values.every(({ property, value }) => {
      const own = ownValue(values, property)
      return own === undefined ? this.#open.has(property) : itemsOf(own).includes(value)
    })
    return isPlaced && this.#placement.links.every((link) => link.has(values)) && !this.#placement.isHidden?.(values)
  }
}
