/** The parts that `scripts/late-parts.js` makes. */
declare module 'late:*' {
  import type { LatePart } from './late-part.js'
  export const part: LatePart
}
