/** A time that goes on while its clock runs. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { toMoment } from './bits.js'

/** @param props.now the time when it was read */
export function RunningTime({ now, frozen }: { now: string; frozen: boolean }): JSX.Element {
  const passed = useSignal(0)
  useEffect(() => {
    const start = Date.now()
    const tick = () => (passed.value = frozen ? 0 : Date.now() - start)
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [now, frozen])
  return <time>{toMoment(Date.parse(now) + passed.value)}</time>
}
