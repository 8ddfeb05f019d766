/** What descriptions say: one function per question. */

/** Whether a description says that a value is a name, and not an identifier. */
export function saysName(text: string): boolean {
  return /\bname\b/i.test(text) && !/\b(ids?|identifiers?|numbers?|keys?)\b/i.test(text)
}
