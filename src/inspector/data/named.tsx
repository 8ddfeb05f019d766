/** The titles of records that values name. Those in view are asked for together. */
import type { ComponentChildren, JSX } from 'preact'
import { getOrInsert } from '../../json/own-value.js'
import { encode, get } from '../api.js'
import type { Page, StoredRecord } from '../api-types.js'
import { toText } from '../json-text.js'
import { useLoaded } from '../parts/jobs.js'
import { toHash } from '../router.js'
import { batches, dataVersion } from '../store.js'
import { titleOf } from './columns.js'
import { type Target, toPath } from './place.js'

/** Milliseconds in which keys are collected. */
const pause = 30

/** @returns null if there is none */
async function find({ collection, key, parents }: Target): Promise<StoredRecord | null> {
  const path = toPath(collection)
  const { keys, page } = getOrInsert(batches, path, () => {
    const keys = new Set<string>()
    const page = new Promise((resolve) => setTimeout(resolve, pause)).then(() => {
      batches.delete(path)
      return get<Page>(`${path}&limit=1000${[...keys].map((each) => `&key=${encode(each)}`).join('')}`)
    })
    return { keys, page }
  })
  keys.add(key)
  const isIt = ({ values }: StoredRecord) =>
    toText(values[collection.key]) === key &&
    parents.every((each, at) => toText(values[collection.scope[at] ?? '']) === each)
  return (await page).records.find(isIt) ?? null
}

/** The record that a value names. Undefined until it is known, null if there is none. */
export function useNamed(target: Target | undefined): StoredRecord | null | undefined {
  const place = target && [toPath(target.collection), target.key, ...target.parents].join('\n')
  const { loaded } = useLoaded(
    () => target && find(target).then((record) => ({ place, record })),
    [place, dataVersion.value],
  )
  return loaded.value?.place === place ? loaded.value?.record : undefined
}

/** A link to the record that a value names, with its title, or that there is none. @param props.shown its key */
export function Named({ target, shown }: { target: Target; shown?: ComponentChildren }): JSX.Element {
  const { collection, key, parents } = target
  const record = useNamed(target)
  if (record === null)
    return (
      <span class="dim">
        {shown}
        {shown && ', '}no such record
      </span>
    )
  const title = record ? titleOf(collection, record.values) : ''
  const query = new URLSearchParams([['key', key], ...parents.map((each) => ['parent', each])])
  return (
    <a
      href={`${toHash('data', collection.name)}?${query}`}
      title={title && `${key} · ${title}`}
      // A row around it opens another record.
      onClick={(event) => event.stopPropagation()}
    >
      {shown ?? 'Open'}
      {title && ` · ${title}`}
    </a>
  )
}
