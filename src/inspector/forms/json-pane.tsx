/** The JSON of a form beside its fields. Both change the same value. */
import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { parseExact, writeExact } from '../json-text.js'
import { describedBy, Field } from '../parts/inputs.js'

interface JsonPaneProps {
  label: string
  value: unknown
  /** What the user typed, if it is not how the value is written. */
  text: string | undefined
  hint?: string
  errors?: readonly string[]
  /** @param read the value of the text; absent if it is not JSON */
  onText: (text: string, read?: { value: unknown }) => void
}

export function JsonPane({ label, value, text, hint = '', errors = [], onText }: JsonPaneProps): JSX.Element {
  const id = useId()
  const shown = text ?? (value === undefined ? '' : writeExact(value, 2))
  const problem = problemOf(shown)
  const all = [...(problem === undefined ? [] : [problem]), ...errors]
  return (
    <div class="json-pane">
      <Field id={id} label={label} errors={all} hint={hint}>
        <textarea
          {...describedBy(id, all)}
          rows={Math.min(24, Math.max(6, shown.split('\n').length + 1, shown.length / 40))}
          spellcheck={false}
          value={shown}
          onInput={({ currentTarget: { value: typed } }) => {
            if (typed.trim() === '') onText(typed, { value: undefined })
            else if (problemOf(typed) === undefined) onText(typed, { value: parseExact(typed) })
            else onText(typed)
          }}
        />
      </Field>
    </div>
  )
}

/** Why a text cannot be shown as fields. */
export function problemOf(text: string): string | undefined {
  try {
    if (text.trim() !== '') parseExact(text)
    return undefined
  } catch (error) {
    const { message } = error as Error
    const [, at] =
      /at position (\d+)\b(?! \()/.exec(message) ?? (/Unexpected end/.test(message) ? ['', text.length] : [])
    const before = at === undefined ? undefined : text.slice(0, Number(at)).split('\n')
    const place = before ? ` (line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1})` : ''
    return `The text is not JSON: ${message}${place}`
  }
}
