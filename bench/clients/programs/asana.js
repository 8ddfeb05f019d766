/**
 * A project of tasks with subtasks, tags, sections and comments, with the hand-written client of Asana.
 * The API wraps bodies and answers in `data`, answers lists with compact records, and has actions such as `addTag`.
 */
import asana from 'asana'

const { InvalidRequest, NotFound } = asana.errors
const server = 'https://app.asana.com/api/1.0'
/** There is no operation that creates a workspace. This stands in only where the account shows none. */
const anyWorkspace = '1203871947620041'

export default {
  connect({ address, redirect }) {
    // The library follows the absolute address of the next page.
    redirect({ [server]: address(server) })
    const asanaBaseUrl = address(server).replace(/api\/1\.0$/, '')
    const options = { asanaBaseUrl, retryOnRateLimit: false, logAsanaChangeWarnings: false }
    return asana.Client.create(options).useAccessToken('token')
  },
  steps: [
    {
      name: 'rename the workspace',
      does: 'An account has at least one workspace. PUT changes its name; the list and the record show the new one.',
      source: 'GET /workspaces "all workspaces visible to the authorized user"; PUT /workspaces/{workspace_gid}',
      needs: 'overlay',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const before = await client.workspaces.getWorkspaces({ limit: 20 })
        kept.workspace = before.data[0]?.gid ?? anyWorkspace
        check.wrong(before.data.length > 0, 'a workspace in the list', 'first-state')
        const renamed = await client.workspaces.updateWorkspace(kept.workspace, { name: 'Analytical Engines' })
        check.wrong.equal(renamed.gid, kept.workspace, 'gid')
        check.equal(renamed.name, 'Analytical Engines', 'name')
        const after = await client.workspaces.getWorkspaces({ limit: 20 })
        const listed = after.data.filter(({ gid }) => gid === kept.workspace)
        check.wrong.equal(listed.length, 1, 'times in the list')
        check.equal(listed[0]?.name, 'Analytical Engines', 'name in the list')
      },
    },
    {
      name: 'create a project',
      does: 'Stores what was sent. The project is not archived, and its workspace is a compact record.',
      source: 'POST /workspaces/{workspace_gid}/projects; ProjectResponse',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const sent = { name: 'Difference engine', notes: 'Twenty-five thousand parts', color: 'light-teal' }
        const project = await client.projects.createProjectForWorkspace(kept.workspace, sent)
        kept.project = project
        for (const [name, value] of Object.entries(sent)) check.equal(project[name], value, name)
        checkWritten(check, project, 'project')
        check.wrong.equal(project.archived, false, 'archived', 'first-state')
        check.equal(project.workspace?.gid, kept.workspace, 'workspace.gid', 'references')
      },
    },
    {
      name: 'create a task in the project',
      does: 'Creates a task that is not completed, in the project. Projects and workspace are compact records.',
      source: 'POST /tasks; "Unspecified fields will take on default values"; TaskResponse',
      needs: 'document',
      class: 'values',
      async run({ client, kept, check }) {
        const { project, workspace } = kept
        const sent = { name: 'Cut the gears', notes: 'In brass, not in steel', due_on: '2030-03-14' }
        const task = await client.tasks.createTask({ ...sent, workspace, projects: [project.gid] })
        kept.task = task
        for (const [name, value] of Object.entries(sent)) check.equal(task[name], value, name)
        checkWritten(check, task, 'task')
        check.wrong.equal(task.completed, false, 'completed', 'first-state')
        check.wrong.equal(task.completed_at, null, 'completed_at', 'first-state')
        check.equal(task.parent, null, 'parent', 'first-state')
        check.equal(task.num_likes, 0, 'num_likes', 'first-state')
        check.equal(task.tags, [], 'tags', 'first-state')
        check.equal(task.resource_subtype, 'default_task', 'resource_subtype', 'first-state')
        check.equal(task.workspace?.gid, workspace, 'workspace.gid', 'references')
        check.equal(task.projects?.map(gidOf), [project.gid], 'gids of projects', 'references')
        check.equal(task.projects?.[0]?.name, 'Difference engine', 'name in projects', 'references')
        check.equal(task.memberships?.[0]?.project?.gid, project.gid, 'project in memberships', 'references')
      },
    },
    {
      name: 'retrieve the task',
      does: 'Answers with the full record, as it was created.',
      source: 'GET /tasks/{task_gid} "the complete task record for a single task"',
      needs: 'document',
      class: 'state',
      async run({ client, kept, check }) {
        const { task } = kept
        const read = await client.tasks.getTask(task.gid)
        check.wrong.equal(read.gid, task.gid, 'gid')
        check.wrong.equal(read.name, 'Cut the gears', 'name')
        check.wrong.equal(read.notes, 'In brass, not in steel', 'notes')
        check.equal(read.due_on, '2030-03-14', 'due_on')
        check.wrong.equal(read.created_at, task.created_at, 'created_at')
        check.equal(read.projects?.map(gidOf), [kept.project.gid], 'gids of projects', 'references')
      },
    },
    {
      name: 'page through the tasks of the project',
      does: 'Answers with two tasks a page, and next_page with offset, path and uri. The library follows uri.',
      source: 'GET /projects/{project_gid}/tasks, limit and offset; https://developers.asana.com/docs/pagination',
      needs: 'overlay',
      class: 'pages',
      follows: ['create a task in the project'],
      async run({ client, kept, check }) {
        const { project, workspace, task } = kept
        const created = [task.gid]
        for (const name of ['Mill the axles', 'Cast the frame', 'Polish the crank', 'Print the tables']) {
          const { gid } = await client.tasks.createTask({ name, workspace, projects: [project.gid] })
          created.push(gid)
        }
        kept.tasks = created
        check.wrong.equal(new Set(created).size, 5, 'different gids', 'keys')
        const pages = []
        let page = await client.tasks.getTasksForProject(project.gid, { limit: 2 })
        while (page && pages.length < 20) {
          pages.push(page.data)
          page = await page.nextPage()
        }
        check.wrong.equal(pages.flat().map(gidOf).sort(), [...created].sort(), 'all tasks, each once')
        check.equal(
          pages.map(({ length }) => length),
          [2, 2, 1],
          'sizes of the pages',
        )
      },
    },
    {
      name: 'update the task',
      does: 'Changes the fields that were sent, keeps the others.',
      source: 'PUT /tasks/{task_gid} "any unspecified fields will remain unchanged"',
      needs: 'document',
      class: 'put-as-update',
      async run({ client, kept, check }) {
        const { task } = kept
        const updated = await client.tasks.updateTask(task.gid, { name: 'Cut all gears', due_on: '2030-04-02' })
        check.wrong.equal(updated.gid, task.gid, 'gid', 'keys')
        check.equal(updated.name, 'Cut all gears', 'name')
        const read = await client.tasks.getTask(task.gid)
        check.wrong.equal(read.name, 'Cut all gears', 'name after')
        check.equal(read.due_on, '2030-04-02', 'due_on after')
        check.wrong.equal(read.notes, 'In brass, not in steel', 'notes are kept')
        check.wrong.equal(read.completed, false, 'completed is kept')
        check.equal(read.projects?.map(gidOf), [kept.project.gid], 'projects are kept', 'references')
        check(
          Date.parse(read.modified_at) >= Date.parse(task.created_at),
          `modified_at (${read.modified_at}) is not before created_at (${task.created_at})`,
          'times',
        )
      },
    },
    {
      name: 'complete the task',
      does: 'Sets completed, and the service writes when that was.',
      source: 'PUT /tasks/{task_gid}; "completed_at: The time at which this task was completed, or null"',
      needs: 'document',
      class: 'actions',
      async run({ client, kept, check }) {
        const { gid } = kept.task
        const before = await client.tasks.getTask(gid)
        check.wrong.equal(before.completed, false, 'completed before')
        await client.tasks.updateTask(gid, { completed: true })
        const after = await client.tasks.getTask(gid)
        check.wrong.equal(after.gid, gid, 'gid', 'keys')
        check.wrong.equal(after.completed, true, 'completed after')
        check(isToday(after.completed_at), `completed_at is the present time (${after.completed_at})`)
        check.wrong.equal(after.name, 'Cut all gears', 'name is kept', 'put-as-update')
      },
    },
    {
      name: 'list the tasks that are not completed',
      does: 'completed_since=now leaves out the task that was completed before, and no other.',
      source: 'GET /projects/{project_gid}/tasks "Only return tasks that are either incomplete or … since this time"',
      needs: 'document',
      class: 'filters',
      follows: ['complete the task'],
      async run({ client, kept, check }) {
        const [completed, ...open] = kept.tasks
        const page = await client.tasks.getTasksForProject(kept.project.gid, { completed_since: 'now', limit: 50 })
        const listed = page.data.map(gidOf)
        check(!listed.includes(completed), 'without the completed task')
        check.wrong.equal(listed.filter((gid) => gid !== completed).sort(), [...open].sort(), 'all others, each once')
      },
    },
    {
      name: 'add subtasks',
      does: 'Subtasks know their parent. The list of the parent has exactly them, and it counts them.',
      source: 'POST and GET /tasks/{task_gid}/subtasks; "num_subtasks: The number of subtasks on this task"',
      needs: 'document',
      class: 'paths',
      async run({ client, kept, check }) {
        const parent = kept.tasks[1]
        const first = await client.tasks.createSubtaskForTask(parent, { name: 'Buy steel rods' })
        const second = await client.tasks.createSubtaskForTask(parent, { name: 'Sharpen the mill' })
        check.equal(first.name, 'Buy steel rods', 'name', 'values')
        check.equal(first.parent?.gid, parent, 'parent.gid', 'owners')
        const { data } = await client.tasks.getSubtasksForTask(parent, { limit: 50 })
        check.wrong.equal(data.map(gidOf).sort(), [first.gid, second.gid].sort(), 'the subtasks of the parent')
        const other = await client.tasks.getSubtasksForTask(kept.tasks[2], { limit: 50 })
        check.wrong.equal(other.data, [], 'the subtasks of another task')
        const read = await client.tasks.getTask(parent, { fields: 'num_subtasks' })
        check.equal(read.num_subtasks, 2, 'num_subtasks', 'made-values')
      },
    },
    {
      name: 'tag a task',
      does: 'addTag links a tag of the workspace with the task, from both sides. removeTag takes it off again.',
      source: 'POST /tasks/{task_gid}/addTag and removeTag; GET /tasks/{task_gid}/tags; GET /tags/{tag_gid}/tasks',
      needs: 'document',
      class: 'links',
      async run({ client, kept, check }) {
        const task = kept.tasks[2]
        const tag = await client.tags.createTagForWorkspace(kept.workspace, { name: 'Foundry', color: 'dark-brown' })
        check.wrong.equal(tag.resource_type, 'tag', 'resource_type', 'first-state')
        check.equal(tag.name, 'Foundry', 'name', 'values')
        const before = await client.tags.getTagsForTask(task, { limit: 50 })
        check.wrong.equal(before.data, [], 'tags before')
        await client.tasks.addTagForTask(task, { tag: tag.gid })
        const after = await client.tags.getTagsForTask(task, { limit: 50 })
        check.equal(after.data.map(gidOf), [tag.gid], 'tags after')
        const tagged = await client.tasks.getTasksForTag(tag.gid, { limit: 50 })
        check.equal(tagged.data.map(gidOf), [task], 'tasks with the tag')
        const read = await client.tasks.getTask(task)
        check.equal(read.tags?.map(gidOf), [tag.gid], 'tags in the task')
        await client.tasks.removeTagForTask(task, { tag: tag.gid })
        const removed = await client.tags.getTagsForTask(task, { limit: 50 })
        check.wrong.equal(removed.data, [], 'tags after the removal')
      },
    },
    {
      name: 'move a task from section to section',
      does: 'A task that is added to a section leaves the section of the same project where it was.',
      source: 'POST /sections/{section_gid}/addTask "This will remove the task from other sections of the project"',
      needs: 'overlay',
      class: 'links',
      async run({ client, kept, check }) {
        const { project } = kept
        const task = kept.tasks[3]
        const workshop = await client.sections.createSectionForProject(project.gid, { name: 'Workshop' })
        const store = await client.sections.createSectionForProject(project.gid, { name: 'Store room' })
        check.equal([workshop.name, store.name], ['Workshop', 'Store room'], 'names', 'values')
        check.equal(store.project?.gid, project.gid, 'project.gid of a section', 'owners')
        const sections = await client.sections.getSectionsForProject(project.gid, { limit: 50 })
        const created = [workshop.gid, store.gid]
        const listed = sections.data.map(gidOf).filter((gid) => created.includes(gid))
        check.wrong.equal(listed.sort(), [...created].sort(), 'the sections of the project', 'paths')
        await client.sections.addTaskForSection(workshop.gid, { task })
        const first = await client.tasks.getTasksForSection(workshop.gid, { limit: 50 })
        check.equal(first.data.map(gidOf), [task], 'tasks of the first section')
        await client.sections.addTaskForSection(store.gid, { task })
        const left = await client.tasks.getTasksForSection(workshop.gid, { limit: 50 })
        check.equal(left.data.map(gidOf), [], 'tasks of the first section after the move')
        const entered = await client.tasks.getTasksForSection(store.gid, { limit: 50 })
        check.equal(entered.data.map(gidOf), [task], 'tasks of the second section')
      },
    },
    {
      name: 'comment on a task',
      does: 'The comment is a story of its task, can be changed, and is gone after its deletion.',
      source: 'POST /tasks/{task_gid}/stories; PUT and DELETE /stories/{story_gid}; StoryResponse',
      needs: 'document',
      class: 'paths',
      async run({ client, kept, check, fails }) {
        const task = kept.tasks[4]
        const story = await client.stories.createStoryForTask(task, { text: 'Mind the seventh column' })
        check.equal(story.text, 'Mind the seventh column', 'text', 'values')
        check.wrong.equal(story.resource_type, 'story', 'resource_type', 'first-state')
        check.equal(story.resource_subtype, 'comment_added', 'resource_subtype', 'first-state')
        check.equal(story.type, 'comment', 'type', 'first-state')
        check(isToday(story.created_at), `created_at is the present time (${story.created_at})`, 'times')
        check.equal(story.target?.gid, task, 'target.gid', 'owners')
        await client.stories.updateStory(story.gid, { text: 'Mind the eighth column' })
        const { data } = await client.stories.getStoriesForTask(task, { limit: 50 })
        const listed = data.filter(({ gid }) => gid === story.gid)
        check.wrong.equal(listed.length, 1, 'times in the list')
        check.equal(listed[0]?.text, 'Mind the eighth column', 'text in the list', 'put-as-update')
        await client.stories.deleteStory(story.gid)
        const error = await fails(() => client.stories.getStory(story.gid))
        check.wrong(error instanceof NotFound, `NotFound (${error})`, 'errors')
      },
    },
    {
      name: 'create a section without a name',
      does: 'Answers 400 with a list of errors, and the library throws InvalidRequest.',
      source: 'POST /projects/{project_gid}/sections: name is required; 400 ErrorResponse',
      needs: 'document',
      class: 'validation',
      async run({ client, kept, check, fails }) {
        const error = await fails(() => client.sections.createSectionForProject(kept.project.gid, {}))
        check.wrong(error instanceof InvalidRequest, `InvalidRequest (${error})`)
        check.equal(error.status, 400, 'status', 'errors')
        check(typeof error.value?.errors?.[0]?.message === 'string', 'errors[0].message', 'errors')
      },
    },
    {
      name: 'delete a task',
      does: 'The task is found before, and after that neither alone (404, NotFound) nor in its project.',
      source: 'DELETE /tasks/{task_gid}; GET /tasks/{task_gid}: 404',
      needs: 'document',
      class: 'deletion',
      async run({ client, kept, check, fails }) {
        const gid = kept.tasks[4]
        const before = await client.tasks.getTask(gid)
        check.wrong.equal(before.name, 'Print the tables', 'name before', 'state')
        await client.tasks.deleteTask(gid)
        const error = await fails(() => client.tasks.getTask(gid))
        check.wrong(error instanceof NotFound, `NotFound (${error})`, 'errors')
        check(typeof error.value?.errors?.[0]?.message === 'string', 'errors[0].message', 'errors')
        const { data } = await client.tasks.getTasksForProject(kept.project.gid, { limit: 50 })
        check.wrong.equal(data.map(gidOf).sort(), kept.tasks.slice(0, 4).sort(), 'the tasks that are left')
      },
    },
  ],
}

function gidOf({ gid }) {
  return gid
}

function checkWritten(check, record, type) {
  check.wrong.equal(record.resource_type, type, 'resource_type', 'first-state')
  check.wrong(/^[0-9]+$/.test(record.gid), `a gid of digits (${record.gid})`, 'keys')
  check(isToday(record.created_at), `created_at is the present time (${record.created_at})`, 'times')
  check(isToday(record.modified_at), `modified_at is the present time (${record.modified_at})`, 'times')
}

function isToday(text) {
  return Math.abs(Date.parse(text) - Date.now()) < 86_400_000
}
