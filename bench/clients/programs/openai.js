/**
 * OpenAI: files, vector stores, assistants, threads, batches, fine-tuning jobs, embeddings and chat completions.
 * JSON over REST; an update is a POST to the record; lists go on from the id of the last record (`after`); uploads are
 * multipart; a streamed answer is server-sent events.
 */
import OpenAI, { toFile } from 'openai'

const batchLines = ['low', 'high'].map((input) => {
  const body = { model: 'text-embedding-3-small', input }
  return `${JSON.stringify({ custom_id: `tide-${input}`, method: 'POST', url: '/v1/embeddings', body })}\n`
})
const animals = ['gull', 'seal', 'crab', 'cod', 'eel', 'ray', 'clam', 'orca', 'tern', 'kelp']
const trainingLines = animals.map((word) => {
  const answer = { role: 'assistant', content: `A ${word} lives by the sea.` }
  return `${JSON.stringify({ messages: [{ role: 'user', content: `What is a ${word}?` }, answer] })}\n`
})

export default {
  connect: ({ address }) =>
    new OpenAI({ apiKey: 'sk-test', baseURL: address('https://api.openai.com/v1'), maxRetries: 0 }),
  steps: [
    {
      name: 'upload a file and download it',
      does: 'Stores the file with its name, size and purpose; its content can be downloaded as it was sent.',
      source: 'POST /files, GET /files/{file_id}, GET /files/{file_id}/content: "Returns the contents"',
      needs: 'document',
      class: 'uploads',
      async run({ client, kept, check }) {
        const file = await upload(client, 'tides.jsonl', batchLines.join(''), 'batch')
        kept.file = file
        checkNew(check, file, 'file-', 'file')
        checkSent(check, file, { filename: 'tides.jsonl', purpose: 'batch' })
        check.equal(file.bytes, Buffer.byteLength(batchLines.join('')), 'bytes')
        check(['uploaded', 'processed'].includes(file.status), `a status of a new file (${file.status})`, 'first-state')
        const read = await client.files.retrieve(file.id)
        check.wrong.equal([read.id, read.filename], [file.id, 'tides.jsonl'], 'the file that is retrieved', 'state')
        const answer = await client.files.content(file.id)
        check.wrong.equal(await answer.text(), batchLines.join(''), 'the content that is downloaded')
      },
    },
    {
      name: 'list the files of one purpose',
      does: 'Lists the files with the purpose, the newest first, in pages that go on after the id of the last file.',
      source: 'GET /files: "Only return files with the given purpose."; limit, after; order desc by created_at',
      needs: 'document',
      class: 'pages',
      async run({ client, kept, check }) {
        const ids = [kept.file.id]
        for (const name of ['ebb.jsonl', 'flood.jsonl', 'neap.jsonl', 'spring.jsonl']) {
          ids.push((await upload(client, name, batchLines.join(''), 'batch')).id)
        }
        kept.training = await upload(client, 'animals.jsonl', trainingLines.join(''), 'fine-tune')
        const listed = await collect(client.files.list({ purpose: 'batch', limit: 2 }), 40)
        const times = ids.map((id) => listed.filter((file) => file.id === id).length)
        check.wrong.equal(times, [1, 1, 1, 1, 1], 'how often each file is listed')
        const others = listed.filter(({ purpose }) => purpose !== 'batch')
        check.wrong.equal(others, [], 'the files with another purpose', 'filters')
        const isSorted = listed.every((file, index) => index === 0 || file.created_at <= listed[index - 1].created_at)
        check(isSorted, 'the newest first')
      },
    },
    {
      name: 'create a vector store',
      does: 'Stores what is sent. A new store has no files, and expires so many days after it was last active.',
      source: 'POST /vector_stores; VectorStoreObject: expires_at; days: "The number of days after the anchor time"',
      needs: 'more',
      class: 'first-state',
      async run({ client, kept, check }) {
        const sent = { name: 'Tide tables', metadata: { harbor: 'Whitby' } }
        const expiration = { anchor: 'last_active_at', days: 9 }
        const store = await client.vectorStores.create({ ...sent, expires_after: expiration })
        kept.store = store
        checkNew(check, store, 'vs_', 'vector_store')
        checkSent(check, store, { ...sent, expires_after: expiration })
        const { total, completed, failed } = store.file_counts ?? {}
        check.wrong.equal([total, completed, failed], [0, 0, 0], 'file_counts: total, completed, failed')
        check.equal(store.usage_bytes, 0, 'usage_bytes')
        check.wrong(store.status !== 'expired', `a new store is not expired (${store.status})`)
        check(isRecent(store.last_active_at), `last_active_at is now (${store.last_active_at})`, 'times')
        const days = (store.expires_at - store.last_active_at) / 86_400
        check(Math.abs(days - 9) < 1, `expires_at is 9 days after last_active_at (${days})`, 'made-values')
      },
    },
    {
      name: 'attach files to the vector store',
      does: 'A file of the store has the id of the file. The store lists and counts exactly its files.',
      source: 'POST and GET /vector_stores/{vector_store_id}/files; VectorStoreFileObject; file_counts of the store',
      needs: 'more',
      class: 'references',
      async run({ client, kept, check }) {
        const ids = []
        for (const name of ['north.txt', 'east.txt', 'south.txt']) {
          const { id } = await upload(client, name, `${name}: high water is at noon.\n`, 'assistants')
          const attributes = { gate: name, depth: ids.length + 4 }
          const file = await client.vectorStores.files.create(kept.store.id, { file_id: id, attributes })
          ids.push(id)
          check.wrong.equal(file.id, id, 'the id of the file in the store')
          check.equal(file.object, 'vector_store.file', 'object', 'first-state')
          check.wrong.equal(file.vector_store_id, kept.store.id, 'vector_store_id', 'owners')
          check.equal(file.attributes, attributes, 'attributes', 'free-form')
          check.wrong(['in_progress', 'completed'].includes(file.status), `status (${file.status})`, 'first-state')
          check.equal(file.last_error, null, 'last_error', 'first-state')
        }
        kept.attached = ids
        const listed = await collect(client.vectorStores.files.list(kept.store.id, { limit: 1, order: 'asc' }), 20)
        check.wrong.equal(listed.map(({ id }) => id).sort(), [...ids].sort(), 'the files of the store', 'pages')
        const read = async () => (await client.vectorStores.retrieve(kept.store.id)).file_counts?.total
        const total = await until(read, (value) => value === 3)
        check.equal(total, 3, 'file_counts.total', 'made-values')
      },
    },
    {
      name: 'detach a file from the vector store',
      does: 'The file is no longer in the store, and still exists.',
      source: 'DELETE /vector_stores/{vector_store_id}/files/{file_id}: "the file itself will not be deleted"',
      needs: 'document',
      class: 'deletion',
      follows: ['attach files to the vector store'],
      async run({ client, kept, check }) {
        const [first, second, third] = kept.attached
        const list = async () => (await client.vectorStores.files.list(kept.store.id)).data.map(({ id }) => id).sort()
        check.wrong.equal(await list(), [first, second, third].sort(), 'the files before', 'state')
        const answer = await client.vectorStores.files.del(kept.store.id, second)
        check.equal(answer, { id: second, object: 'vector_store.file.deleted', deleted: true }, 'the answer')
        const after = await until(list, ({ length }) => length === 2)
        check.wrong.equal(after, [first, third].sort(), 'the files after', 'state')
        const file = await client.files.retrieve(second)
        check.wrong.equal([file.id, file.filename], [second, 'east.txt'], 'the file itself', 'state')
      },
    },
    {
      name: 'create an assistant and change it',
      does: 'Stores what is sent, with defaults for the rest. A change keeps what it does not name.',
      source: 'POST /assistants, POST and GET /assistants/{assistant_id}; AssistantObject',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const sent = { model: 'gpt-4.1-mini', name: 'Harbour clerk', instructions: 'Answer in one short sentence.' }
        const resources = { file_search: { vector_store_ids: [kept.store.id] } }
        const created = await client.beta.assistants.create({
          ...sent,
          tools: [{ type: 'file_search' }],
          tool_resources: resources,
          metadata: { shift: 'morning' },
        })
        checkNew(check, created, 'asst_', 'assistant')
        checkSent(check, created, { ...sent, metadata: { shift: 'morning' } })
        const { description, temperature, top_p: topP, response_format: format } = created
        check.equal([description, temperature, topP, format], [null, 1, 1, 'auto'], 'the defaults', 'first-state')
        const changes = { name: 'Night clerk', temperature: 0.3, metadata: { shift: 'night' } }
        const changed = await client.beta.assistants.update(created.id, changes)
        check.wrong.equal(changed.id, created.id, 'the id of the changed assistant', 'state')
        const read = await client.beta.assistants.retrieve(created.id)
        check.wrong.equal([read.name, read.temperature], ['Night clerk', 0.3], 'name and temperature after the change')
        check.equal(read.metadata, { shift: 'night' }, 'metadata after the change', 'free-form')
        check.wrong.equal(read.instructions, sent.instructions, 'instructions after the change', 'state')
        check.wrong.equal(read.created_at, created.created_at, 'created_at after the change', 'times')
        check.equal(read.tools?.[0]?.type, 'file_search', 'tools after the change')
        const ids = read.tool_resources?.file_search?.vector_store_ids
        check.equal(ids, [kept.store.id], 'tool_resources after the change', 'references')
      },
    },
    {
      name: 'write messages in a thread',
      does: 'The thread has the messages of its creation, then the added ones. A text becomes a list of contents.',
      source: 'POST /threads: "A list of messages to start the thread with."; POST, GET /threads/{thread_id}/messages',
      needs: 'more',
      class: 'pages',
      async run({ client, check }) {
        const texts = ['When is high water?', 'And at the lock?', 'Which quay?', 'Who is the pilot?', 'Thank you.']
        const messages = texts.slice(0, 2).map((content) => ({ role: 'user', content }))
        const thread = await client.beta.threads.create({ messages, metadata: { boat: 'Petrel' } })
        checkNew(check, thread, 'thread_', 'thread')
        checkSent(check, thread, { metadata: { boat: 'Petrel' } })
        for (const content of texts.slice(2)) {
          const message = await client.beta.threads.messages.create(thread.id, { role: 'user', content })
          checkNew(check, message, 'msg_', 'thread.message')
          check.wrong.equal(message.thread_id, thread.id, 'thread_id', 'owners')
          const contents = [{ type: 'text', text: { value: content, annotations: [] } }]
          check.equal(message.content, contents, 'content', 'made-values')
          check.equal([message.role, message.run_id], ['user', null], 'role and run_id', 'first-state')
        }
        const listed = await collect(client.beta.threads.messages.list(thread.id, { limit: 2, order: 'asc' }), 40)
        const read = listed.map(({ content }) => content?.[0]?.text?.value)
        check.wrong.equal([...read].sort(), [...texts].sort(), 'the messages of the thread, each once')
        check.equal(read, texts, 'the order of the messages')
        check.wrong.equal(new Set(listed.map(({ id }) => id)).size, 5, 'how many ids there are', 'keys')
      },
    },
    {
      name: 'create a batch and cancel it',
      does: 'A new batch is validated first. After the cancellation it is cancelling, then cancelled.',
      source:
        'POST /batches/{batch_id}/cancel: "in status `cancelling` …, before changing to `cancelled`"; POST /batches',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const sent = { endpoint: '/v1/embeddings', completion_window: '24h', metadata: { run: 'tides-17' } }
        const batch = await client.batches.create({ ...sent, input_file_id: kept.file.id })
        checkNew(check, batch, 'batch_', 'batch')
        checkSent(check, batch, sent)
        check.wrong.equal(batch.input_file_id, kept.file.id, 'input_file_id', 'references')
        check.wrong(['validating', 'in_progress'].includes(batch.status), `status (${batch.status})`, 'first-state')
        check.wrong(!batch.cancelling_at && !batch.completed_at, 'no time of an end yet', 'first-state')
        check.equal(batch.request_counts?.completed, 0, 'request_counts.completed', 'first-state')
        const cancelled = await client.batches.cancel(batch.id)
        check.wrong.equal(cancelled.id, batch.id, 'the id of the cancelled batch', 'state')
        const read = await client.batches.retrieve(batch.id)
        check.wrong(['cancelling', 'cancelled'].includes(read.status), `status afterwards (${read.status})`)
        check(isRecent(read.cancelling_at), `cancelling_at is now (${read.cancelling_at})`, 'times')
        check.wrong.equal(read.created_at, batch.created_at, 'created_at afterwards', 'times')
      },
    },
    {
      name: 'create a fine-tuning job and cancel it',
      does: 'A new job waits, and has no model and no results. After the cancellation it is cancelled.',
      source: 'POST /fine_tuning/jobs, POST …/{fine_tuning_job_id}/cancel: "Immediately cancel a fine-tune job."',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const sent = { model: 'gpt-3.5-turbo-0125', training_file: kept.training.id, seed: 73 }
        const method = { type: 'supervised', supervised: { hyperparameters: { n_epochs: 3 } } }
        const job = await client.fineTuning.jobs.create({ ...sent, method })
        checkNew(check, job, 'ftjob-', 'fine_tuning.job')
        checkSent(check, job, sent)
        check.equal(job.method?.supervised?.hyperparameters?.n_epochs, 3, 'n_epochs', 'values')
        check.wrong(['validating_files', 'queued'].includes(job.status), `status (${job.status})`, 'first-state')
        check.wrong.equal([job.fine_tuned_model, job.finished_at], [null, null], 'no model and no end', 'first-state')
        check.wrong.equal(job.result_files, [], 'result_files', 'first-state')
        const cancelled = await client.fineTuning.jobs.cancel(job.id)
        check.wrong.equal(cancelled.id, job.id, 'the id of the cancelled job', 'state')
        const read = await client.fineTuning.jobs.retrieve(job.id)
        check.wrong.equal(read.status, 'cancelled', 'status afterwards')
        check.wrong.equal([read.training_file, read.seed], [kept.training.id, 73], 'the rest', 'state')
      },
    },
    {
      name: 'make embeddings of two texts',
      does: 'Answers one vector for each text with the dimensions asked for. The library asks for base64.',
      source: 'POST /embeddings: dimensions, encoding_format; "The index of the embedding in the list of embeddings."',
      needs: 'more',
      class: 'made-values',
      async run({ client, check }) {
        const input = ['The tide is out.', 'Nobody is on the quay tonight.']
        const answer = await client.embeddings.create({ model: 'text-embedding-3-small', input, dimensions: 96 })
        check.equal([answer.object, answer.model], ['list', 'text-embedding-3-small'], 'object and model', 'values')
        const indexes = answer.data?.map(({ index }) => index)
        check.wrong.equal(indexes, [0, 1], 'one embedding for each text')
        for (const { embedding } of answer.data) {
          check.equal(embedding?.length, 96, 'dimensions')
          check(Array.from(embedding ?? []).every(Number.isFinite), 'each component is a number', 'media-types')
        }
        const [first, second] = answer.data.map(({ embedding }) => JSON.stringify(embedding))
        check(first !== second, 'two texts have two vectors')
        const { prompt_tokens: sent, total_tokens: total } = answer.usage
        check(sent > 0 && total === sent, `usage (${sent}, ${total})`)
      },
    },
    {
      name: 'complete a chat with two choices',
      does: 'Answers as many choices as are asked for, from the model that is named, and counts the tokens.',
      source: 'POST /chat/completions: "How many chat completion choices to generate for each input message."',
      needs: 'more',
      class: 'made-values',
      async run({ client, check }) {
        const sent = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Name one sea bird.' }] }
        const answer = await client.chat.completions.create({ ...sent, n: 2, max_completion_tokens: 24 })
        checkNew(check, { ...answer, created_at: answer.created }, 'chatcmpl-', 'chat.completion')
        check(answer.model?.startsWith('gpt-4o-mini'), `the model that is named (${answer.model})`, 'values')
        const indexes = answer.choices?.map(({ index }) => index)
        check.equal(indexes, [0, 1], 'the choices', 'values')
        for (const { message, finish_reason: reason } of answer.choices) {
          check.equal(message?.role, 'assistant', 'role', 'first-state')
          check(typeof message?.content === 'string' && message.content !== '', `content (${message?.content})`)
          check(['stop', 'length'].includes(reason), `finish_reason (${reason})`)
        }
        const { prompt_tokens: read, completion_tokens: made, total_tokens: total } = answer.usage
        check(read > 0 && total === read + made, `usage is a sum (${read} + ${made} = ${total})`)
        const next = await client.chat.completions.create(sent)
        check.wrong(next.id !== answer.id, 'the next answer has another id', 'keys')
      },
    },
    {
      name: 'stream a chat completion',
      does: 'Streams chunks of one id; the content comes in pieces, then the reason for the end, then the usage.',
      source: 'POST /chat/completions: include_usage: "an additional chunk will be streamed before the data: [DONE]"',
      needs: 'more',
      class: 'streams',
      async run({ client, check }) {
        const stream = await client.chat.completions.create({
          model: 'gpt-4.1-nano',
          messages: [{ role: 'user', content: 'Name one harbour.' }],
          stream: true,
          stream_options: { include_usage: true },
        })
        const chunks = await collect(stream, 500)
        check.wrong(chunks.length > 1, `more than one chunk (${chunks.length})`)
        check.wrong.equal(new Set(chunks.map(({ id }) => id)).size, 1, 'how many ids the chunks have', 'keys')
        const [first = {}] = chunks
        checkNew(check, { ...first, created_at: first.created }, 'chatcmpl-', 'chat.completion.chunk')
        check(first.model?.startsWith('gpt-4.1-nano'), `the model that is named (${first.model})`, 'values')
        const choices = chunks.flatMap((chunk) => chunk.choices ?? [])
        check(choices.map(({ delta }) => delta?.content ?? '').join('') !== '', 'the content')
        check.equal(choices[0]?.delta?.role, 'assistant', 'role of the first piece')
        check.equal(choices.at(-1)?.finish_reason, 'stop', 'finish_reason of the last piece')
        check.equal(chunks.at(-1)?.choices, [], 'the last chunk has no choices')
        check(chunks.at(-1)?.usage?.total_tokens > 0, 'the last chunk has the usage', 'made-values')
      },
    },
    {
      name: 'delete a file and retrieve it again',
      does: 'Answers that the file is deleted; afterwards it answers 404, and the library throws NotFoundError.',
      source: 'DELETE /files/{file_id}; Error; https://platform.openai.com/docs/guides/error-codes',
      needs: 'overlay',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const { id } = await client.files.retrieve(kept.training.id)
        check.wrong.equal(id, kept.training.id, 'the file before', 'state')
        check.equal(await client.files.del(id), { id, object: 'file', deleted: true }, 'the answer')
        const error = await fails(() => client.files.retrieve(id))
        check.wrong(error instanceof OpenAI.NotFoundError, `NotFoundError (${error})`, 'errors')
        check.equal(typeof error.error?.message, 'string', 'the body has a message in `error`', 'errors')
        const left = await collect(client.files.list({ purpose: 'fine-tune', limit: 20 }), 400)
        check.wrong(!left.some((file) => file.id === id), 'the deleted file is not listed', 'state')
      },
    },
    {
      name: 'create an assistant without a model',
      does: 'Answers 400 with the parameter that is missing, and the library throws BadRequestError.',
      source: 'POST /assistants: model is required; Error; https://platform.openai.com/docs/guides/error-codes',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.beta.assistants.create({ name: 'Nobody' }))
        check.wrong(error instanceof OpenAI.BadRequestError, `BadRequestError (${error})`, 'errors')
        check.equal([error.type, error.param], ['invalid_request_error', 'model'], 'type and param', 'errors')
      },
    },
  ],
}

async function upload(client, name, content, purpose) {
  return client.files.create({ file: await toFile(Buffer.from(content), name), purpose })
}

function checkNew(check, { id, object, created_at: time }, prefix, type) {
  check.wrong(typeof id === 'string' && id.startsWith(prefix), `an id that begins with ${prefix} (${id})`, 'keys')
  check.equal(object, type, 'object', 'first-state')
  check(isRecent(time), `the time of the creation is now (${time})`, 'times')
}

function checkSent(check, record, sent) {
  for (const [key, value] of Object.entries(sent)) {
    check.equal(record[key], value, key, key === 'metadata' ? 'free-form' : 'values')
  }
}

/** Is a Unix time in seconds within a day of now? */
function isRecent(seconds) {
  return Number.isInteger(seconds) && Math.abs(Date.now() / 1000 - seconds) < 86_400
}

/** What the library's own paging or stream gives, at most so many. */
async function collect(list, limit) {
  const all = []
  for await (const each of list) {
    all.push(each)
    if (all.length >= limit) break
  }
  return all
}

/** Reads again for a moment, as the service counts later. */
async function until(read, isDone) {
  let value = await read()
  for (let attempt = 0; attempt < 5 && !isDone(value); attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    value = await read()
  }
  return value
}
