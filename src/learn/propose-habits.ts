/** The habits of a service that exchanges may show. Each is tried, since one explains many differences. */
import type { Difference } from './compare-answers.js'
import type { Learned, Observed } from './observed.js'

type IsShown = (difference: Difference, exchange: Observed) => boolean

/** What shows a habit, and what that would be. Of those about the same member, those that are shown most often are tried. */
const habits: readonly { member: string; says: string; isShown: IsShown }[] = [
  { member: 'optional', says: 'absent', isShown: ({ kind, own }) => kind === 'extra' && isEmpty(own) },
  {
    member: 'optional',
    says: 'null',
    isShown: ({ kind, real }) => (kind === 'missing' || kind === 'value') && real === null,
  },
  {
    member: 'optional',
    says: 'empty',
    isShown: ({ kind, real }) => (kind === 'missing' || kind === 'value') && real !== null && isEmpty(real),
  },
  { member: 'order', says: 'newest', isShown: ({ kind }) => kind === 'order' },
  { member: 'order', says: 'oldest', isShown: ({ kind }) => kind === 'order' },
  {
    member: 'unknownProperties',
    says: 'kept',
    isShown: ({ kind, at }, { request }) => kind === 'missing' && isSent(request.body, at),
  },
  {
    member: 'unknownProperties',
    says: 'dropped',
    isShown: ({ kind, at }, { request }) => kind === 'extra' && isSent(request.body, at),
  },
  {
    member: 'unknownKeys',
    says: 'none',
    isShown: ({ kind, real, own }) => kind === 'status' && real === 404 && Number(own) < 300,
  },
]

function isEmpty(value: unknown): boolean {
  return !value || ['[]', '{}'].includes(JSON.stringify(value))
}

function isSent(body: unknown, at: readonly string[]): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, at.at(-1) ?? '')
}

export function proposeHabits(all: readonly Observed[]): Learned[] {
  const found = habits.flatMap(({ member, says, isShown }): Learned[] => {
    const shown = all.filter((each) => each.differences.some((difference) => isShown(difference, each)))
    return shown.length === 0 ? [] : [{ member, about: '', says, seen: shown.map(({ number }) => number) }]
  })
  const most = (member: string) =>
    Math.max(...found.filter((each) => each.member === member).map(({ seen }) => seen.length))
  return found.filter(({ member, seen }) => seen.length === most(member))
}
