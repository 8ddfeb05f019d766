/** Makes keys for generated records: consecutive ones, or values of the key's schema if that has more constraints. */

import type { Schema } from '../document/document.js'
import { isAllowed } from '../json/sampler/complete-value.js'
import { makeValue } from '../json/sampler/make-value.js'
import { isSpokenKey } from '../lexicon/record-names.js'
import { flattenSchema } from '../schemas/flatten-schema.js'
import { toKey } from '../state/stored-collection.js'
import type { Key } from '../state/stored-record.js'
import { type CollectionToGenerate, findRecordSchema, ownerIn } from './collection-to-generate.js'

export interface Keys {
  /** Returns an unused key, or undefined if none is found. */
  propose(): Key | undefined
  /** Marks a key as used. */
  keep(key: Key): void
}

export interface ReservableKeys extends Keys {
  /** Takes a key that was not proposed. @returns false if it is already used or not allowed */
  reserve(key: Key): boolean
}

/** Example keys of the document first, then others. */
export function createKeys(collection: CollectionToGenerate): ReservableKeys {
  const { examples, model, plans } = collection
  const others = createOtherKeys(collection)
  const used = new Set<Key>()
  const plan = plans[model.keyPlan ?? -1]
  // A plan cannot check patterns and formats. Example keys of the document are assumed valid.
  const isOpen = plan === undefined || (plan.kind === 'text' && plan.isStrict === true)
  const isInPath = (key: Key) => isOpen || isAllowed(plans, model.keyPlan ?? -1, key)
  const waiting = examples.keys.filter(isInPath)
  let offers = 0
  return {
    propose() {
      while (waiting.length > 0) {
        const [key] = waiting
        if (key !== undefined && !used.has(key) && offers++ < maxOffers) return key
        waiting.shift()
        offers = 0
      }
      for (let attempt = 0; attempt < maxTries; attempt++) {
        const key = others.propose()
        if (key === undefined || !used.has(key)) return key
        others.keep(key)
      }
      return undefined
    },
    keep(key) {
      // A set of millions of consecutive keys is not needed.
      offers = 0
      if (waiting[0] === key) waiting.shift()
      else if (!used.has(key)) others.keep(key)
      if (examples.records.length + examples.keys.length > 0 && used.size < maxReserved) used.add(key)
    },
    reserve(key) {
      if (used.has(key) || !isInPath(key)) return false
      used.add(key)
      return true
    },
  }
}

/** How often an example key is proposed, because no record may be allowed to have it. */
const maxOffers = 5
/** Maximum number of reserved keys. */
const maxReserved = 1000

function createOtherKeys(collection: CollectionToGenerate): Keys {
  const { document, model, schemaPath } = collection
  const schema = flattenSchema(document, findRecordSchema(document, schemaPath)).properties.get(model.key)
  const keywords = schema ? flattenSchema(document, schema).keywords : {}
  const { minimum = 1, maximum = Number.MAX_SAFE_INTEGER, format } = keywords
  if (schema && model.keyKind !== 'integer' && (format !== undefined || isNarrow(keywords))) {
    return createSchemaKeys(collection, schema.value)
  }
  // The path of a record may allow fewer keys than the record itself.
  if (model.keyKind !== 'integer' && model.keyPlan !== undefined) return createPlannedKeys(collection, model.keyPlan)
  if (schema && model.keyKind === 'string' && isSpokenKey(model.key)) return createNamedKeys(collection, schema.value)
  let next = Math.max(1, Math.ceil(minimum))
  return {
    propose: () => (model.keyKind === 'integer' && next > maximum ? undefined : toKey(next, model.keyKind)),
    keep() {
      next++
    },
  }
}

/** Texts that fit the name of the key. Once these are used up, with a number. */
function createNamedKeys(collection: CollectionToGenerate, schema: Schema): Keys {
  const make = nameMaker(collection, schema)
  const taken = new Set<Key>()
  const keys = createMadeKeys(make, taken)
  return {
    propose: () => keys.propose() ?? `${String(make())}-${taken.size + 1}`,
    keep: keys.keep,
  }
}

function nameMaker(collection: CollectionToGenerate, schema: Schema): () => unknown {
  const { random, compiler, model } = collection
  const plan = compiler.add(schema, { name: model.key, owner: ownerIn(collection) })
  return () => makeValue(compiler.plans, plan, { random, record: 1 })
}

function isNarrow(keywords: object): boolean {
  return ['pattern', 'minLength', 'maxLength', 'enum', 'const'].some((keyword) => keyword in keywords)
}

/** Maximum tries for an unused key. */
const maxTries = 100

function createPlannedKeys({ plans, random }: CollectionToGenerate, plan: number, taken = new Set<Key>()): Keys {
  return createMadeKeys(() => makeValue(plans, plan, { random }), taken)
}

function createSchemaKeys(collection: CollectionToGenerate, schema: Schema): Keys {
  const { random, plans, model, compiler } = collection
  const plan = plans[model.keyPlan ?? -1]
  // A plan cannot check whether a key matches a pattern or a format.
  const sized = plan?.kind === 'text' && !plan.isStrict ? model.keyPlan : undefined
  const isInPath = (key: Key) => sized === undefined || isAllowed(plans, sized, key)
  const taken = new Set<Key>()
  const own = compiler.add(schema, { name: model.key, owner: model.name, isKey: true })
  const keys = createMadeKeys(() => makeValue(compiler.plans, own, { random }), taken, isInPath)
  const others = sized === undefined ? undefined : createPlannedKeys(collection, sized, taken)
  const isRead = isSpokenKey(model.key) && typeof schema === 'object'
  const isFree = isRead && !['pattern', 'format', 'enum', 'const', '$ref'].some((keyword) => keyword in schema)
  const names = isFree ? createMadeKeys(nameMaker(collection, schema), taken, isInPath) : undefined
  return { propose: () => names?.propose() ?? keys.propose() ?? others?.propose(), keep: keys.keep }
}

function createMadeKeys(make: () => unknown, taken: Set<Key>, isPossible: (key: Key) => boolean = () => true): Keys {
  return {
    propose() {
      for (let attempt = 0; attempt < maxTries; attempt++) {
        const key = make()
        if ((typeof key === 'string' || typeof key === 'number') && !taken.has(key) && isPossible(key)) return key
      }
      return undefined
    },
    keep: (key) => taken.add(key),
  }
}
