/**
 * Opens a store in a file, and prints `open`, or why not. For each line that it reads it commits to a world, and prints `done` or
 * why not. It ends with its input.
 */
import { createInterface } from 'node:readline'
import { openStore } from 'petstore-sandbox/node'

const [path] = process.argv.slice(2)
const onMessage = (text) => console.log(text)
const store = await openStore(`file:${path}`, { onMessage }).catch(({ message }) => console.log(message))
if (store) {
  console.log('open')
  let on = await store.open('held')
  on &&= on.stamp
  for await (const name of createInterface({ input: process.stdin })) {
    const commit = { commitId: name, on, isWhole: false, entries: [{ name, text: '1' }] }
    const said = await Promise.resolve(store.commit('held', commit)).then(
      (stamp) => {
        on = stamp
        return 'done'
      },
      ({ message }) => message,
    )
    console.log(said)
  }
  await store.close()
}
