/** What the descriptions and hosts of servers call an environment, and which of their words identify a server. */

const environments = new Map(
  [
    ['production', 'prod', 'live'],
    ['staging', 'stage'],
    ['pre-production', 'preproduction', 'preprod', 'pre-prod'],
    ['development', 'dev'],
    ['test', 'testing'],
    ['local', 'localhost'],
    ...['sandbox', 'demo', 'mock', 'qa', 'uat', 'acceptance', 'preview', 'integration'].map((word) => [word]),
  ].flatMap(([first = '', ...others]) => [first, ...others].map((word) => [word, first])),
)

/** The environment that a word means, in lower case. */
export function environmentOf(word: string): string | undefined {
  return environments.get(word)
}

/** Whether a word identifies no server. */
export function isVague(word: string): boolean {
  return /^(an?|the|this|that|our|your|is|are|for|of|to|in|on|at|and|or|with|by|from|servers?|api|ur[li]|base|endpoints?|host|address|own|used?|please|it|can|be|anywhere|default|all|any)$/.test(
    word,
  )
}

/** The words of the description of a server, without what it can be used to do, and without addresses of others. */
export function serverWords(description: string): string[] {
  const text = description.toLowerCase().replace(/\bto [a-z]+|https?:\S+/g, '')
  return text.match(/[a-z0-9][a-z0-9-]*/g) ?? []
}
