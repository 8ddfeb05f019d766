/** Reads where a callback or webhook is sent. */
import type { HookUrl } from '../../contract/hook.js'
import { parseExpressionTemplate } from '../../contract/runtime-expression.js'
import type { DocumentPath } from '../document.js'
import { type HookContext, ignored } from './hook-context.js'

/** @returns undefined for a text that is no URL, which is noted */
export function readUrl({ notes }: Pick<HookContext, 'notes'>, text: string, at: DocumentPath): HookUrl | undefined {
  const parts = parseExpressionTemplate(text)
  if (!Array.isArray(parts)) {
    notes.add(at, `"${parts.wrong}" is no runtime expression such as {$request.body#/url}`, ignored)
    return undefined
  }
  const [first] = parts
  const other = typeof first === 'string' ? /^(?!https?:)[a-z][a-z\d+.-]*:/i.exec(first)?.[0] : undefined
  if (other === undefined) return { kind: 'template', text, parts }
  notes.add(at, `A request can only be sent to http and https (got "${other}")`, ignored)
  return undefined
}
