// Netlify, beside the overlay of the same name.
import { createHash } from 'node:crypto'
import { defineOverrides } from 'petstore-sandbox'

const scopes = ['builds', 'functions', 'runtime', 'post-processing']
const types = {
  html: 'text/html',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
}

/** The environment variables of a site, or of the whole account, by their names. */
function variablesOf({ own, params, query }) {
  own.variables ??= {}
  const place = query.site_id ?? params.account_id
  own.variables[place] ??= {}
  return own.variables[place]
}

function withId(value, random) {
  return { id: String(Math.floor(random() * 1e12)), ...value }
}

/** Runs code with the variable that the path names. */
function withVariable(run) {
  return (context) => {
    const variable = variablesOf(context)[context.params.key]
    return variable ? run(context, variable) : context.refuse(404, 'Not Found')
  }
}

export default defineOverrides({
  // Names are unique, and a site belongs to the account of who creates it.
  'POST /sites': async ({ body, records, refuse, next }) => {
    const { length } = body?.name ? await records('/sites').list({ name: body.name }) : []
    if (length > 0) return refuse(422, 'Name has already been taken')
    const [account] = await records('/accounts').list()
    const { record } = await next()
    if (!record) return
    const url = `https://${record.name}.netlify.app`
    Object.assign(record, { state: 'current', account_id: String(account.id), url, ssl_url: url })
  },
  'POST /sites/{site_id}/build_hooks': async ({ next }) => {
    const { record } = await next()
    if (record) record.url = `https://api.netlify.com/build_hooks/${record.id}`
  },

  'POST /accounts/{account_id}/env': (context) => {
    const { body, random, now, answer } = context
    const all = variablesOf(context)
    const created = body.map(({ values = [], ...given }) => {
      const made = {
        scopes,
        is_secret: false,
        updated_at: now,
        ...given,
        values: values.map((each) => withId(each, random)),
      }
      all[given.key] = made
      return made
    })
    return answer(201, created)
  },
  'GET /accounts/{account_id}/env': (context) => Object.values(variablesOf(context)),
  'GET /accounts/{account_id}/env/{key}': withVariable((_, variable) => variable),
  // A value replaces the one of the same context.
  'PATCH /accounts/{account_id}/env/{key}': withVariable(({ body, random, answer }, variable) => {
    const others = variable.values.filter(({ context }) => context !== body.context)
    variable.values = [...others, withId(body, random)]
    return answer(201, variable)
  }),
  'DELETE /accounts/{account_id}/env/{key}': withVariable((context) => {
    delete variablesOf(context)[context.params.key]
    return context.answer(204)
  }),

  // A deploy waits for the files whose hashes it does not know.
  'POST /sites/{site_id}/deploys': async ({ body, next }) => {
    const { record } = await next()
    const required = [...new Set(Object.values(body?.files ?? {}))]
    if (record) Object.assign(record, { required, state: required.length > 0 ? 'uploading' : 'ready' })
  },
  'PUT /deploys/{deploy_id}/files/{path}': ({ params, body, record }) => {
    const sha = createHash('sha1').update(body).digest('hex')
    if (record) {
      record.required = record.required.filter((each) => each !== sha)
      if (record.required.length === 0) record.state = 'ready'
    }
    const path = `/${params.path}`
    return { id: path, path, sha, mime_type: types[path.split('.').at(-1)] ?? 'text/plain', size: body.length }
  },
})
