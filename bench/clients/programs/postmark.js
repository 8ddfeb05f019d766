/**
 * Postmark with postmark: templates, mail alone, in a batch and from a template, the search of what was sent, inbound
 * rules and the server.
 * JSON over REST with PascalCase names; pages by count and offset; errors have an ErrorCode.
 */
import postmark from 'postmark'

const from = 'desk@ferries.example.com'

export default {
  connect({ address }) {
    const requestHost = address('//api.postmarkapp.com').replace(/^https?:\/\//, '')
    return new postmark.ServerClient('token-of-the-test', { useHttps: false, requestHost, timeout: 5 })
  },
  steps: [
    {
      name: 'create a template',
      does: 'Stores the template with a new number, and it can be used at once.',
      source: 'POST /templates: CreateTemplateRequest; TemplateRecordResponse: TemplateId, Active',
      needs: 'leniency',
      class: 'first-state',
      async run({ client, kept, check }) {
        const template = await client.createTemplate(toTemplate('Delay', 'ferry-delay'))
        kept.template = template.TemplateId
        check.wrong(isNumber(template.TemplateId), `a positive number as TemplateId (${template.TemplateId})`, 'keys')
        check.equal(template.Name, 'Delay', 'Name', 'values')
        check.equal(template.Alias, 'ferry-delay', 'Alias', 'values')
        check.equal(template.Active, true, 'Active')
      },
    },
    {
      name: 'retrieve the template by its number and alias',
      does: 'Answers with the whole template, under its number and its alias, and with the number of the server.',
      source: 'GET /templates/{templateIdOrAlias}: TemplateDetailResponse; Postmark: TemplateId, not TemplateID',
      needs: 'overlay',
      class: 'keys',
      async run({ client, kept, check }) {
        const template = await client.getTemplate(kept.template)
        check.equal(template.TemplateId, kept.template, 'TemplateId', 'spelling')
        check.wrong.equal(template.Name, 'Delay', 'Name', 'values')
        check.wrong.equal(template.Subject, 'Ferry {{ferry}} is late', 'Subject', 'values')
        check.equal(template.TextBody, 'Wait at pier {{pier}}.', 'TextBody', 'values')
        check.equal(template.HtmlBody, '<p>Wait at pier {{pier}}.</p>', 'HtmlBody', 'values')
        check.equal(template.Active, true, 'Active', 'first-state')
        const { ID } = await client.getServer()
        check.equal(template.AssociatedServerId, ID, 'AssociatedServerId', 'references')
        const same = await client.getTemplate('ferry-delay')
        check.wrong.equal([same.Alias, same.Name], ['ferry-delay', 'Delay'], 'Alias and Name by the alias')
      },
    },
    {
      name: 'list the templates in pages',
      does: 'Two templates a page: each template is in one of the pages, once, and each page has the number of all.',
      source: 'GET /templates: Count, Offset, TotalCount; Postmark: Templates (the document has "Templates API")',
      needs: 'overlay',
      class: 'pages',
      async run({ client, check }) {
        const names = ['Fog', 'Ice', 'Storm', 'Tide']
        for (const name of names) await client.createTemplate(toTemplate(name, `ferry-${name.toLowerCase()}`))
        const found = []
        let pages = 0
        let total
        while (pages < 20) {
          const page = await client.getTemplates({ count: 2, offset: found.length })
          if (!page.Templates?.length) break
          pages += 1
          total = page.TotalCount
          found.push(...page.Templates)
          if (found.length >= total) break
        }
        const own = ['Delay', ...names]
        const counts = own.map((name) => found.filter(({ Name }) => Name === name).length)
        check.wrong.equal(
          counts,
          own.map(() => 1),
          'how often each template is in the pages',
        )
        check.wrong.equal(new Set(found.map(({ TemplateId }) => TemplateId)).size, found.length, 'different templates')
        check.wrong(pages >= 3, `three pages or more (${pages})`)
        check.equal(total, found.length, 'TotalCount')
      },
    },
    {
      name: 'change the subject of the template',
      does: 'Changes only what is sent: name, alias and text stay.',
      source: 'PUT /templates/{templateIdOrAlias}: EditTemplateRequest; TemplateRecordResponse',
      needs: 'leniency',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const answer = await client.editTemplate(kept.template, { Subject: '{{ferry}} leaves later' })
        check.wrong.equal(answer.TemplateId, kept.template, 'TemplateId in the answer', 'keys')
        const template = await client.getTemplate(kept.template)
        check.wrong.equal(template.Subject, '{{ferry}} leaves later', 'Subject')
        check.wrong.equal(template.Name, 'Delay', 'Name')
        check.wrong.equal(template.Alias, 'ferry-delay', 'Alias')
        check.wrong.equal(template.TextBody, 'Wait at pier {{pier}}.', 'TextBody')
      },
    },
    {
      name: 'validate a template',
      does: 'Renders subject and text with the model, and finds them valid.',
      source:
        'POST /templates/validate: TestRenderModel; TemplateValidationResponse: AllContentIsValid, RenderedContent',
      needs: 'more',
      class: 'made-values',
      async run({ client, check }) {
        const TestRenderModel = { ferry: 'Aurora', pier: 14 }
        const template = { Subject: 'Ferry {{ferry}} is late', TextBody: 'Wait at pier {{pier}}.', TestRenderModel }
        const result = await client.validateTemplate(template)
        check.equal(result.AllContentIsValid, true, 'AllContentIsValid')
        check.equal(result.Subject?.ContentIsValid, true, 'ContentIsValid of the subject')
        check.equal(result.Subject?.RenderedContent, 'Ferry Aurora is late', 'RenderedContent of the subject')
        check.equal(result.TextBody?.RenderedContent, 'Wait at pier 14.', 'RenderedContent of the text')
      },
    },
    {
      name: 'send a mail',
      does: 'Accepts the mail: the code is 0, and there is a new id, the time and the recipient.',
      source:
        'POST /email: SendEmailResponse: ErrorCode, MessageID, SubmittedAt, To; Postmark: ErrorCode 0, Message "OK"',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const first = await client.sendEmail(toMail('ada', 'Timetable for June'))
        const second = await client.sendEmail(toMail('bo', 'Timetable for July'))
        kept.mail = first.MessageID
        check.equal(first.ErrorCode, 0, 'ErrorCode')
        check.equal(first.Message, 'OK', 'Message')
        check(isUuid(first.MessageID), `a UUID as MessageID (${first.MessageID})`, 'keys')
        check.wrong(first.MessageID !== second.MessageID, 'another MessageID for each mail', 'keys')
        check.equal([first.To, second.To], ['ada@example.com', 'bo@example.com'], 'To of both', 'values')
        check(isRecent(first.SubmittedAt), `SubmittedAt is now (${first.SubmittedAt})`, 'times')
      },
    },
    {
      name: 'retrieve what was sent',
      does: 'Answers with the mail: subject, tag, text, recipients as names and addresses, and its status.',
      source:
        'GET /messages/outbound/{messageid}/details: OutboundMessageDetailsResponse; the library leaves out /details',
      needs: 'overlay',
      class: 'paths',
      async run({ client, kept, check }) {
        const mail = await eventually(async () => client.getOutboundMessageDetails(kept.mail))
        check.wrong.equal(mail.MessageID, kept.mail, 'MessageID', 'keys')
        check.wrong.equal(mail.Subject, 'Timetable for June', 'Subject', 'values')
        check.equal(mail.Tag, 'timetable', 'Tag', 'values')
        check.equal(mail.TextBody, 'See the board.', 'TextBody', 'values')
        check.equal(
          mail.To?.map(({ Email }) => Email),
          ['ada@example.com'],
          'Email in To',
          'references',
        )
        check.equal(mail.Recipients, ['ada@example.com'], 'Recipients', 'made-values')
        check(/^(queued|sent|processed)$/i.test(mail.Status), `Status queued or sent (${mail.Status})`, 'first-state')
        check(isRecent(mail.ReceivedAt), `ReceivedAt is now (${mail.ReceivedAt})`, 'times')
      },
    },
    {
      name: 'send a batch',
      does: 'Answers for each mail in its order, each with an own id.',
      source: 'POST /email/batch: SendEmailBatchRequest, SendEmailBatchResponse: MessageID, To, ErrorCode',
      needs: 'overlay',
      class: 'references',
      async run({ client, kept, check }) {
        const names = ['cleo', 'dag', 'elin', 'finn', 'gro']
        const answers = await client.sendEmailBatch(names.map((name) => toMail(name, `Hello ${name}`, 'crossing')))
        kept.batch = answers.map?.(({ MessageID }) => MessageID)
        check.wrong.equal(
          answers.map?.(({ To }) => To),
          names.map((name) => `${name}@example.com`),
          'To of all',
        )
        check.equal(
          answers.map?.(({ ErrorCode }) => ErrorCode),
          [0, 0, 0, 0, 0],
          'ErrorCode of all',
          'first-state',
        )
        check.wrong.equal(new Set(kept.batch).size, 5, 'different ids', 'keys')
        check(isUuid(kept.batch?.[0]), `a UUID as MessageID (${kept.batch?.[0]})`, 'keys')
      },
    },
    {
      name: 'search what was sent, in pages',
      does: 'Finds the five mails with the tag, two a page, each once; with the recipient as well it finds one.',
      source:
        'GET /messages/outbound: count, offset, tag "Filter by tag", recipient; OutboundSearchResponse: TotalCount',
      needs: 'document',
      class: 'filters',
      follows: ['send a batch'],
      async run({ client, kept, check }) {
        await eventually(async () => {
          const { TotalCount } = await client.getOutboundMessages({ tag: 'crossing', count: 1, offset: 0 })
          return TotalCount >= 5
        })
        const pages = []
        for (const offset of [0, 2, 4, 6]) {
          pages.push(await client.getOutboundMessages({ tag: 'crossing', count: 2, offset }))
        }
        const sizes = pages.map(({ Messages }) => Messages?.length)
        check.wrong.equal(sizes, [2, 2, 1, 0], 'number of mails in each page', 'pages')
        const found = pages.flatMap(({ Messages }) => Messages ?? [])
        const ids = found.map(({ MessageID }) => MessageID).sort()
        check.wrong.equal(ids, [...kept.batch].sort(), 'ids of all pages', 'pages')
        check.wrong(
          found.every(({ Tag }) => Tag === 'crossing'),
          'only mails with the tag',
        )
        check.equal(pages[0].TotalCount, 5, 'TotalCount', 'pages')
        const one = await client.getOutboundMessages({ tag: 'crossing', recipient: 'elin@example.com', count: 9 })
        check.wrong.equal(
          one.Messages?.map(({ Subject }) => Subject),
          ['Hello elin'],
          'mails to the recipient',
        )
      },
    },
    {
      name: 'send a mail from a template',
      does: 'Accepts the number of a template without an alias, and renders the subject with the model.',
      source: 'POST /email/withTemplate: TemplateAlias "Required if TemplateId is not specified"; TemplateModel',
      needs: 'more',
      class: 'refusals',
      follows: ['change the subject of the template'],
      async run({ client, kept, check }) {
        const to = { From: from, To: 'hedda@example.com', Tag: 'late' }
        const TemplateModel = { ferry: 'Borealis', pier: 3 }
        const sent = await client.sendEmailWithTemplate({ ...to, TemplateId: kept.template, TemplateModel })
        check.equal(sent.ErrorCode, 0, 'ErrorCode', 'first-state')
        check.equal(sent.To, 'hedda@example.com', 'To', 'values')
        const found = await eventually(async () => {
          const { Messages } = await client.getOutboundMessages({ recipient: 'hedda@example.com', count: 5 })
          return Messages?.length > 0 && Messages
        })
        check.wrong.equal(
          found?.map?.(({ MessageID }) => MessageID),
          [sent.MessageID],
          'mails to the recipient',
          'paths',
        )
        check.equal(found?.[0]?.Tag, 'late', 'Tag', 'values')
        check.equal(found?.[0]?.Subject, 'Borealis leaves later', 'Subject', 'made-values')
      },
    },
    {
      name: 'create and delete inbound rules',
      does: 'Makes two rules with numbers; the list has them once each, and after a deletion only the other.',
      source: 'POST, GET /triggers/inboundrules; DELETE …/{triggerid}: ErrorCode; the library spells it inboundRules',
      needs: 'leniency',
      class: 'deletion',
      async run({ client, check }) {
        const spam = await client.createInboundRuleTrigger({ Rule: 'spam@junk.example.com' })
        const loud = await client.createInboundRuleTrigger({ Rule: 'loud@junk.example.com' })
        check.wrong(isNumber(spam.ID) && spam.ID !== loud.ID, `an own number for each rule (${spam.ID})`, 'keys')
        check.equal(spam.Rule, 'spam@junk.example.com', 'Rule', 'values')
        const list = async () => {
          const { InboundRules } = await client.getInboundRuleTriggers({ count: 500, offset: 0 })
          const count = (rule) => InboundRules?.filter(({ ID }) => ID === rule.ID).length
          return [count(spam), count(loud)]
        }
        check.wrong.equal(await list(), [1, 1], 'how often each rule is in the list before')
        const answer = await client.deleteInboundRuleTrigger(spam.ID)
        check.equal(answer.ErrorCode, 0, 'ErrorCode of the deletion')
        check.wrong.equal(await list(), [0, 1], 'how often each rule is in the list after')
      },
    },
    {
      name: 'change the server',
      does: 'Changes name and open tracking of the server; its number and its inbound address stay.',
      source: 'GET, PUT /server: EditServerConfigurationRequest; "The settings that should be modified"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, check }) {
        const before = await client.getServer()
        const changes = { Name: 'Ferries of the north', TrackOpens: !before.TrackOpens, InboundSpamThreshold: 15 }
        await client.editServer(changes)
        const after = await client.getServer()
        check.wrong.equal(after.Name, 'Ferries of the north', 'Name')
        check.wrong.equal(after.TrackOpens, !before.TrackOpens, 'TrackOpens')
        check.wrong.equal(after.InboundSpamThreshold, 15, 'InboundSpamThreshold')
        check.wrong.equal(after.ID, before.ID, 'ID', 'keys')
        check.equal(after.InboundHash, before.InboundHash, 'InboundHash')
      },
    },
    {
      name: 'retrieve the deleted template',
      does: 'The deletion answers with the code 0; then the template is refused with 422 and the code 1101.',
      source:
        'DELETE, GET /templates/{templateIdOrAlias}: 422; Postmark, API error codes: 1101, the template was not found',
      needs: 'overlay',
      class: 'errors',
      async run({ client, kept, check, fails }) {
        const before = await client.getTemplate(kept.template)
        check.wrong.equal(before.Name, 'Delay', 'Name before', 'paths')
        const answer = await client.deleteTemplate(kept.template)
        check.equal(answer.ErrorCode, 0, 'ErrorCode of the deletion', 'deletion')
        const error = await fails(() => client.getTemplate(kept.template))
        check.wrong(error instanceof postmark.Errors.ApiInputError, `ApiInputError (${error})`)
        check.wrong.equal(error.statusCode, 422, 'statusCode')
        check.equal(error.code, 1101, 'code')
      },
    },
    {
      name: 'create a template without a name',
      does: 'Refuses it with 422, and the library throws ApiInputError.',
      source: 'POST /templates: required ["Name", "Subject"]; 422',
      needs: 'leniency',
      class: 'validation',
      async run({ client, check, fails }) {
        const error = await fails(() => client.createTemplate({ Subject: 'Nameless', TextBody: 'No name.' }))
        check.wrong(error instanceof postmark.Errors.ApiInputError, `ApiInputError (${error})`)
        check.equal(error.statusCode, 422, 'statusCode', 'errors')
        check(error.code > 0, `an ErrorCode (${error.code})`, 'errors')
      },
    },
  ],
}

function toTemplate(Name, Alias) {
  const HtmlBody = '<p>Wait at pier {{pier}}.</p>'
  return { Name, Alias, Subject: 'Ferry {{ferry}} is late', TextBody: 'Wait at pier {{pier}}.', HtmlBody }
}

function toMail(name, Subject, Tag = 'timetable') {
  return { From: from, To: `${name}@example.com`, Subject, TextBody: 'See the board.', Tag }
}

/** What was sent can be searched a moment later: asks up to five times. */
async function eventually(ask) {
  for (let tries = 0; tries < 4; tries++) {
    const answer = await ask().catch(() => undefined)
    if (answer) return answer
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  return ask()
}

function isNumber(value) {
  return Number.isInteger(value) && value > 0
}

function isUuid(text) {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

function isRecent(time) {
  return Math.abs(new Date(time).getTime() - Date.now()) < 86_400_000
}
