/** Shows a text, JSON in colours. */
import type { JSX } from 'preact'
import { prettify } from '../exact-json.js'

/** Longer texts are shown without colours. */
const maxColoured = 50_000
const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\b\d[\d.eE+-]*/g

export function JsonView({ text, label }: { text: string; label: string }): JSX.Element {
  const shown = prettify(text)
  return (
    // Scrolls, so that the keyboard must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>{shown.length > maxColoured || !/^[[{"]/.test(shown) ? shown : colour(shown)}</pre>
    </section>
  )
}

function colour(text: string): (string | JSX.Element)[] {
  const parts: (string | JSX.Element)[] = []
  let end = 0
  for (const match of text.matchAll(tokens)) {
    const [whole, quoted, colon, word] = match
    parts.push(text.slice(end, match.index))
    end = match.index + whole.length
    const kind = quoted === undefined ? (word === undefined ? 'number' : 'word') : colon === undefined ? 'text' : 'name'
    parts.push(<span class={`json-${kind}`}>{quoted !== undefined && colon !== undefined ? quoted : whole}</span>)
    if (colon !== undefined) parts.push(colon)
  }
  parts.push(text.slice(end))
  return parts
}
