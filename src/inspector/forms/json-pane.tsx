/** The JSON of a form beside its fields. Both change the same value. */
import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { parseExact, writeExact } from '../json-text.js'
import { describedBy, Errors, Field } from '../parts/inputs.js'
import { Problem } from '../parts/jobs.js'

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

interface BesideJsonProps extends JsonPaneProps {
  /** What the fields are, for a screen reader. */
  legend: string
  /** Messages that belong to no field. */
  loose: readonly string[]
  /** Whether the fields cannot show what is typed as JSON. It stays until it can be read. */
  isBroken: boolean
  /** The fields. */
  children: ComponentChildren
}

export function BesideJson({ legend, loose, isBroken, children, ...pane }: BesideJsonProps): JSX.Element {
  return (
    <div class="beside">
      <fieldset class="plain" disabled={isBroken}>
        <legend class="spoken">{legend}</legend>
        {isBroken && <Problem text="The fields are shown again once the JSON can be read." />}
        {loose.length > 0 && (
          <div class="hint" data-wrong tabIndex={-1}>
            <Errors errors={loose} />
          </div>
        )}
        {children}
      </fieldset>
      <JsonPane {...pane} />
    </div>
  )
}

export function JsonPane({ label, value, text, hint = '', errors = [], onText }: JsonPaneProps): JSX.Element {
  const shown = text ?? (value === undefined ? '' : writeExact(value, 2))
  const problem = problemOf(shown)
  return (
    <TextPane
      {...{ label, hint }}
      text={shown}
      errors={[...(problem === undefined ? [] : [problem]), ...errors]}
      onText={(typed) => {
        if (typed.trim() === '') onText(typed, { value: undefined })
        else if (problemOf(typed) === undefined) onText(typed, { value: parseExact(typed) })
        else onText(typed)
      }}
    />
  )
}

interface TextPaneProps {
  label: string
  text: string
  hint?: string
  errors: readonly string[]
  onText: (text: string) => void
}

/** A long text, such as a whole body. */
export function TextPane({ label, text, hint = '', errors, onText }: TextPaneProps): JSX.Element {
  const id = useId()
  return (
    <div class="json-pane">
      <Field id={id} label={label} errors={errors} hint={hint}>
        <textarea
          {...describedBy(id, errors)}
          rows={Math.min(24, Math.max(6, text.split('\n').length + 1, text.length / 40))}
          spellcheck={false}
          value={text}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
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
