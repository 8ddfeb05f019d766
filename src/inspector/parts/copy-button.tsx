/** A button that copies a text, and says so. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'

export function CopyButton({ text, label }: { text: () => string; label: string }): JSX.Element {
  const isCopied = useSignal(false)
  async function copy(): Promise<void> {
    await writeText(text())
    isCopied.value = true
    setTimeout(() => {
      isCopied.value = false
    }, 1500)
  }
  return (
    <button type="button" class="copy" onClick={copy}>
      <span aria-hidden="true" class={isCopied.value ? 'icon done' : 'icon'} />
      {label}
      <span class="spoken" role="status">
        {isCopied.value ? 'Copied' : ''}
      </span>
    </button>
  )
}

async function writeText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Pages without HTTPS on another machine have no clipboard.
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    document.execCommand('copy')
    area.remove()
  }
}
