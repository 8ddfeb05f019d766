/** Parses JSON, and names the place of an error. The messages of `JSON.parse` differ between JavaScript engines. */

/** @throws SyntaxError with the line and column of the error, and what is there */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const at = findSyntaxError(text)
    const [found] = text.slice(at, at + 2)
    const lines = text.slice(0, at).split('\n')
    const column = `${lines.at(-1)} `.length
    throw new SyntaxError(`line ${lines.length}, column ${column}: found ${JSON.stringify(found) ?? 'the end'}`)
  }
}

/** What a value can begin with. */
const values = '"[{-0123456789tfn'

/** The index of the first token that no JSON text can have after those before it. @param text not JSON */
function findSyntaxError(text: string): number {
  const tokens =
    /[ \t\n\r]*([[\]{},:]|"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*("?)|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)?/y
  /** The brackets that close the open ones. */
  const open: string[] = []
  /** What the next token can begin with. */
  let next = values
  for (;;) {
    const [, token = '', quote] = tokens.exec(text) ?? []
    const first = token.charAt(0)
    const at = tokens.lastIndex
    if (token === '' || !next.includes(first)) return at - token.length
    if (quote === '') return at
    // A text before which only a name is possible.
    const isName = first === '"' && next.length < 3
    if (first === '[') open.push(']')
    if (first === '{') open.push('}')
    if (first === open.at(-1)) open.pop()
    const end = open.at(-1) ?? ''
    if (first === '[') next = values + end
    else if (first === '{') next = `"${end}`
    else if (first === ',') next = end === '}' ? '"' : values
    else if (first === ':') next = values
    else next = isName ? ':' : end && `,${end}`
  }
}
