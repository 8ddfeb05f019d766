/** Calculates with numbers in decimal, as they are written. */

/**
 * Whether a number is a multiple of a step in decimal: 19.99 is a multiple of 0.01, although dividing the doubles leaves a
 * remainder. An integer beyond 2^53 represents all integers that round to it: one of them must be a multiple.
 * @param exact the value with every digit, if it is known
 *
 * Compiled validators contain its code, so it must not use anything from outside.
 */
export function isMultiple(value: number, step: number, exact: unknown = value): boolean {
  if (typeof exact === 'bigint' && Number.isInteger(step)) return exact % BigInt(step) === 0n
  const size = Math.abs(value)
  if (!(size >= step)) return value === 0
  const isExact = size <= Number.MAX_SAFE_INTEGER
  if (!isExact && size / step > Number.MAX_SAFE_INTEGER) return true
  const read = (number: number): [digits: bigint, places: number] => {
    if (Number.isInteger(number) && number < 1e21) return [BigInt(number), 0]
    const [mantissa = '', exponent = '0'] = String(number).split('e')
    const [whole = '', decimals = ''] = mantissa.split('.')
    return [BigInt(whole + decimals), decimals.length - Number(exponent)]
  }
  const [digits, places] = read(size)
  const [stepDigits, stepPlaces] = read(step)
  const most = Math.max(places, stepPlaces)
  const divisor = stepDigits * 10n ** BigInt(most - stepPlaces)
  const rest = (digits * 10n ** BigInt(most - places)) % divisor
  if (rest === 0n || isExact) return rest === 0n
  const distance = Number(rest * 2n < divisor ? rest : divisor - rest) / 10 ** most
  return distance < 2 ** (Math.floor(Math.log2(size)) - 52)
}

/** Removes rounding errors of doubles: 0.1 + 0.2 is 0.3. */
export function toDecimal(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(15))
}
