/** Habits that keep answers short, for tests of other things: records have only what somebody gave them, and lists begin with the newest. */
export const plainHabits: { 'x-sandbox-service': { optional: string; order: string } } = {
  'x-sandbox-service': { optional: 'absent', order: 'newest' },
}
