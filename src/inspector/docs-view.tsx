/** The pages of the documentation, as the sandbox has them. */
import { type Signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Empty } from './parts/bits.js'
import { Markdown } from './parts/markdown.js'
import { route, toDocs } from './router.js'

export function DocsView(): JSX.Element {
  const text = useSignal<string | undefined>(undefined)
  const problem = useSignal('')
  const { parts, query } = route.value
  const page = parts.join('/') || 'README.md'
  const at = query.get('at')
  useEffect(() => void load(page, text, problem), [page])
  useEffect(() => {
    const titles = [...document.querySelectorAll('.docs-page .title')]
    const found = titles.find(({ textContent }) => slugOf(textContent ?? '') === at)
    if (found) found.scrollIntoView()
    else document.querySelector('.docs-page')?.scrollTo(0, 0)
  }, [text.value, at])
  if (problem.value !== '')
    return (
      <Empty title="This page cannot be read">
        <p>{problem.value}</p>
        <a href={toDocs('README.md')}>All pages</a>
      </Empty>
    )
  return (
    <article class="docs-page" aria-busy={text.value === undefined}>
      <a href={toDocs('README.md')}>All pages</a>
      {text.value === undefined ? <p>Loading…</p> : <Markdown text={text.value} />}
    </article>
  )
}

async function load(page: string, text: Signal<string | undefined>, problem: Signal<string>): Promise<void> {
  text.value = undefined
  problem.value = ''
  try {
    const response = await fetch(`/_sandbox/docs/${page}`)
    if (!response.ok) throw new Error(`There is no page "${page}"`)
    text.value = withAddresses(await response.text(), page)
  } catch (error) {
    problem.value = (error as Error).message
  }
}

/** Leads links between the pages to this view. Pictures are left out. */
function withAddresses(text: string, page: string): string {
  const folder = 'http://docs/docs/'
  const toAddress = (to: string) => {
    const { href } = new URL(to, folder + page)
    return /\.md(#|$)/.test(href) && href.startsWith(folder) ? toDocs(href.slice(folder.length)) : undefined
  }
  return text
    .replace(/!\[[^[\]]*\]\([^()]*\)/g, '')
    .replace(/\]\((?!https?:|mailto:)([^()\s]*)\)/g, (whole, to: string) => {
      const address = toAddress(to)
      return address ? `](${location.origin}${location.pathname}${address})` : whole
    })
}

/** The anchor of a heading, as GitHub makes it. */
function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s/g, '-')
}
