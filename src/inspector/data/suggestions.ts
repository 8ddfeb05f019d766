/** Keys of the records to which a property can refer. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { get } from '../api.js'
import type { Collection, Page } from '../api-types.js'
import { toText } from '../exact-json.js'
import { collections, dataVersion, world } from '../store.js'
import { toPath } from './place.js'

const maxKeys = 200

/** @returns the keys that a property can have, by its name; none for one that refers to nothing */
export function useSuggestions(collection: Collection): (property: string) => readonly string[] {
  const found = useSignal<Readonly<Record<string, readonly string[]>>>({})
  const version = dataVersion.value
  useEffect(() => {
    for (const { collection: name, values: pairs } of collection.links) {
      const target = collections.value.find((each) => each.name === name)
      if (!target) continue
      get<Page>(toPath(target, '', `&limit=${maxKeys}`)).then(
        ({ records }) => {
          const lists = pairs.map(
            ({ own, other }) => [own, records.map(({ values }) => toText(values[other]))] as const,
          )
          const known = lists.map(([own, texts]) => [own, [...new Set(texts)].filter(Boolean)] as const)
          found.value = { ...found.value, ...Object.fromEntries(known) }
        },
        () => {},
      )
    }
  }, [collection, world.value, version])
  return (property) => found.value[property] ?? []
}
