/** Guesses, which are open facts that decide answers: a person confirms or corrects them; and the file that keeps what was said. */
import { type Signal, signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { type Corrections, call, encode, get, type OpenFact } from '../api.js'
import { prettify } from '../json-text.js'
import { goTo } from '../router.js'
import { operations } from '../store.js'
import { Button, Command } from './bits.js'
import type { Marks } from './body-view.js'
import { Spoken } from './inputs.js'
import { ProblemText, useJobs, useLoaded } from './jobs.js'
import { offerUndo } from './toast.js'

/** The operation whose form of corrections is open, and the guess that is wrong. */
export const correcting: Signal<{ operation: string; fact?: OpenFact } | undefined> = signal(undefined)

interface FoundGuesses {
  facts: OpenFact[]
  /** The confirmed ones, and all corrections. */
  kept?: Corrections
}

type Choose = (all: OpenFact[]) => Pick<OpenFact, 'number' | 'about'>[]

/** @param choose returns those that are meant, and what they decided @param input changes with the document */
export function useGuesses(choose: Choose, input: unknown): FoundGuesses {
  const { loaded } = useLoaded(async () => {
    const [all, kept] = await Promise.all([get<OpenFact[]>('/open-facts'), get<Corrections>('/corrections')])
    const facts = choose(all).flatMap(({ number, about }) =>
      all.filter((each) => each.number === number).map((each) => ({ ...each, about })),
    )
    return { facts, kept }
  }, [input])
  return loaded.value ?? { facts: [] }
}

/** A guess in words. */
function textOf({ fact, kind, about }: OpenFact): string {
  return kind === 'first' ? `${fact}: ${about.join(', ')}` : fact
}

/** Where marks belong in the text of a body, and the guesses about the whole answer. */
export function placeGuesses(facts: readonly OpenFact[], body = ''): { marks: Marks; whole: OpenFact[] } {
  const text = facts.length === 0 ? '' : prettify(body)
  const found = facts.map((fact) => [fact, findPlaces(fact, text)] as const)
  const places = [...new Set(found.flatMap(([, own]) => own))].sort((one, other) => one - other)
  const at = (place: number) => found.flatMap(([fact, own]) => (own.includes(place) ? fact : []))
  return {
    marks: places.map((place) => [place, <GuessMark key={place} facts={at(place)} />]),
    whole: found.flatMap(([fact, own]) => (own.length === 0 ? fact : [])),
  }
}

/** The start of a line: its indent, the name of a property, and the start of a list. */
const lineStart = /^( *)(?:("(?:[^"\\]|\\.)*"): )?(\[$)?/gm

/** The ends of the outermost names of properties that a guess decided, or of the starts of the lists that it sorted. */
function findPlaces({ kind, about }: OpenFact, text: string): number[] {
  const decided = /^(first|changes)$/.test(kind) ? about.map((at) => JSON.stringify(at.split('/').pop())) : []
  return (kind === 'order' ? ['['] : decided).flatMap((wanted) => {
    const found = [...text.matchAll(lineStart)].filter(([, , name, list]) => name === wanted || list === wanted)
    const depth = Math.min(...found.map(([, indent = '']) => indent.length))
    return found.filter(([, indent]) => indent?.length === depth).map((match) => match.index + match[0].length)
  })
}

/** Marks what guesses decided. It shows them when it is pointed at or has the focus, and leads to the first one in the list. */
export function GuessMark({ facts }: { facts: readonly OpenFact[] }): JSX.Element | null {
  const text = facts.map(textOf).join('; ')
  return text === '' ? null : (
    <button
      type="button"
      class="tag warn guess"
      aria-label={`guess ${text}`}
      onClick={() => document.getElementById(`guess-${facts[0]?.number}`)?.focus()}
    >
      guess <span class="tip">{text}</span>
    </button>
  )
}

/** @param props.operation the one that is corrected if a guess is about no other */
export function Guesses({ facts, kept, operation }: FoundGuesses & { operation: string }): JSX.Element | null {
  const jobs = useJobs()
  const isUsed = useSignal(false)
  const title = useRef<HTMLHeadingElement>(null)
  if (facts.length === 0 && !isUsed.value) return null
  async function confirm({ fact, confirm: { target, update } }: OpenFact): Promise<void> {
    const name = String(update['x-sandbox-confirmed'])
    const path = `/open-facts/confirmation?target=${encode(target)}&name=${encode(name)}`
    if (!(await jobs.run(() => call('PUT', path)))) return
    isUsed.value = true
    if (correcting.value?.fact) correcting.value = undefined
    offerUndo({ text: `Right: ${fact}`, undo: () => call('DELETE', path) })
    title.current?.focus()
  }
  function correct(fact: OpenFact): void {
    const { operation: own = operation } = fact
    correcting.value = { operation: own, fact }
    goTo('operations', own)
  }
  return (
    <section class="guesses" aria-label="Guesses">
      <h3 ref={title} tabIndex={-1}>
        {facts.length === 0 ? 'No guess is left' : 'Guesses'}
      </h3>
      <ul class="lines">
        {facts.map((fact) => (
          <li key={fact.number} id={`guess-${fact.number}`} tabIndex={-1}>
            <span>
              {textOf(fact)}
              <span class="dim">, because {fact.why}</span>
            </span>
            <span class="actions">
              <Button
                label={<Spoken text="Right" name={fact.fact} />}
                disabled={jobs.isBusy.value}
                onClick={() => confirm(fact)}
              />
              <Button label={<Spoken text="Wrong" name={fact.fact} />} onClick={() => correct(fact)} />
            </span>
          </li>
        ))}
      </ul>
      <ProblemText jobs={jobs} />
      {kept && kept.confirmed > 0 && (
        <OverlayFile
          printed={kept}
          summary={`Confirmed until the sandbox stops: ${kept.confirmed}. To keep it: save ${kept.file}, and start with it`}
        />
      )}
    </section>
  )
}

type Printed = Pick<Corrections, 'overlay' | 'file' | 'command'>

/** An overlay, to be saved, and the command that uses it. */
export function OverlayFile(props: { printed: Printed; isOpen?: boolean; summary: string }): JSX.Element {
  const { printed, isOpen = false, summary } = props
  const { overlay, file } = printed
  const { file: document = 'openapi.yaml' } = operations.value?.[0] ?? {}
  const named = /^[\w./:-]+$/.test(document) ? document : `'${document}'`
  const { command = `petstore-sandbox ${named} --overlay ${file}` } = printed
  return (
    <details open={isOpen}>
      <summary>{summary}</summary>
      <a class="button" download={file} href={`data:application/yaml,${encodeURIComponent(overlay)}`}>
        Download {file}
      </a>
      <Command text={overlay} label="Copy the overlay" />
      <Command text={command} label="Copy the command" />
      {command.includes('***') && <p class="dim">*** stands for a secret that is not shown here.</p>}
    </details>
  )
}
