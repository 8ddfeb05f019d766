/** The pages of the documentation, as the sandbox has them. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Empty } from './parts/bits.js'
import { useLoaded } from './parts/jobs.js'
import { Markdown } from './parts/markdown.js'
import { route, toDocs } from './router.js'

export function DocsView(): JSX.Element {
  const { parts, query } = route.value
  const page = parts.join('/') || 'README.md'
  const at = query.get('at')
  const { loaded, problem } = useLoaded(async () => ({ page, text: await load(page) }), [page])
  const text = loaded.value?.page === page ? loaded.value.text : undefined
  useEffect(() => {
    const titles = [...document.querySelectorAll('.docs-page .title')]
    const found = titles.find(({ textContent }) => slugOf(textContent ?? '') === at)
    if (found) found.scrollIntoView()
    else document.querySelector('.docs-page')?.scrollTo(0, 0)
  }, [text, at])
  const all = <a href={toDocs('README.md')}>All pages</a>
  if (problem.value !== '')
    return (
      <Empty title="This page cannot be read" text={problem.value}>
        {all}
      </Empty>
    )
  return (
    <article class="docs-page" aria-busy={text === undefined}>
      {all}
      {text === undefined ? <p>Loading…</p> : <Markdown text={text} />}
    </article>
  )
}

async function load(page: string): Promise<string> {
  const response = await fetch(`/_sandbox/docs/${page}`)
  if (!response.ok) throw new Error(`There is no page "${page}"`)
  return withAddresses(await response.text(), page)
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
