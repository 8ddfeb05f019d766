// InfluxDB, beside the overlay of the same name.
import { defineOverrides } from 'petstore-sandbox'

/** Takes the name and the schedule of a task from its script: `option task = {name: "dim", every: 3h}`. */
async function readScript({ next }) {
  const { record } = await next()
  if (!record) return
  const [, option = ''] = /option task = \{([^}]*)\}/.exec(record.flux) ?? []
  for (const [, name, value] of option.matchAll(/(name|every|cron|offset): *("[^"]*"|[^,\s]+)/g)) {
    record[name] = value.replaceAll('"', '')
  }
}

export default defineOverrides({
  'POST /tasks': readScript,
  'PATCH /tasks/{taskID}': readScript,
})
