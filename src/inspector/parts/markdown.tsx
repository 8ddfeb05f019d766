/** Shows Markdown (CommonMark, and tables) as elements. Nothing of the text becomes HTML of the page. */
import type { ComponentChildren, JSX } from 'preact'

/** Elements of HTML that descriptions have, as Markdown. All others are left out, with their text kept. */
const replacements: [RegExp, string][] = [
  [/<!--(?:(?!<!--).)*?-->|<(script|style)\b(?:(?!<\1\b).)*?<\/\1\s*>/gis, ''],
  [/<br\s*\/?>|<\/(p|div|li|h\d|tr|table|ul|ol)>/gi, '\n'],
  [/<(p|div|ul|ol|table)\b[^<>]*>/gi, '\n\n'],
  [/<li\b[^<>]*>/gi, '\n- '],
  [/<h[1-6]\b[^<>]*>/gi, '\n\n### '],
  [/<\/?(b|strong)>/gi, '**'],
  [/<\/?(i|em)>/gi, '*'],
  [/<\/?code>/gi, '`'],
  [/<a\b[^<>]{0,200}?href\s*=\s*["']([^"'<>]*)["'][^<>]*>((?:(?!<a\b).)*?)<\/a>/gis, '[$2]($1)'],
  [/<\/?[a-z][a-z0-9]*(\s[^<>]*)?\/?>/gi, ''],
]
const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', nbsp: ' ', '#39': "'" }

/** @param props.isInline only text, code and links, for hints */
export function Markdown({ text, isInline = false }: { text: string; isInline?: boolean }): JSX.Element {
  if (isInline) return <>{inline(clean(text).replace(/\s+/g, ' ').trim())}</>
  // Code keeps its tags.
  const lines = text.replace(/\r\n?/g, '\n').replace(/^(?:[ \t]*>){9,}/gm, '>>>>>>>>')
  const parts = lines.split(/^ {0,3}(?:```|~~~)[^\n]*$\n?/m)
  return (
    <div class="markdown">
      {parts.map((part, index) => (index % 2 === 1 ? <Code key={part} text={part} /> : blocks(clean(part))))}
    </div>
  )
}

function Code({ text }: { text: string }): JSX.Element {
  return (
    // It scrolls, so the keyboard must be able to reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <pre class="code" tabIndex={0}>
      {text.replace(/\n$/, '')}
    </pre>
  )
}

/** Code in a line keeps its tags, too. */
function clean(text: string): string {
  const parts = text.split(/(`[^`\n]*`)/)
  const cleaned = parts.map((part, index) =>
    index % 2 === 1 ? part : replacements.reduce((result, [pattern, by]) => result.replace(pattern, by), part),
  )
  return cleaned.join('').replace(/&(\w+|#39);/g, (whole, name) => entities[name] ?? whole)
}

function blocks(text: string): JSX.Element[] {
  return text
    .split(/\n\s*\n|\n(?=#{1,6}\s)/)
    .filter((block) => block.trim() !== '')
    .map((block) => <Block key={block} text={block.replace(/^\n+/, '').trimEnd()} />)
}

function Block({ text }: { text: string }): JSX.Element {
  const lines = text.split('\n')
  const [first = '', second = ''] = lines
  const heading = /^#{1,6}\s+(.*)/s.exec(first)
  if (heading) {
    const rest = lines.slice(1).join('\n')
    return (
      <>
        <p class="title">{inline((heading[1] ?? '').replace(/(?<!#)#+$/, '').trimEnd())}</p>
        {blocks(rest)}
      </>
    )
  }
  if (first.includes('|') && /^[\s|:-]+$/.test(second) && second.includes('-')) return <Table lines={lines} />
  if (/^\s*([-*+]|\d+[.)])\s/.test(first)) return <List lines={lines} />
  if (/^\s*>/.test(first)) return <blockquote>{blocks(text.replace(/^[ \t]*> ?/gm, ''))}</blockquote>
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(text)) return <hr />
  const list = lines.findIndex((line) => /^\s*([-*+]|\d+[.)])\s/.test(line))
  if (list > 0)
    return (
      <>
        <p>{inline(lines.slice(0, list).join(' '))}</p>
        <List lines={lines.slice(list)} />
      </>
    )
  return <p>{inline(lines.join(' '))}</p>
}

function List({ lines }: { lines: string[] }): JSX.Element {
  const items: string[] = []
  for (const line of lines) {
    const [, text] = /^\s*(?:[-*+]|\d+[.)])\s+(.*)/.exec(line) ?? []
    if (text !== undefined) items.push(text)
    else items.push(`${items.pop() ?? ''} ${line.trim()}`)
  }
  const children = items.map((item) => <li key={item}>{inline(item)}</li>)
  return /^\s*\d/.test(lines[0] ?? '') ? <ol>{children}</ol> : <ul>{children}</ul>
}

function Table({ lines }: { lines: string[] }): JSX.Element {
  const [head = [], , ...rows] = lines.map((line) => line.replace(/^\s*\||\|\s*$/g, '').split(/(?<!\\)\|/))
  const show = (cell: string) => inline(cell.trim().replaceAll('\\|', '|'))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <div class="scroll" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell}>{show(cell)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join()}>
              {row.map((cell) => (
                <td key={cell}>{show(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const spans =
  /(?<!`)(?<code>`+)(?!`)(?<coded>[^`]+)\k<code>|!?\[(?<label>[^[\]]*)\]\((?<to>(?:[^\s()]|\([^\s()]*\))*)(?:\s(?:[^()]|\([^()]*\))*)?\)|<(?<auto>(?:https?:\/\/|mailto:)[^<>\s]+)>|(?<bare>https?:\/\/[^\s<>)"'`]*[^\s<>)"'`.,;:!?])|\*\*(?<bold>[^*]+)\*\*|__(?<bold2>[^_]+)__|(?<![\w*])[*_](?<slanted>[^*_\s](?:[^*_]*[^*_\s])?)[*_](?![\w*])|\\(?<escaped>[\\`*_{}[\]()#+.!|<>-])/

function inline(text: string): ComponentChildren[] {
  const children: ComponentChildren[] = []
  let rest = text
  for (let match = spans.exec(rest); match; match = spans.exec(rest)) {
    children.push(rest.slice(0, match.index), toElement(match.groups ?? {}))
    rest = rest.slice(match.index + match[0].length)
  }
  return rest === '' ? children : [...children, rest]
}

function toElement(groups: Partial<Record<string, string>>): ComponentChildren {
  const { coded, label, to, auto, bare, bold, bold2, slanted, escaped } = groups
  const strong = bold ?? bold2
  if (coded !== undefined) return <code>{coded}</code>
  if (to !== undefined) return link(to, inline(label || to))
  if ((auto ?? bare) !== undefined) return link(auto ?? bare ?? '', [auto ?? bare])
  if (strong !== undefined) return <strong>{inline(strong)}</strong>
  return slanted === undefined ? escaped : <em>{inline(slanted)}</em>
}

/** Only whole addresses are links. Those that lead out of the page open a tab. */
function link(to: string, children: ComponentChildren[]): ComponentChildren {
  if (!/^(https?:\/\/|mailto:)/i.test(to)) return children
  const isOwn = to.startsWith(`${location.origin}/`)
  return (
    <a href={to} {...(!isOwn && { target: '_blank', rel: 'noopener noreferrer' })}>
      {children}
    </a>
  )
}
