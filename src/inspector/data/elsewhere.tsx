/** A search in all collections, for somebody who does not know which one has the record. */
import type { JSX } from 'preact'
import { type Collection, encode, get, type Page } from '../api.js'
import { countOf } from '../parts/bits.js'
import { useLoaded } from '../parts/jobs.js'
import { toHash } from '../router.js'
import { collections, dataVersion, world } from '../store.js'
import { toPath } from './place.js'

/**
 * @param props.except the collection that is searched already
 * @param props.isAlso whether it has such records: then only others are worth a line
 */
export function Elsewhere(props: { text: string; except?: Collection; isAlso?: boolean }): JSX.Element | null {
  const { text, except, isAlso = false } = props
  const { loaded } = useLoaded(
    async () => ({ text, found: await findAll(text, except) }),
    [text, except, world.value, dataVersion.value],
  )
  const { found } = loaded.value?.text === text ? loaded.value : {}
  if (isAlso)
    return found && found.length > 0 ? (
      <p class="notice">
        Also{' '}
        {found.map(([name, total], index) => [
          index > 0 && ', ',
          <a key={name} href={`${toHash('data', name)}?text=${encode(text)}`}>
            {total.toLocaleString('en')} in {name}
          </a>,
        ])}
      </p>
    ) : null
  if (!found) return <p class="dim">Looking in all collections…</p>
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
