// SendGrid, beside the overlay of the same name.
import { defineOverrides } from 'petstore-sandbox'

/** The addresses that a group is not to be sent to. */
function addressesOf(own, group) {
  own.suppressed ??= {}
  own.suppressed[group] ??= []
  return own.suppressed[group]
}

export default defineOverrides({
  // The first version of a template is active. Its text is made from its HTML.
  'POST /templates/{template_id}/versions': async ({ params, records, body, next }) => {
    const before = await records('/templates/{template_id}/versions').list({ template_id: params.template_id })
    const { record } = await next()
    if (!record) return
    record.active = body.active ?? (before.length === 0 ? 1 : 0)
    record.plain_content = body.plain_content ?? (body.html_content ?? '').replace(/<[^>]*>/g, '')
  },
  // Only one version of a template is active.
  'POST /templates/{template_id}/versions/{version_id}/activate': async ({ params, records, next }) => {
    const versions = records('/templates/{template_id}/versions')
    for (const { id } of await versions.list({ template_id: params.template_id })) {
      await versions.update(id, { active: id === params.version_id ? 1 : 0 })
    }
    return next()
  },

  // The addresses of a group, and the groups of an address.
  'POST /asm/groups/{group_id}/suppressions': ({ params, body, own, answer }) => {
    const addresses = addressesOf(own, params.group_id)
    for (const each of body.recipient_emails) if (!addresses.includes(each)) addresses.push(each)
    return answer(201, { recipient_emails: addresses })
  },
  'GET /asm/groups/{group_id}/suppressions': ({ params, own }) => addressesOf(own, params.group_id),
  'DELETE /asm/groups/{group_id}/suppressions/{email}': ({ params, own, answer }) => {
    own.suppressed[params.group_id] = addressesOf(own, params.group_id).filter((each) => each !== params.email)
    return answer(204)
  },
  'GET /asm/groups/{group_id}': async ({ params, own, next }) => {
    const { record } = await next()
    if (record) record.unsubscribes = addressesOf(own, params.group_id).length
  },
  'GET /asm/suppressions/{email}': async ({ params, records, own }) => {
    const groups = await records('/asm/groups').list()
    const isSuppressed = ({ id }) => addressesOf(own, id).includes(params.email)
    const suppressions = groups.map(({ id, name, description, is_default }) => ({ id, name, description, is_default }))
    return { suppressions: suppressions.map((each) => ({ ...each, suppressed: isSuppressed(each) })) }
  },
})
