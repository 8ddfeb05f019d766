/**
 * A repository of the authenticated user, with labels, issues, comments and files.
 * The API has REST paths with owner and name of the repository, numbers within a repository, and pages by Link header.
 */
import { Octokit } from '@octokit/rest'

const dayMs = 24 * 60 * 60 * 1000
const quiet = () => {}
const sentRepo = { name: 'lighthouse-log', description: 'What the keeper saw', private: true, has_wiki: false }

export default {
  connect: ({ address }) =>
    new Octokit({
      auth: 'ghp_integration',
      baseUrl: address('https://api.github.com'),
      log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    }),
  steps: [
    {
      name: 'create a repository',
      does: 'Creates a private repository of the authenticated user, without issues, stars and forks, not archived.',
      source: 'POST /user/repos; schema full-repository; https://docs.github.com/rest/repos/repos',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const { data: repo, status } = await client.repos.createForAuthenticatedUser(sentRepo)
        kept.repo = repo
        check.equal(status, 201, 'status')
        compare(check, repo, sentRepo, 'values')
        compare(check, repo, { full_name: `${repo.owner.login}/lighthouse-log`, visibility: 'private' }, 'made-values')
        check.wrong(Number.isInteger(repo.id), `an integer id (${repo.id})`, 'keys')
        check.wrong(!repo.archived, 'not archived')
        compare(check, repo, { open_issues_count: 0, stargazers_count: 0, forks_count: 0 })
        check(isRecent(repo.created_at), `created_at is about now (${repo.created_at})`, 'times')
      },
    },
    {
      name: 'retrieve the repository',
      does: 'Owner and name lead to the repository that was created.',
      source: 'GET /repos/{owner}/{repo}; "The name of the repository … not case sensitive"',
      needs: 'document',
      class: 'owners',
      async run({ client, kept, check }) {
        const { data: repo } = await client.repos.get(at(kept.repo))
        compare(check.wrong, repo, { id: kept.repo.id, name: 'lighthouse-log' })
        compare(check, repo, sentRepo, 'values')
        check.equal(repo.created_at, kept.repo.created_at, 'created_at', 'times')
      },
    },
    {
      name: 'create a label and a milestone',
      does: 'A label has name and color and is not a default one. A new milestone is open, has number 1 and no issues.',
      source: 'POST /repos/{owner}/{repo}/labels, POST /repos/{owner}/{repo}/milestones; milestone.number, .state',
      needs: 'overlay',
      class: 'first-state',
      async run({ client, kept, check }) {
        const { data: label } = await client.issues.createLabel({ ...at(kept.repo), name: 'storm', color: '1d76db' })
        kept.label = label
        compare(check, label, { name: 'storm', color: '1d76db' }, 'values')
        check.equal(label.default, false, 'default')
        const due = '2030-03-01T08:00:00Z'
        const { data: milestone } = await client.issues.createMilestone({
          ...at(kept.repo),
          title: 'Spring',
          due_on: due,
        })
        kept.milestone = milestone
        check.equal(milestone.title, 'Spring', 'title', 'values')
        check.equal(milestone.number, 1, 'number', 'keys')
        check.wrong.equal(milestone.state, 'open', 'state')
        compare(check, milestone, { open_issues: 0, closed_issues: 0 })
        check.wrong.equal(milestone.closed_at ?? null, null, 'closed_at')
        const { data: read } = await client.issues.getLabel({ ...at(kept.repo), name: 'storm' })
        check.wrong.equal(read.id, label.id, 'id of the label that is read by its name', 'keys')
      },
    },
    {
      name: 'create an issue with the label',
      does: 'The issue is open, has no comments, shows label and milestone as objects, and the user who created it.',
      source: 'POST /repos/{owner}/{repo}/issues: labels, milestone "The `number` of the milestone"; schema issue',
      needs: 'overlay',
      class: 'references',
      async run({ client, kept, check }) {
        const text = { title: 'The lamp flickers', body: 'Since the storm of Tuesday.' }
        const links = { labels: ['storm'], milestone: kept.milestone.number }
        const { data: issue } = await client.issues.create({ ...at(kept.repo), ...text, ...links })
        kept.issue = issue
        compare(check, issue, text, 'values')
        check.wrong(Number.isInteger(issue.number), `a number (${issue.number})`, 'keys')
        check.wrong.equal(issue.state, 'open', 'state', 'first-state')
        check.wrong.equal(issue.closed_at ?? null, null, 'closed_at', 'first-state')
        compare(check, issue, { comments: 0, locked: false }, 'first-state')
        check.equal(issue.user?.login, kept.repo.owner.login, 'user', 'owners')
        check.equal(idsOf(issue.labels), [kept.label.id], 'ids of the labels')
        check.equal(issue.labels[0]?.color, '1d76db', 'color of the label')
        check.equal(issue.milestone?.id, kept.milestone.id, 'milestone')
        check(isRecent(issue.created_at), `created_at is about now (${issue.created_at})`, 'times')
      },
    },
    {
      name: 'list the issues page by page',
      does: 'The Link header leads through three pages. The new repository has these five issues, numbers 1 to 5.',
      source: 'GET /repos/{owner}/{repo}/issues: per_page, header Link; issue.number "uniquely identifying the issue"',
      needs: 'overlay',
      class: 'pages',
      async run({ client, kept, check }) {
        const created = [kept.issue]
        for (const title of ['Rope is worn', 'Gulls on the roof', 'No oil left', 'Stairs creak']) {
          created.push((await client.issues.create({ ...at(kept.repo), title })).data)
        }
        kept.created = created
        let pageCount = 0
        const seen = await client.paginate(
          client.issues.listForRepo,
          { ...at(kept.repo), per_page: 2 },
          (page, done) => {
            if (++pageCount >= 20) done()
            check.wrong(page.data.length <= 2, `at most 2 on a page (${page.data.length})`)
            return page.data
          },
        )
        check.equal(pageCount, 3, 'pages')
        check.wrong.equal(sorted(idsOf(seen)), sorted(idsOf(created)), 'ids on all pages')
        check.equal(sorted(created.map(({ number }) => number)), [1, 2, 3, 4, 5], 'numbers', 'keys')
      },
    },
    {
      name: 'comment on an issue and list the comments',
      does: 'Comments belong to the issue and are listed by ascending id. The issue counts them.',
      source: 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments: "ordered by ascending ID"; issue.comments',
      needs: 'more',
      class: 'pages',
      async run({ client, kept, check }) {
        const issue = { ...at(kept.repo), issue_number: kept.issue.number }
        const created = []
        for (const body of ['I saw it too.', 'New wick ordered.', 'Wick arrived.']) {
          created.push((await client.issues.createComment({ ...issue, body })).data)
        }
        kept.comment = created[1]
        let pageCount = 0
        const seen = await client.paginate(client.issues.listComments, { ...issue, per_page: 1 }, (page, done) => {
          if (++pageCount >= 20) done()
          return page.data
        })
        check.wrong.equal(idsOf(seen), idsOf(created), 'ids of the comments, in order')
        check.equal(seen[1]?.body, 'New wick ordered.', 'body', 'values')
        const other = { ...at(kept.repo), issue_number: kept.created[1].number }
        const { data: ofOther } = await client.issues.listComments(other)
        check.wrong.equal(ofOther.length, 0, 'comments of another issue', 'paths')
        const { data: read } = await client.issues.get(issue)
        check.equal(read.comments, 3, 'comments that the issue counts', 'made-values')
      },
    },
    {
      name: 'change and delete a comment',
      does: 'The changed text is read again by the id of the comment. After deletion it answers 404.',
      source: 'PATCH, GET and DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}',
      needs: 'document',
      class: 'paths',
      async run({ client, kept, check, fails }) {
        const comment = { ...at(kept.repo), comment_id: kept.comment.id }
        await client.issues.updateComment({ ...comment, body: 'New wick and oil ordered.' })
        const { data: read } = await client.issues.getComment(comment)
        check.wrong.equal(read.id, kept.comment.id, 'id', 'keys')
        check.equal(read.body, 'New wick and oil ordered.', 'body', 'values')
        check.equal(read.created_at, kept.comment.created_at, 'created_at', 'times')
        await client.issues.deleteComment(comment)
        const error = await fails(() => client.issues.getComment(comment))
        check.wrong(isHttpError(error, 404), `an HttpError with 404 (${error})`, 'deletion')
        const issue = { ...at(kept.repo), issue_number: kept.issue.number }
        const { data: left } = await client.issues.listComments(issue)
        check.wrong(
          !idsOf(left).includes(kept.comment.id) && left.length === 2,
          'two other comments are left',
          'deletion',
        )
      },
    },
    {
      name: 'change and close an issue',
      does: 'The title is another one, state and reason are what was sent, closed_at is now. Body and label stay.',
      source: 'PATCH /repos/{owner}/{repo}/issues/{issue_number}: state, state_reason; issue.closed_at',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const issue = { ...at(kept.repo), issue_number: kept.issue.number }
        const { data: before } = await client.issues.get(issue)
        check.wrong.equal(before.state, 'open', 'state before', 'state')
        await client.issues.update({
          ...issue,
          title: 'The lamp is dark',
          state: 'closed',
          state_reason: 'not_planned',
        })
        const { data: after } = await client.issues.get(issue)
        check.wrong.equal(after.id, kept.issue.id, 'id', 'keys')
        check.equal(after.title, 'The lamp is dark', 'title', 'values')
        check.wrong.equal(after.state, 'closed', 'state')
        check.equal(after.state_reason, 'not_planned', 'state_reason', 'values')
        check(isRecent(after.closed_at), `closed_at is about now (${after.closed_at})`, 'times')
        check.equal(after.body, 'Since the storm of Tuesday.', 'body', 'values')
        check.equal(namesOf(after.labels), ['storm'], 'labels', 'references')
      },
    },
    {
      name: 'filter the issues',
      does: 'Only open issues are listed by default; state and labels select.',
      source: 'GET /repos/{owner}/{repo}/issues: "Only open issues will be listed"; state, labels, milestone',
      needs: 'document',
      class: 'filters',
      follows: ['change and close an issue'],
      async run({ client, kept, check }) {
        const list = async (query) => idsOf((await client.issues.listForRepo({ ...at(kept.repo), ...query })).data)
        const [closed, ...open] = idsOf(kept.created)
        check.wrong.equal(sorted(await list({})), sorted(open), 'open issues')
        check.wrong.equal(await list({ state: 'closed' }), [closed], 'closed issues')
        check.wrong.equal(await list({ state: 'all', labels: 'storm' }), [closed], 'issues with the label')
        check.wrong.equal(await list({ state: 'open', labels: 'storm' }), [], 'open issues with the label')
        const without = await list({ state: 'all', milestone: 'none' })
        check.wrong.equal(sorted(without), sorted(open), 'issues without a milestone')
      },
    },
    {
      name: 'add and remove labels of an issue',
      does: 'Labels are added to those that the issue has. A removed one is no longer among them.',
      source: 'POST and DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels[/{name}]',
      needs: 'overlay',
      class: 'links',
      async run({ client, kept, check }) {
        const issue = { ...at(kept.repo), issue_number: kept.issue.number }
        await client.issues.createLabel({ ...at(kept.repo), name: 'urgent', color: 'b60205' })
        const { data: added } = await client.issues.addLabels({ ...issue, labels: ['urgent'] })
        check.wrong.equal(sorted(namesOf(added)), ['storm', 'urgent'], 'labels that the addition answers')
        const { data: listed } = await client.issues.listLabelsOnIssue(issue)
        check.wrong.equal(sorted(namesOf(listed)), ['storm', 'urgent'], 'labels of the issue')
        const { data: left } = await client.issues.removeLabel({ ...issue, name: 'storm' })
        check.wrong.equal(namesOf(left), ['urgent'], 'labels that the removal answers')
        const { data: read } = await client.issues.get(issue)
        check.equal(namesOf(read.labels), ['urgent'], 'labels in the issue')
      },
    },
    {
      name: 'lock and unlock an issue',
      does: 'Both answer 204. In between the issue is locked, with the reason.',
      source: 'PUT and DELETE /repos/{owner}/{repo}/issues/{issue_number}/lock; issue.locked, .active_lock_reason',
      needs: 'overlay',
      class: 'actions',
      async run({ client, kept, check }) {
        const issue = { ...at(kept.repo), issue_number: kept.created[2].number }
        const read = async () => (await client.issues.get(issue)).data
        check.wrong.equal((await read()).locked, false, 'locked before', 'first-state')
        const { status } = await client.issues.lock({ ...issue, lock_reason: 'resolved' })
        check.equal(status, 204, 'status')
        const locked = await read()
        check.wrong.equal(locked.id, kept.created[2].id, 'id', 'keys')
        compare(check, locked, { locked: true, active_lock_reason: 'resolved' })
        await client.issues.unlock(issue)
        check.equal((await read()).locked, false, 'locked after unlocking')
      },
    },
    {
      name: 'upload, read and replace a file',
      does: 'A file is stored by its path, and read in Base64 with the same SHA. A new content has another SHA.',
      source: 'PUT and GET /repos/{owner}/{repo}/contents/{path}: content "using Base64 encoding"; schema content-file',
      needs: 'more',
      class: 'uploads',
      async run({ client, kept, check }) {
        const file = { ...at(kept.repo), path: 'log/1874-03.txt' }
        const first = 'Fog until noon, two ships.\n'
        const upload = { ...file, message: 'Log of March', content: toBase64(first) }
        const { data: put } = await client.repos.createOrUpdateFileContents(upload)
        check.equal(put.content.path, 'log/1874-03.txt', 'path')
        compare(check, put.content, { name: '1874-03.txt', size: first.length }, 'made-values')
        check.equal(put.commit.message, 'Log of March', 'commit message', 'values')
        check(/^[0-9a-f]{40}$/.test(put.content.sha), `a SHA of 40 digits (${put.content.sha})`, 'keys')
        const { data: read } = await client.repos.getContent(file)
        compare(check, read, { type: 'file', encoding: 'base64' })
        check.wrong.equal(fromBase64(read.content), first, 'content')
        check.wrong.equal(read.sha, put.content.sha, 'sha', 'made-values')
        const content = toBase64('Fog until noon, three ships.\n')
        const change = { ...file, message: 'One more ship', content, sha: read.sha }
        await client.repos.createOrUpdateFileContents(change)
        const { data: changed } = await client.repos.getContent(file)
        check.wrong.equal(fromBase64(changed.content), 'Fog until noon, three ships.\n', 'changed content')
        check(changed.sha !== read.sha, `another SHA (${changed.sha})`, 'made-values')
      },
    },
    {
      name: 'create an issue without a title',
      does: 'Answers 422; the library throws its HttpError with the message of the service.',
      source: 'POST /repos/{owner}/{repo}/issues: required title; 422 "Validation failed"',
      needs: 'document',
      class: 'validation',
      async run({ client, kept, check, fails }) {
        const error = await fails(() => client.issues.create({ ...at(kept.repo), body: 'No title' }))
        check.wrong(isHttpError(error, 422), `an HttpError with 422 (${error})`)
        check.equal(typeof error.response?.data?.message, 'string', 'type of the message', 'errors')
      },
    },
    {
      name: 'delete the repository',
      does: 'The repository is found before. After deletion, it and its issues answer 404.',
      source: 'DELETE /repos/{owner}/{repo}: 204; GET /repos/{owner}/{repo}: 404',
      needs: 'document',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const { data: before } = await client.repos.get(at(kept.repo))
        check.wrong.equal(before.id, kept.repo.id, 'id before', 'state')
        const { status } = await client.repos.delete(at(kept.repo))
        check.equal(status, 204, 'status')
        const error = await fails(() => client.repos.get(at(kept.repo)))
        check.wrong(isHttpError(error, 404), `an HttpError with 404 (${error})`, 'errors')
        check.equal(typeof error.response?.data?.message, 'string', 'type of the message', 'errors')
        const issue = { ...at(kept.repo), issue_number: kept.issue.number }
        const ofIssue = await fails(() => client.issues.get(issue))
        check.wrong(isHttpError(ofIssue, 404), `an HttpError with 404 for its issue (${ofIssue})`, 'state')
      },
    },
  ],
}

function compare(check, record, expected, ofClass) {
  for (const [name, value] of Object.entries(expected)) check.equal(record[name], value, name, ofClass)
}

function at(repo) {
  return { owner: repo.owner.login, repo: repo.name }
}

function idsOf(records) {
  return records.map(({ id }) => id)
}

function namesOf(labels) {
  return labels.map(({ name }) => name)
}

function sorted(values) {
  return [...values].sort((a, b) => (a < b ? -1 : 1))
}

function isRecent(time) {
  return Math.abs(Date.parse(time) - Date.now()) < dayMs
}

function isHttpError(error, status) {
  return error.name === 'HttpError' && error.status === status
}

function toBase64(text) {
  return Buffer.from(text).toString('base64')
}

function fromBase64(text) {
  return Buffer.from(text, 'base64').toString()
}
