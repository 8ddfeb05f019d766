/** Shows bodies: JSON in colours, an image, or a file to download. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { prettify } from '../json-text.js'

/** Longer texts are shown without colours. */
const maxColoured = 50_000
const tokens = /("(?:[^"\\]|\\.)*"?)(\s*:)?|\b(true|false|null)\b|-?\b\d[\d.eE+-]*/g

/** What is shown at places of a text, in their order. */
export type Marks = readonly (readonly [at: number, mark?: JSX.Element])[]

/** @param props.marks for the text with line breaks */
export function TextBody(props: { text: string | undefined; label: string; marks?: Marks }): JSX.Element {
  const { text = '', label, marks = [] } = props
  if (text === '') return <p class="dim">No body</p>
  const shown = prettify(text)
  const show = shown.length > maxColoured || !/^[[{"]/.test(shown) ? (part: string) => part : colour
  const parts: Marks = [[0], ...marks]
  return (
    // It scrolls, so the keyboard must be able to reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section class="code" tabIndex={0} aria-label={label}>
      <pre>{parts.map(([at, mark], index) => [mark, show(shown.slice(at, parts[index + 1]?.[0]))])}</pre>
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

export interface BytesBodyProps {
  bytes: Uint8Array<ArrayBuffer>
  /** The media type, without parameters. */
  type: string
  /** For a file that is downloaded. */
  name: string
  /** Describes an image. */
  label: string
}

export function BytesBody({ bytes, type, name, label }: BytesBodyProps): JSX.Element {
  const address = useSignal('')
  const picture = useSignal('')
  useEffect(() => {
    const blob = new Blob([bytes], { type })
    address.value = URL.createObjectURL(blob)
    // The policy of the page only allows images from data URLs.
    const reader = new FileReader()
    reader.onload = () => (picture.value = String(reader.result))
    if (type.startsWith('image/')) reader.readAsDataURL(blob)
    return () => URL.revokeObjectURL(address.value)
  }, [bytes, type])
  return (
    <figure class="bytes">
      {picture.value !== '' && <img src={picture.value} alt={label} onError={() => (picture.value = '')} />}
      <figcaption>
        {bytes.length.toLocaleString('en')} bytes of {type || 'an unknown type'}{' '}
        <a href={address.value} download={name}>
          Download
        </a>
      </figcaption>
    </figure>
  )
}

/** The end of the name of a file with a media type. @example toEnding('image/svg+xml') // 'xml' */
export function toEnding(type: string): string {
  return type.replace(/^.*[/+.-]/s, '').trim() || 'bin'
}
