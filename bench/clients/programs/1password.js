/**
 * Keeps secrets in a vault with the library of 1Password Connect: vaults that exist already, and items in them.
 * The API is JSON with keys in paths; lists have no pages, and are filtered with SCIM expressions. The library adds
 * slashes to the paths of lists, and leaves out the ids of new fields.
 */
import onePassword from '@1password/connect'

const { FieldPurpose, FieldType, ItemBuilder, ItemCategory, OnePasswordConnect } = onePassword
const givenVault = 'q5xv3kd7mzt2hw9rbn4sfy6ucj'
const unknownVault = 'zz9zz8zz7zz6zz5zz4zz3zz2zz'

export default {
  connect: ({ address }) =>
    OnePasswordConnect({ serverURL: address('http://localhost:8080/v1'), token: 'token-of-the-program' }),
  steps: [
    {
      name: 'list the vaults',
      does: 'Lists the vaults that the token can read, at least one. It is found by id and name, an unknown is not.',
      source:
        'GET /vaults (filter: name eq; the library sends title eq, connect-sdk-js#69), GET /vaults/{vaultUuid}: 404',
      needs: 'overlay',
      class: 'trailing-slash',
      async run({ client, kept, check, fails }) {
        kept.vaultId = givenVault
        const vaults = await client.listVaults()
        const vault = vaults[0]
        kept.vaultId = vault?.id ?? givenVault
        check.wrong(isKey(vault?.id), `a vault with an id of 26 characters (${vault?.id})`, 'first-state')
        if (!vault) return
        const read = await client.getVaultById(vault.id)
        check.wrong.equal([read.id, read.name], [vault.id, vault.name], 'id and name of the vault', 'state')
        const named = await client.listVaultsByTitle(vault.name)
        check.wrong(
          named.some(({ id }) => id === vault.id),
          'the vault found by its name',
          'filters',
        )
        check.wrong.equal(await client.listVaultsByTitle('Nobody has this vault'), [], 'vaults named so', 'spelling')
        const error = await fails(() => client.getVaultById(unknownVault))
        check.wrong([403, 404].includes(error.status), `status of the error is 404 or 403 (${error.status})`, 'errors')
      },
    },
    {
      name: 'create a login',
      does: 'Stores title, tags, address and fields, and makes the ids. The item is neither archived nor deleted.',
      source: 'POST /vaults/{vaultUuid}/items; Item: createdAt, lastEditedBy "readOnly", state ARCHIVED or DELETED',
      needs: 'leniency',
      class: 'refusals',
      async run({ client, kept, check, exchanges }) {
        const sent = new ItemBuilder()
          .setTitle('Harbour office router')
          .setCategory(ItemCategory.Login)
          .addTag('harbour')
          .addTag('router')
          .addUrl({ href: 'https://router.harbour.example.net', primary: true })
          .addField({ label: 'username', purpose: FieldPurpose.Username, value: 'harbourmaster' })
          .addField({ label: 'password', purpose: FieldPurpose.Password, type: FieldType.Concealed, value: 'k33p-0ut' })
          .addField({ label: 'rack', value: 'R12' })
          .build()
        const item = await client.createItem(kept.vaultId, sent)
        kept.login = item
        check.wrong(isKey(item.id), `an id of 26 characters (${item.id})`, 'keys')
        check.equal(item.title, 'Harbour office router', 'title', 'values')
        check.equal(item.category, 'LOGIN', 'category', 'values')
        check.wrong.equal(item.vault?.id, kept.vaultId, 'id of the vault', 'owners')
        check.equal(item.tags, ['harbour', 'router'], 'tags', 'values')
        check.equal(item.urls?.[0]?.href, 'https://router.harbour.example.net', 'address', 'values')
        check.equal(toValues(item).rack, 'R12', 'value of the field', 'values')
        check(item.fields?.length >= 3 && item.fields.every(({ id }) => id), 'an id for each field', 'first-state')
        check(!item.favorite, 'it is no favorite', 'first-state')
        check(item.version > 0, `version (${item.version})`, 'first-state')
        check(isRecent(item.createdAt), `createdAt (${item.createdAt})`, 'times')
        check(isRecent(item.updatedAt), `updatedAt (${item.updatedAt})`, 'times')
        check(Boolean(item.lastEditedBy), 'lastEditedBy', 'first-state')
        const { state } = JSON.parse(exchanges().at(-1).received)
        check.wrong(!state, `no state (${state})`, 'first-state')
      },
    },
    {
      name: 'retrieve the login',
      does: 'Answers with the item and the values of its fields.',
      source: 'GET /vaults/{vaultUuid}/items/{itemUuid}: "Get the details of an Item"',
      needs: 'document',
      class: 'state',
      async run({ client, kept, check }) {
        const item = await client.getItemById(kept.vaultId, kept.login.id)
        check.wrong.equal(item.id, kept.login.id, 'id', 'keys')
        check.wrong.equal(item.title, 'Harbour office router', 'title')
        const { username, password, rack } = toValues(item)
        check.wrong.equal(
          { username, password, rack },
          { username: 'harbourmaster', password: 'k33p-0ut', rack: 'R12' },
          'fields',
        )
        check.equal(Number(item.createdAt), Number(kept.login.createdAt), 'createdAt', 'times')
      },
    },
    {
      name: 'list the items of the vault',
      does: 'Lists all items of the vault, each once, without pages.',
      source: 'GET /vaults/{vaultUuid}/items: "Get all items for inside a Vault"',
      needs: 'leniency',
      class: 'pages',
      async run({ client, kept, check }) {
        const ids = [kept.login.id]
        for (const title of ['Crane key', 'Crane key', 'Crane manual', 'Pilot list']) {
          const item = await client.createItem(kept.vaultId, toNote(title))
          check.equal(item.title, title, 'title', 'values')
          ids.push(item.id)
        }
        kept.ids = ids
        const listed = await client.listItems(kept.vaultId)
        const found = listed.map(({ id }) => id).filter((id) => ids.includes(id))
        check.wrong.equal(new Set(ids).size, 5, 'different ids', 'keys')
        check.wrong.equal(found.sort(), [...ids].sort(), 'created items, each once')
        check.wrong.equal(listed.find(({ id }) => id === ids[4])?.title, 'Pilot list', 'title in the list', 'state')
        check.wrong.equal(
          listed.find(({ id }) => id === ids[4])?.vault?.id,
          kept.vaultId,
          'vault in the list',
          'owners',
        )
      },
    },
    {
      name: 'get an item by its title',
      does: 'The library filters the items with title eq "…", and reads the only one. Without one it throws a 404.',
      source: 'GET /vaults/{vaultUuid}/items: filter "title eq …"; GET /vaults/{vaultUuid}/items/{itemUuid}',
      needs: 'leniency',
      class: 'filters',
      async run({ client, kept, check, fails }) {
        const item = await client.getItem(kept.vaultId, 'Pilot list')
        check.wrong.equal(item.id, kept.ids[4], 'id')
        check.wrong.equal(toValues(item).text, 'About: Pilot list', 'field', 'state')
        const error = await fails(() => client.getItem(kept.vaultId, 'Pilot'))
        check.wrong.equal(error.status, 404, 'status of the error')
      },
    },
    {
      name: 'list the items with one title',
      does: 'Two items may have the same title. The filter finds exactly those, and the library reads each.',
      source: 'GET /vaults/{vaultUuid}/items: "Filter the Item collection based on Item name using SCIM eq filter"',
      needs: 'leniency',
      class: 'filters',
      async run({ client, kept, check }) {
        const items = await client.listItemsByTitle(kept.vaultId, 'Crane key')
        const own = items.map(({ id }) => id).filter((id) => kept.ids.includes(id))
        check.wrong.equal(own.sort(), [kept.ids[1], kept.ids[2]].sort(), 'ids')
        check.wrong(
          items.every(({ title }) => title === 'Crane key'),
          'all have the title',
        )
      },
    },
    {
      name: 'search the items by a part of the title',
      does: 'The filter title co "…" finds the items whose title contains the text.',
      source:
        'GET /vaults/{vaultUuid}/items: filter; https://developer.1password.com/docs/connect/connect-api-reference',
      needs: 'overlay',
      class: 'filters',
      async run({ client, kept, check }) {
        const items = await client.listItemsByTitleContains(kept.vaultId, 'Crane')
        const own = items.map(({ id }) => id).filter((id) => kept.ids.includes(id))
        check.wrong.equal(own.sort(), kept.ids.slice(1, 4).sort(), 'ids')
        check.wrong(
          items.every(({ title }) => title.includes('Crane')),
          'all titles contain the text',
        )
      },
    },
    {
      name: 'update the login',
      does: 'Replaces the item: title, tags and a field change, id and createdAt stay, and the version grows.',
      source: 'PUT /vaults/{vaultUuid}/items/{itemUuid}: "Update an Item"; Item: createdAt readOnly, version',
      needs: 'overlay',
      class: 'state',
      async run({ client, kept, check }) {
        const item = await client.getItemById(kept.vaultId, kept.login.id)
        item.title = 'Harbour office switch'
        item.tags = ['harbour', 'switch']
        const rack = item.fields.find(({ label }) => label === 'rack')
        check.wrong(rack !== undefined, 'the field that is changed')
        if (rack) rack.value = 'R31'
        const changed = await client.updateItem(kept.vaultId, item)
        check.wrong.equal(changed.id, kept.login.id, 'id', 'keys')
        check.equal(changed.title, 'Harbour office switch', 'title', 'values')
        const read = await client.getItemById(kept.vaultId, kept.login.id)
        check.wrong.equal(read.title, 'Harbour office switch', 'title when read')
        check.equal(read.tags, ['harbour', 'switch'], 'tags when read')
        const { username, rack: place } = toValues(read)
        check.wrong.equal({ username, place }, { username: 'harbourmaster', place: 'R31' }, 'fields when read')
        check.equal(Number(read.createdAt), Number(kept.login.createdAt), 'createdAt', 'times')
        check(read.version > kept.login.version, `a higher version (${read.version})`, 'made-values')
      },
    },
    {
      name: 'make the login a favorite',
      does: 'The item is a favorite then, in the answer and when read. It keeps its category.',
      source: 'PUT /vaults/{vaultUuid}/items/{itemUuid}; Item: "favorite" default false',
      needs: 'document',
      class: 'state',
      async run({ client, kept, check }) {
        const item = await client.getItemById(kept.vaultId, kept.login.id)
        check.wrong(!item.favorite, 'it is no favorite before', 'first-state')
        item.favorite = true
        const changed = await client.updateItem(kept.vaultId, item)
        check.wrong.equal(changed.id, kept.login.id, 'id', 'keys')
        check.equal(changed.favorite, true, 'favorite', 'values')
        const read = await client.getItemById(kept.vaultId, kept.login.id)
        check.wrong.equal([read.id, read.favorite], [kept.login.id, true], 'favorite when read')
        check.wrong.equal(read.category, 'LOGIN', 'category')
      },
    },
    {
      name: 'create an item with a generated password',
      does: 'The service makes the value of the field after the recipe: 24 letters and digits.',
      source:
        'POST /vaults/{vaultUuid}/items; Field: "If value is not present then a new value should be generated"; recipe',
      needs: 'more',
      class: 'made-values',
      async run({ client, kept, check }) {
        const sent = new ItemBuilder()
          .setTitle('Gate code')
          .setCategory(ItemCategory.Password)
          .addField({
            label: 'password',
            purpose: FieldPurpose.Password,
            type: FieldType.Concealed,
            generate: true,
            recipe: { length: 24, characterSets: ['LETTERS', 'DIGITS'] },
          })
          .build()
        const created = await client.createItem(kept.vaultId, sent)
        check.equal(created.title, 'Gate code', 'title', 'values')
        const item = await client.getItemById(kept.vaultId, created.id)
        kept.gate = item
        const { password } = toValues(item)
        check(/^[A-Za-z\d]{24}$/.test(password), `24 letters and digits (${password})`)
        check.wrong.equal(item.id, created.id, 'id', 'keys')
        check.wrong.equal(password, toValues(created).password, 'the value when read', 'state')
      },
    },
    {
      name: 'delete an item',
      does: 'The item is in the list before, and not after.',
      source: 'DELETE /vaults/{vaultUuid}/items/{itemUuid}: 204 "Successfully deleted an item"',
      needs: 'document',
      class: 'state',
      async run({ client, kept, check }) {
        const listed = async () => (await client.listItems(kept.vaultId)).map(({ id }) => id)
        const before = await listed()
        check.wrong(before.includes(kept.login.id), 'the item is listed before')
        await client.deleteItem(kept.vaultId, kept.login.id)
        const after = await listed()
        check.wrong(!after.includes(kept.login.id), 'the item is not listed after', 'deletion')
        check.wrong(after.includes(kept.ids[4]), 'another item is listed after')
      },
    },
    {
      name: 'delete an item by its title',
      does: 'The library looks for the title and deletes the only item with it. The title is not found again.',
      source: 'GET /vaults/{vaultUuid}/items: filter; DELETE /vaults/{vaultUuid}/items/{itemUuid}',
      needs: 'leniency',
      class: 'filters',
      async run({ client, kept, check, fails }) {
        const before = await client.getItemByTitle(kept.vaultId, 'Crane manual')
        check.wrong.equal(before.id, kept.ids[3], 'id of the item before')
        await client.deleteItemByTitle(kept.vaultId, 'Crane manual')
        const error = await fails(() => client.getItemByTitle(kept.vaultId, 'Crane manual'))
        check.wrong.equal(error.status, 404, 'status of the error')
        const others = await client.listItemsByTitle(kept.vaultId, 'Pilot list')
        check.wrong(others.map(({ id }) => id).includes(kept.ids[4]), 'the other items stay', 'state')
      },
    },
    {
      name: 'retrieve the deleted item',
      does: 'Answers 404 with status and message, which the library throws. Its files are not found either.',
      source: 'GET /vaults/{vaultUuid}/items/{itemUuid} and …/files: 404 ErrorResponse',
      needs: 'leniency',
      class: 'errors',
      follows: ['delete an item'],
      async run({ client, kept, check, fails }) {
        const files = await client.listFiles(kept.vaultId, kept.ids[4])
        check.wrong.equal(files ?? [], [], 'files of an item without files', 'paths')
        const error = await fails(() => client.getItemById(kept.vaultId, kept.login.id))
        check.wrong.equal(error.status, 404, 'status')
        check(typeof error.message === 'string' && error.message !== '', 'message')
        const ofFiles = await fails(() => client.listFiles(kept.vaultId, kept.login.id))
        check.wrong.equal(ofFiles.status, 404, 'status for its files', 'paths')
      },
    },
    {
      name: 'create an item of an unknown category',
      does: 'Answers 400 with status and message, which the library throws.',
      source: 'POST /vaults/{vaultUuid}/items: 400 "Unable to create item due to invalid input", Item.category: enum',
      needs: 'leniency',
      class: 'validation',
      async run({ client, kept, check, fails }) {
        const sent = { ...toNote('Lighthouse'), category: 'LIGHTHOUSE' }
        const error = await fails(() => client.createItem(kept.vaultId, sent))
        check.wrong.equal(error.status, 400, 'status', 'errors')
        check(typeof error.message === 'string' && error.message !== '', 'message', 'errors')
      },
    },
  ],
}

function toNote(title) {
  return new ItemBuilder()
    .setTitle(title)
    .setCategory(ItemCategory.APICredential)
    .addField({ label: 'text', value: `About: ${title}` })
    .build()
}

/** The values of an item's fields, by label. */
function toValues(item) {
  return Object.fromEntries((item.fields ?? []).map(({ label, value }) => [label, value]))
}

function isKey(id) {
  return /^[\da-z]{26}$/.test(id)
}

function isRecent(time) {
  return Math.abs(Date.now() - Number(time)) < 24 * 60 * 60 * 1000
}
