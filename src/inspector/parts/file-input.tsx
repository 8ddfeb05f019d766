/** An input for a file or several. A small sample is sent until one is chosen. */
import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

export interface FileInputProps {
  name: string
  files: File[]
  isMany?: boolean
  isRequired?: boolean
  accept?: string | undefined
  hint: string
  description?: string | undefined
  errors?: string[]
  /** Whether a sample is sent without a file. Undefined if that is no choice. */
  hasSample?: boolean
  onFiles: (files: File[]) => void
  onSample?: (isSent: boolean) => void
}

export function FileInput(props: FileInputProps): JSX.Element {
  const { name, files, isMany = false, isRequired = false, accept, errors = [], onFiles } = props
  const id = useId()
  const ref = useRef<HTMLInputElement>(null)
  // An input that is new on the page shows the files that were chosen before.
  useEffect(() => {
    const { current } = ref
    if (!current || isSame([...(current.files ?? [])], files)) return
    const transfer = new DataTransfer()
    for (const file of files) transfer.items.add(file)
    current.files = transfer.files
  }, [files])
  // The input names only a single file.
  const describe = (file: File) => (files.length > 1 ? `${file.name}, ${describeFile(file)}` : describeFile(file))
  return (
    <div class={errors.length > 0 ? 'field wrong' : 'field'}>
      <label for={id}>
        {name}
        {isRequired && <span class="required"> required</span>}
      </label>
      {files.length > 0 && (
        <button type="button" class="quiet" aria-label={`Remove the file of ${name}`} onClick={() => onFiles([])}>
          Remove
        </button>
      )}
      <input
        ref={ref}
        id={id}
        type="file"
        multiple={isMany}
        accept={accept}
        aria-describedby={`${id}-hint`}
        aria-invalid={errors.length > 0}
        onChange={({ currentTarget }) => onFiles([...(currentTarget.files ?? [])])}
      />
      <SampleChoice {...props} />
      <span class="hint" id={`${id}-hint`}>
        {errors.map((message) => (
          <span key={message} class="error">
            {message}
          </span>
        ))}
        {[props.description, ...(files.length > 0 ? files.map(describe) : [props.hint])].filter(Boolean).join(' · ')}
      </span>
    </div>
  )
}

function SampleChoice({ name, files, hasSample, onSample }: FileInputProps): JSX.Element | null {
  if (hasSample === undefined || files.length > 0) return null
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={hasSample}
        aria-label={`Send a small sample as ${name}`}
        onChange={({ currentTarget }) => onSample?.(currentTarget.checked)}
      />
      Send a small sample
    </label>
  )
}

function isSame(one: File[], other: File[]): boolean {
  return one.length === other.length && one.every((file, index) => file === other[index])
}

function describeFile({ size, type }: File): string {
  return [`${size.toLocaleString('en')} bytes`, type].filter(Boolean).join(', ')
}
