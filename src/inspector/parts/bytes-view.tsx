/** Shows bytes that are no text: an image as one, others as a file. */
import type { JSX } from 'preact'

export interface BytesViewProps {
  base64: string
  /** A `Content-Type`. */
  type: string
  label: string
}

export function BytesView({ base64, type, label }: BytesViewProps): JSX.Element {
  const [bare = ''] = type.split(';')
  const url = `data:${bare};base64,${base64}`
  const size = `${toLength(base64).toLocaleString('en')} bytes`
  return (
    <figure class="bytes">
      {bare.startsWith('image/') && <img src={url} alt={label} />}
      <figcaption>
        {size} of {bare || 'an unknown type'}{' '}
        <a href={url} download={`body.${bare.split('/')[1]?.replace(/\W.*/, '') || 'bin'}`}>
          Download
        </a>
      </figcaption>
    </figure>
  )
}

/** The number of bytes of a text in base64 (RFC 4648, section 4). */
function toLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return (base64.length / 4) * 3 - padding
}
