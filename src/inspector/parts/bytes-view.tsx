/** Shows bytes that are no text: an image as one, others as a file. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'

export interface BytesViewProps {
  bytes: Uint8Array<ArrayBuffer>
  /** The media type, without parameters. */
  type: string
  /** For a file that is downloaded. */
  name: string
  /** What an image is. */
  label: string
}

export function BytesView({ bytes, type, name, label }: BytesViewProps): JSX.Element {
  const address = useSignal('')
  const picture = useSignal('')
  useEffect(() => {
    const blob = new Blob([bytes], { type })
    address.value = URL.createObjectURL(blob)
    // The policy of the page allows images of no other addresses.
    const reader = new FileReader()
    reader.onload = () => {
      picture.value = String(reader.result)
    }
    if (type.startsWith('image/')) reader.readAsDataURL(blob)
    return () => URL.revokeObjectURL(address.value)
  }, [bytes, type])
  return (
    <figure class="bytes">
      {picture.value !== '' && (
        <img
          src={picture.value}
          alt={label}
          onError={() => {
            picture.value = ''
          }}
        />
      )}
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
  return type.replace(/.*[/+.-]/, '').trim() || 'bin'
}
