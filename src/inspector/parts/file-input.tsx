/** An input for a file or several. A small sample is sent until one is chosen. */
import type { JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Check, describedBy, Field } from './inputs.js'

export interface FileInputProps {
  name: string
  files: File[]
  isMany?: boolean
  isRequired?: boolean
  accept?: string | undefined
  hint: string
  description?: string | undefined
  errors: string[]
  /** Whether a sample is sent without a file. Undefined if the user cannot choose that. */
  hasSample?: boolean
  onFiles: (files: File[]) => void
  onSample?: (isSent: boolean) => void
}

export function FileInput(props: FileInputProps): JSX.Element {
  const { name, files, isMany = false, isRequired, accept, errors, hasSample, onFiles, onSample } = props
  const id = useId()
  const ref = useRef<HTMLInputElement>(null)
  // A new input shows the files that were chosen before.
  useEffect(() => {
    const { current } = ref
    if (!current || areSameFiles([...(current.files ?? [])], files)) return
    const transfer = new DataTransfer()
    for (const file of files) transfer.items.add(file)
    current.files = transfer.files
  }, [files])
  // The input itself shows the name of only one file.
  const describe = (file: File) => (files.length > 1 ? `${file.name}, ${describeFile(file)}` : describeFile(file))
  const hint = [props.description, ...(files.length > 0 ? files.map(describe) : [props.hint])]
  return (
    <Field {...{ id, isRequired, errors }} label={name} hint={hint.filter(Boolean).join(' · ')}>
      {files.length > 0 && (
        <button type="button" class="quiet" aria-label={`Remove the file of ${name}`} onClick={() => onFiles([])}>
          Remove
        </button>
      )}
      <input
        {...describedBy(id, errors)}
        ref={ref}
        type="file"
        multiple={isMany}
        accept={accept}
        onChange={({ currentTarget }) => onFiles([...(currentTarget.files ?? [])])}
      />
      {hasSample !== undefined && files.length === 0 && (
        <Check
          label="Send a small sample"
          spoken={`Send a small sample as ${name}`}
          isOn={hasSample}
          onChange={(isOn) => onSample?.(isOn)}
        />
      )}
    </Field>
  )
}

function areSameFiles(one: File[], other: File[]): boolean {
  return one.length === other.length && one.every((file, index) => file === other[index])
}

function describeFile({ size, type }: File): string {
  return [`${size.toLocaleString('en')} bytes`, type].filter(Boolean).join(', ')
}
