/** The choice of the variant of a value. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { Options } from '../parts/inputs.js'
import type { Schema } from '../schema.js'
import { type FormFacts, sampleOf, withRecords } from './form.js'
import { fitOf, toVariant, variantOf, variantsOf } from './variants.js'

interface VariantProps {
  name: string
  schema: Schema
  value: unknown
  referenceOf: FormFacts['referenceOf']
  onChange: (value: unknown) => void
}

/** The variant that a value is, and the choice of another one. What fits both stays. */
export function useVariant({ name, schema, value, referenceOf, onChange }: VariantProps): {
  /** The schema of the variant; the schema itself if it has none. */
  own: Schema
  key: number
  choice: JSX.Element | null
} {
  const id = useId()
  const variants = variantsOf(schema)
  const chosen = useSignal<number | undefined>(undefined)
  const isStill = chosen.value !== undefined && fitOf(variants[chosen.value]?.schema ?? {}, value) >= 0
  const current = isStill && chosen.value !== undefined ? chosen.value : variantOf(variants, value)
  const { schema: own = schema } = variants[current] ?? {}
  async function choose(index: number): Promise<void> {
    const next = variants[index]?.schema ?? {}
    const sample = await withRecords(await sampleOf(next, name), referenceOf)
    chosen.value = index
    onChange(toVariant(value, own, next, sample))
  }
  const choice = (
    <label class="variant" for={id}>
      <span>
        Variant<span class="spoken"> of {name}</span>
      </span>
      <Options
        id={id}
        value={String(current)}
        options={variants.map(({ label }, index) => [String(index), label])}
        onChange={({ currentTarget }) => void choose(Number(currentTarget.value))}
      />
    </label>
  )
  return { own, key: current, choice: variants.length > 0 ? choice : null }
}
