/**
 * A household keeps its books in YNAB: accounts, transactions with payees, splits, imports and transfers, and the amount
 * of a budget category. JSON in `data` envelopes, amounts in milliunits, lists without pages but with delta requests.
 */
import { api as Ynab } from 'ynab'

const budget = 'last-used'

export default {
  connect: ({ address }) => new Ynab('token-of-the-household', address('https://api.ynab.com/v1')),
  steps: [
    {
      name: 'create and retrieve an account',
      does: 'A new cash account is open, on budget, has the sent balance as cleared, and is in the list of accounts.',
      source: 'POST, GET /budgets/{budget_id}/accounts; "on_budget: Whether this account is on budget or not"',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const sent = { name: 'Harbour jar', type: 'cash', balance: 250_000 }
        const { account } = (await client.accounts.createAccount(budget, { account: sent })).data
        kept.account = account
        check(isUuid(account.id), `id is a UUID (${account.id})`, 'keys')
        check(isUuid(account.transfer_payee_id), `transfer_payee_id is a UUID (${account.transfer_payee_id})`, 'links')
        check.equal([account.name, account.type], ['Harbour jar', 'cash'], 'name and type', 'values')
        check.equal(account.balance, 250_000, 'balance', 'values')
        check.equal([account.cleared_balance, account.uncleared_balance], [250_000, 0], 'cleared and uncleared')
        check.equal([account.on_budget, account.closed, account.deleted], [true, false, false], 'on budget and open')
        const read = (await client.accounts.getAccountById(budget, account.id)).data.account
        check.wrong.equal([read.id, read.name], [account.id, 'Harbour jar'], 'id and name that are read', 'state')
        const { accounts } = (await client.accounts.getAccounts(budget)).data
        check.wrong.equal(countOf(accounts, account.id), 1, 'how often the account is listed', 'state')
      },
    },
    {
      name: 'create a transaction',
      does: 'Without more than the ordinary values it is uncleared, not approved, no transfer, no import and not split.',
      source: 'POST /budgets/{budget_id}/transactions; "If not supplied, transaction will be unapproved by default"',
      needs: 'document',
      class: 'first-state',
      async run({ client, kept, check }) {
        const memo = 'Rye and cardamom'
        const sent = {
          account_id: kept.account.id,
          date: '2025-03-11',
          amount: -12_340,
          payee_name: 'Quay Bakery',
          memo,
        }
        const request = { transaction: { ...sent, flag_color: 'purple' } }
        const { data } = await client.transactions.createTransaction(budget, request)
        const { transaction } = data
        kept.bread = transaction
        check.equal(data.transaction_ids, [transaction.id], 'transaction_ids', 'envelopes')
        check(Number.isInteger(data.server_knowledge), `server_knowledge (${data.server_knowledge})`, 'envelopes')
        check.equal(transaction.account_id, kept.account.id, 'account_id', 'values')
        check.equal([transaction.date, transaction.amount], ['2025-03-11', -12_340], 'date and amount', 'values')
        check.equal([transaction.memo, transaction.flag_color], [memo, 'purple'], 'memo and flag_color', 'values')
        check.equal([transaction.cleared, transaction.approved], ['uncleared', false], 'cleared and approved')
        check.equal([transaction.transfer_account_id, transaction.import_id], [null, null], 'no transfer, no import')
        check.equal([transaction.deleted, transaction.subtransactions], [false, []], 'not deleted, not split')
        check.equal(transaction.account_name, 'Harbour jar', 'account_name', 'references')
        const read = (await client.transactions.getTransactionById(budget, transaction.id)).data.transaction
        check.wrong.equal([read.id, read.amount], [transaction.id, -12_340], 'id and amount that are read', 'state')
      },
    },
    {
      name: 'find the payee that a name made',
      does: 'A new payee name becomes a payee. The same name again is the same payee, whose transactions can be listed.',
      source: 'POST …/transactions: payee_name "… a payee with the same name or (3) creation of a new payee"',
      needs: 'document',
      class: 'references',
      async run({ client, kept, check }) {
        const { id, payee_id: payeeId, payee_name: payeeName } = kept.bread
        check(isUuid(payeeId), `payee_id is a UUID (${payeeId})`)
        check.equal(payeeName, 'Quay Bakery', 'payee_name', 'values')
        const { payee } = (await client.payees.getPayeeById(budget, kept.bread.payee_id)).data
        check.wrong.equal([payee.id, payee.name], [payeeId, 'Quay Bakery'], 'id and name of the payee')
        check.equal([payee.deleted, payee.transfer_account_id], [false, null], 'deleted and transfer_account_id')
        const account = kept.account.id
        const sent = { account_id: account, date: '2025-03-14', amount: -4560, payee_name: 'Quay Bakery' }
        const again = (await client.transactions.createTransaction(budget, { transaction: sent })).data.transaction
        kept.buns = again
        check.equal(again.payee_id, payeeId, 'payee_id of the second transaction')
        const { payees } = (await client.payees.getPayees(budget)).data
        check.wrong.equal(payees.filter((each) => each.name === 'Quay Bakery').length, 1, 'payees of that name')
        const { transactions } = (await client.transactions.getTransactionsByPayee(budget, payeeId)).data
        const counts = [countOf(transactions, id), countOf(transactions, again.id)]
        check.wrong.equal(counts, [1, 1], 'how often each is listed for the payee', 'filters')
        const payeesOfListed = [...new Set(valuesOf(transactions, 'payee_id'))]
        check.wrong.equal(payeesOfListed, [payeeId], 'payees of the listed', 'filters')
      },
    },
    {
      name: 'create a split transaction',
      does: 'Each part has an id and the id of its transaction. The category of the whole is called Split.',
      source: 'POST …/transactions: subtransactions; "category_name: If a split transaction, this will be \'Split\'"',
      needs: 'document',
      class: 'made-values',
      async run({ client, kept, check }) {
        const parts = [
          { amount: -18_000, memo: 'Herring' },
          { amount: -12_100, memo: 'Dill' },
        ]
        const whole = { account_id: kept.account.id, date: '2025-03-20', amount: -30_100, category_id: null }
        const request = { transaction: { ...whole, payee_name: 'Quay Fishmonger', subtransactions: parts } }
        const { transaction } = (await client.transactions.createTransaction(budget, request)).data
        const read = (await client.transactions.getTransactionById(budget, transaction.id)).data.transaction
        kept.split = read
        check.wrong.equal([read.id, read.amount], [transaction.id, -30_100], 'id and amount that are read', 'state')
        const stored = [...(read.subtransactions ?? [])].sort((one, other) => one.amount - other.amount)
        const values = stored.map(({ amount, memo }) => ({ amount, memo }))
        check.equal(values, parts, 'amount and memo of the parts', 'values')
        const ids = new Set(valuesOf(stored, 'id'))
        check(ids.size === 2 && !ids.has(undefined), 'each part has an id of its own', 'keys')
        check.equal(valuesOf(stored, 'transaction_id'), [read.id, read.id], 'transaction_id of the parts', 'owners')
        check.equal(valuesOf(stored, 'deleted'), [false, false], 'deleted of the parts', 'first-state')
        check.equal(read.category_name, 'Split', 'category_name')
      },
    },
    {
      name: 'import transactions twice',
      does: 'An import id that the account already has is not created again, but listed as a duplicate.',
      source: 'POST …/transactions: duplicate_import_ids "… not created because of an existing `import_id` …"',
      needs: 'document',
      class: 'idempotency',
      async run({ client, kept, check }) {
        const transactions = [-1110, -2220, -3330].map((amount, index) => ({
          account_id: kept.account.id,
          date: `2025-05-0${index + 2}`,
          amount,
          payee_name: 'Quay Ferry',
          cleared: 'cleared',
          import_id: `YNAB:${amount}:2025-05-0${index + 2}:1`,
        }))
        const importIds = valuesOf(transactions, 'import_id').sort()
        const first = (await client.transactions.createTransactions(budget, { transactions })).data
        kept.imported = first.transactions
        check.wrong.equal(new Set(first.transaction_ids).size, 3, 'three transaction_ids', 'envelopes')
        check.equal(first.duplicate_import_ids, [], 'duplicate_import_ids at first')
        check.equal(valuesOf(first.transactions, 'import_id').sort(), importIds, 'import_id of each', 'values')
        check.equal([...new Set(valuesOf(first.transactions, 'cleared'))], ['cleared'], 'cleared of each', 'values')
        const second = (await client.transactions.createTransactions(budget, { transactions })).data
        check.equal([...(second.duplicate_import_ids ?? [])].sort(), importIds, 'duplicate_import_ids')
        check.equal(second.transaction_ids, [], 'transaction_ids of the second request')
        const all = (await client.transactions.getTransactionsByAccount(budget, kept.account.id)).data.transactions
        const ferries = all.filter((each) => each.payee_name === 'Quay Ferry')
        check.wrong.equal(idsOf(ferries), [...first.transaction_ids].sort(), 'the transactions after both')
      },
    },
    {
      name: 'list the transactions of the account, all and filtered',
      does: 'Lists those of the account only, each once, and those since a date or not approved if asked for.',
      source: 'GET …/accounts/{account_id}/transactions; "since_date: … only transactions on or after this date"; type',
      needs: 'document',
      class: 'filters',
      async run({ client, kept, check }) {
        const account = kept.account.id
        const list = async (...filters) =>
          (await client.transactions.getTransactionsByAccount(budget, account, ...filters)).data.transactions
        const old = [kept.bread, kept.buns, kept.split]
        const { imported } = kept
        const all = await list()
        for (const { id, date } of [...old, ...imported]) {
          check.wrong.equal(countOf(all, id), 1, `how often the transaction of ${date} is listed`, 'state')
        }
        check.wrong.equal([...new Set(valuesOf(all, 'account_id'))], [account], 'accounts of the listed')
        const recent = await list('2025-05-03')
        const expected = imported.filter(({ date }) => date >= '2025-05-03')
        const counts = expected.map((each) => countOf(recent, each.id))
        check.wrong.equal(counts, [1, 1], 'how often those on or after the date are listed')
        const early = recent.filter(({ date }) => date < '2025-05-03')
        check.wrong.equal(idsOf(early), [], 'listed although before the date')
        await client.transactions.updateTransactions(budget, { transactions: [{ id: kept.buns.id, approved: true }] })
        const unapproved = await list(undefined, 'unapproved')
        check.wrong.equal(countOf(unapproved, kept.bread.id), 1, 'how often the unapproved one is listed')
        check.wrong.equal(countOf(unapproved, kept.buns.id), 0, 'how often the approved one is listed')
      },
    },
    {
      name: 'update a transaction',
      does: 'The sent values replace the old ones. Its id and its payee stay.',
      source: 'PUT …/transactions/{transaction_id}',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { id, payee_id: payeeId } = kept.bread
        const changed = { date: '2025-03-12', amount: -15_550, memo: 'Two loaves', cleared: 'cleared' }
        const transaction = { account_id: kept.account.id, payee_id: payeeId, ...changed }
        const updated = (await client.transactions.updateTransaction(budget, id, { transaction })).data.transaction
        check.wrong.equal(updated.id, id, 'the id that is updated', 'keys')
        const read = (await client.transactions.getTransactionById(budget, id)).data.transaction
        check.wrong.equal(read.id, id, 'the id that is read', 'keys')
        for (const [name, value] of Object.entries(changed)) {
          check.equal([updated[name], read[name]], [value, value], `${name} of the answer, and read`, 'values')
        }
        check.equal([read.payee_id, read.payee_name], [payeeId, 'Quay Bakery'], 'the payee', 'references')
        check.equal(read.account_id, kept.account.id, 'the account', 'state')
      },
    },
    {
      name: 'approve several transactions at once',
      does: 'Finds each by its id, changes what is sent, and keeps the rest. Others are not touched.',
      source: 'PATCH …/transactions: "Updates multiple transactions, by `id` or `import_id`"; answers 209',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const [first, second] = kept.imported
        const get = async ({ id }) => (await client.transactions.getTransactionById(budget, id)).data.transaction
        const before = [await get(first), await get(second)]
        check.wrong.equal(valuesOf(before, 'id'), [first.id, second.id], 'the ids before', 'keys')
        check.equal(valuesOf(before, 'approved'), [false, false], 'approved before', 'first-state')
        const changes = [
          { id: first.id, approved: true, flag_color: 'green' },
          { id: second.id, approved: true, memo: 'To the island' },
        ]
        const { data } = await client.transactions.updateTransactions(budget, { transactions: changes })
        check.equal([...data.transaction_ids].sort(), [first.id, second.id].sort(), 'transaction_ids', 'envelopes')
        const after = [await get(first), await get(second)]
        check.equal(valuesOf(after, 'approved'), [true, true], 'approved after')
        check.equal([after[0].flag_color, after[1].memo], ['green', 'To the island'], 'what is changed', 'values')
        check.equal(valuesOf(after, 'amount'), [first.amount, second.amount], 'what is kept', 'put-as-update')
        const third = await get(kept.imported[2])
        check.equal(third.approved, false, 'approved of the third', 'state')
      },
    },
    {
      name: 'ask for what changed since',
      does: 'With the server knowledge of an earlier list, only what changed after it is listed, and the knowledge grew.',
      source: 'GET …/transactions: last_knowledge_of_server "only entities that have changed since …"',
      needs: 'more',
      class: 'filters',
      async run({ client, kept, check }) {
        const account = kept.account.id
        const before = (await client.transactions.getTransactionsByAccount(budget, account)).data
        const { id } = kept.buns
        check.wrong.equal(countOf(before.transactions, id), 1, 'how often it is listed before', 'state')
        const transactions = [{ id, memo: 'A dozen buns' }]
        await client.transactions.updateTransactions(budget, { transactions })
        const known = before.server_knowledge
        const filters = [undefined, undefined, known]
        const delta = (await client.transactions.getTransactionsByAccount(budget, account, ...filters)).data
        check.wrong.equal(idsOf(delta.transactions), [id], 'the transactions that changed')
        check.equal(delta.transactions.find((each) => each.id === id)?.memo, 'A dozen buns', 'memo', 'state')
        check(delta.server_knowledge > known, `server_knowledge grows (${known}, ${delta.server_knowledge})`, 'state')
      },
    },
    {
      name: 'see the balance of the account change',
      does: 'A cleared transaction changes the balance and the cleared balance by its amount, not the uncleared one.',
      source: 'GET …/accounts/{account_id}; "balance: The current balance …", cleared_balance, uncleared_balance',
      needs: 'more',
      class: 'made-values',
      async run({ client, kept, check }) {
        const { id } = kept.account
        const get = async () => (await client.accounts.getAccountById(budget, id)).data.account
        const before = await get()
        check.wrong.equal(before.id, id, 'the id before', 'keys')
        const sent = { account_id: id, date: '2025-06-17', amount: -7770, payee_name: 'Quay Ferry', cleared: 'cleared' }
        await client.transactions.createTransaction(budget, { transaction: sent })
        const after = await get()
        check.wrong.equal(after.id, id, 'the id after', 'keys')
        check.equal(after.balance, before.balance - 7770, 'balance')
        check.equal(after.cleared_balance, before.cleared_balance - 7770, 'cleared_balance')
        check.equal(after.uncleared_balance, before.uncleared_balance, 'uncleared_balance')
        check.equal(after.balance, after.cleared_balance + after.uncleared_balance, 'balance is the sum of both')
      },
    },
    {
      name: 'transfer to another account',
      does: 'The transfer payee of an account makes a second transaction there, with the opposite amount. Both are linked.',
      source: 'POST …/transactions: payee_id "To create a transfer …, use the account transfer payee …"',
      needs: 'more',
      class: 'links',
      async run({ client, kept, check }) {
        const sent = { name: 'Loft savings', type: 'savings', balance: 60_000 }
        const target = (await client.accounts.createAccount(budget, { account: sent })).data.account
        check.wrong(target.id !== kept.account.id, `another id than the first account (${target.id})`, 'keys')
        const { payee } = (await client.payees.getPayeeById(budget, target.transfer_payee_id)).data
        check.equal(payee.transfer_account_id, target.id, 'transfer_account_id of the transfer payee')
        const from = { account_id: kept.account.id, date: '2025-06-18', amount: -44_000 }
        const request = { transaction: { ...from, payee_id: target.transfer_payee_id } }
        const { transaction } = (await client.transactions.createTransaction(budget, request)).data
        check.equal(transaction.amount, -44_000, 'amount', 'values')
        check.equal(transaction.transfer_account_id, target.id, 'transfer_account_id')
        const there = (await client.transactions.getTransactionsByAccount(budget, target.id)).data.transactions
        const other = there.find((each) => each.amount === 44_000)
        check(other !== undefined, 'a transaction of the opposite amount in the other account')
        check.equal(other?.transfer_account_id, kept.account.id, 'transfer_account_id of the other side')
        check.equal(other?.id, transaction.transfer_transaction_id, 'transfer_transaction_id')
      },
    },
    {
      name: 'budget an amount for a category',
      does: 'The category has the new amount in that month. Its balance changes by the difference.',
      source: 'PATCH, GET …/months/{month}/categories/{category_id}; "Only `budgeted` amount can be updated"',
      needs: 'more',
      class: 'state',
      async run({ client, check }) {
        const groups = (await client.categories.getCategories(budget)).data.category_groups
        const usual = groups.filter((each) => !each.hidden && !each.deleted && !internalGroups.includes(each.name))
        const category = usual.flatMap(({ categories }) => categories).find((each) => !each.hidden && !each.deleted)
        check.wrong(category !== undefined, 'a category that can be budgeted')
        const { id } = category
        const get = async () => (await client.categories.getMonthCategoryById(budget, 'current', id)).data.category
        const before = await get()
        check.wrong.equal(before.id, id, 'the id before', 'keys')
        const budgeted = before.budgeted === 135_790 ? 246_800 : 135_790
        const data = { category: { budgeted } }
        await client.categories.updateMonthCategory(budget, 'current', id, data)
        const after = await get()
        check.wrong.equal(after.id, id, 'the id after', 'keys')
        check.equal(after.budgeted, budgeted, 'budgeted', 'values')
        check.equal(after.balance - before.balance, budgeted - before.budgeted, 'how balance changes', 'made-values')
        check.equal([after.name, after.category_group_id], [before.name, before.category_group_id], 'what is kept')
      },
    },
    {
      name: 'delete a transaction and retrieve it',
      does: 'Answers the transaction as deleted. It is in no list any more. Reading it is 404, resource_not_found.',
      source: 'DELETE, GET …/transactions/{transaction_id}: 404; https://api.ynab.com/#errors: 404.2',
      needs: 'overlay',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const { id } = kept.split
        const list = () => client.transactions.getTransactionsByAccount(budget, kept.account.id)
        const before = (await list()).data.transactions
        check.wrong.equal(countOf(before, id), 1, 'how often it is listed before', 'state')
        const { transaction } = (await client.transactions.deleteTransaction(budget, id)).data
        check.wrong.equal(transaction.id, id, 'the id that is deleted')
        check.equal([transaction.deleted, transaction.amount], [true, -30_100], 'deleted and amount of the answer')
        const after = (await list()).data.transactions
        check.wrong.equal(countOf(after, id), 0, 'how often it is listed after')
        check.wrong.equal(countOf(after, kept.bread.id), 1, 'how often another one is listed after', 'state')
        const refusal = await fails(() => client.transactions.getTransactionById(budget, id))
        check.wrong(String(refusal.error?.id).startsWith('404'), `the error 404 (${JSON.stringify(refusal)})`, 'errors')
        check.equal(refusal.error?.name, 'resource_not_found', 'name of the error', 'errors')
        check(refusal.error?.detail?.length > 0, 'the error has a detail', 'errors')
      },
    },
    {
      name: 'create a transaction without an account',
      does: 'Answers 400, and the library throws the body, whose error has the id 400 and the name bad_request.',
      source: 'POST …/transactions: account_id is required, 400; https://api.ynab.com/#errors',
      needs: 'overlay',
      class: 'validation',
      async run({ client, check, fails, exchanges }) {
        const request = { transaction: { date: '2025-06-19', amount: -9990, payee_name: 'Quay Ferry' } }
        const refusal = await fails(() => client.transactions.createTransaction(budget, request))
        check.wrong.equal(exchanges().at(-1)?.status, 400, 'status')
        check.equal([refusal.error?.id, refusal.error?.name], ['400', 'bad_request'], 'id and name', 'errors')
        check(refusal.error?.detail?.length > 0, 'the error has a detail', 'errors')
      },
    },
  ],
}

const internalGroups = ['Internal Master Category', 'Credit Card Payments', 'Hidden Categories']

function isUuid(text) {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)
}

function countOf(records, id) {
  return records.filter((each) => each.id === id).length
}

function valuesOf(records, name) {
  return records.map((each) => each[name])
}

function idsOf(records) {
  return valuesOf(records, 'id').sort()
}
