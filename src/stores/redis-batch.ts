/** Collects what is asked for in one turn of the event loop, and asks for it together. */

/** Maximum number of questions that are sent together, so that the server is never busy with one call for long. */
const maxTogether = 100

/** @param ask returns an answer for each question, in their order */
export function createBatch<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let questions: Question[] = []
  let waiting: { resolve(answer: Answer): void; reject(error: unknown): void }[] = []

  function askAll(): void {
    if (questions.length === 0) return
    const asked = questions
    const waited = waiting
    questions = []
    waiting = []
    ask(asked).then(
      (answers) => {
        for (let at = 0; at < waited.length; at++) waited[at]?.resolve(answers[at] as Answer)
      },
      (error) => {
        for (const { reject } of waited) reject(error)
      },
    )
  }

  return (question) =>
    new Promise((resolve, reject) => {
      // All sockets that can be read are read before it runs.
      if (questions.length === 0) setImmediate(askAll)
      questions.push(question)
      waiting.push({ resolve, reject })
      if (questions.length === maxTogether) askAll()
    })
}
