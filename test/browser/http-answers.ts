/** Runs every case against the HTTP server, so that tests in a browser can compare their answers with it. */
import type { TestProject } from 'vitest/node'
import { cases } from '../cases/all-cases.js'
import { type Comparable, toComparable } from '../support/raw-request.js'
import { takeSteps, whyNot, withConnection } from '../support/run-case.js'
import { http } from '../support/transports.js'

/** Answers by the name of their case. */
export type HttpAnswers = Record<string, Comparable[]>

declare module 'vitest' {
  export interface ProvidedContext {
    httpAnswers: HttpAnswers
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const answers: HttpAnswers = {}
  for (const each of cases.filter((each) => whyNot(http, each) === undefined)) {
    answers[each.name] = await withConnection(http, each, async (connection) => {
      const responses: Comparable[] = []
      for await (const { response } of takeSteps(connection, each)) responses.push(await toComparable(response))
      return responses
    })
  }
  project.provide('httpAnswers', answers)
}
