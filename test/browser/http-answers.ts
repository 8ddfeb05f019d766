/** Plays the table of cases against the HTTP server, for tests in a browser to compare with what they are answered. */
import type { TestProject } from 'vitest/node'
import { cases } from '../support/cases.js'
import { type Comparable, toComparable } from '../support/raw-request.js'
import { withConnection } from '../support/run-case.js'
import { transports } from '../support/transports.js'

/** Answers by the name of their case. */
export type HttpAnswers = Record<string, Comparable[]>

declare module 'vitest' {
  export interface ProvidedContext {
    httpAnswers: HttpAnswers
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const http = transports.find(({ name }) => name === 'http')
  if (!http) throw new Error('There is no HTTP transport')
  const answers: HttpAnswers = {}
  for (const each of cases.filter(({ except }) => except?.http === undefined)) {
    answers[each.name] = await withConnection(http, each, async ({ sandbox, send }) => {
      const responses: HttpAnswers[string] = []
      for (const step of each.steps) {
        if (typeof step === 'function') step(sandbox)
        else responses.push(await toComparable(await send(step)))
      }
      return responses
    })
  }
  project.provide('httpAnswers', answers)
}
