/** A search in all collections, for somebody who does not know which one has the record. */
import type { JSX } from 'preact'
import { encode, get } from '../api.js'
import type { Collection, Page } from '../api-types.js'
import { countOf } from '../parts/bits.js'
import { useLoaded } from '../parts/jobs.js'
import { toHash } from '../router.js'
import { collections, dataVersion, world } from '../store.js'
import { toPath } from './place.js'

/** @param props.except the collection that has no such record */
export function Elsewhere({ text, except }: { text: string; except?: Collection }): JSX.Element {
  const { loaded } = useLoaded(
    async () => ({ text, found: await findAll(text, except) }),
    [text, except, world.value, dataVersion.value],
  )
  if (loaded.value?.text !== text) return <p class="dim">Looking in all collections…</p>
  const { found } = loaded.value
  if (found.length === 0) return <p>No record of any collection has it.</p>
  return (
    <>
      <p>Found in {except ? 'other collections' : 'records'}:</p>
      <ul class="found">
        {found.map(([name, total]) => (
          <li key={name}>
            <a href={`${toHash('data', name)}?text=${encode(text)}`}>
              {countOf(total, 'record')} in {name}
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}

async function findAll(text: string, except: Collection | undefined): Promise<[name: string, total: number][]> {
  const others = collections.value.filter((each) => each !== except)
  const all = await Promise.all(
    others.map(async (each): Promise<[string, number]> => {
      const { total } = await get<Page>(toPath(each, '', `&text=${encode(text)}&limit=1`))
      return [each.name, total]
    }),
  )
  return all.filter(([, total]) => total > 0).sort(([, one], [, other]) => other - one)
}
