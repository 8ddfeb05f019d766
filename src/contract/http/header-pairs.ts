/** @param list names and values alternately */
export function toPairs(list: readonly string[]): [name: string, value: string][] {
  return list.flatMap((name, index) => (index % 2 === 0 ? [[name, list[index + 1] ?? '']] : []))
}
