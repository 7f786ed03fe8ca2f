import { beforeEach, describe, expect, test } from 'vitest'
import type { Sql } from '../../db/database.ts'
import { newId, type TaskId, type UserId } from '../../kernel/ids.ts'
import { accountForEachTest } from '../../test/app/app-hooks.ts'
import { explaining, readPlan } from '../../test/run/query-plan.ts'
import { workIn } from '../events/work.ts'
import { insertMember, insertUserUnlessKnown } from '../people/accounts/accounts.queries.ts'
import { setDefaultAssignee } from '../worklist/assignment-defaults.service.ts'
import { taskStatuses } from '../worklist/task-status.ts'
import { countTasks, findTask, listTasks } from '../worklist/worklist.queries.ts'
import { setTaskStatus } from '../worklist/worklist.service.ts'

let now: Date
beforeEach(() => {
  now = new Date('2026-11-20T09:00:00.000Z')
})
const { t, account: farm } = accountForEachTest({ context: { clock: { now: () => now } } })

const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000)
}

/** Makes a task through the API, by default a collection; answers its data. */
async function addTask(fields: Record<string, unknown> = {}, account = farm) {
  const body = { title: 'Clear the plate', task_type: 'collection', ...fields }
  const answer = await account.request('POST', '/worklist', body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}

async function addPrinter(account = farm): Promise<string> {
  const body = { name: 'Printer', model: 'MK4S', connection_type: 'virtual' }
  const answer = await account.request('POST', '/printers', body)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data.id
}

/** Makes a new user a member; answers the user ID. */
async function addMember(account = farm): Promise<UserId> {
  const userId = newId('user')
  await insertUserUnlessKnown(t.db.sql, { id: userId, email: `${userId}@example.com`, password_hash: null })
  await insertMember(t.db.sql, account.id, { id: newId('member'), user_id: userId, role: 'operator' })
  return userId
}

const removeMember = (userId: string) =>
  t.db.sql`delete from members where account_id = ${farm.id} and user_id = ${userId}`

const setStatus = (taskId: string, status: string) => farm.request('PUT', `/worklist/${taskId}/status`, { status })
const assign = (taskId: string, assignedTo: unknown) =>
  farm.request('PUT', `/worklist/${taskId}/assign`, { assigned_to: assignedTo })
const read = async (taskId: string) => (await farm.request('GET', `/worklist/${taskId}`)).json().data
const asSystem = (sql: Sql) => workIn(sql, { accountId: farm.id, actor: 'system', now })
const assigneeOf = async (taskId: TaskId) => (await findTask(t.db.sql, farm.id, taskId))?.assigned_to

const eventsOf = (accountId: string) =>
  t.db.sql`
    select type, subject_id, data from events
    where account_id = ${accountId} and (type like 'worklist%' or type like 'task%') order by id`

async function isSomebodyWaiting() {
  const waiting = await t.db.sql`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  return waiting.length > 0
}

async function countRows() {
  const [row] = await t.db.sql`select count(*) as tasks from worklist_tasks where account_id = ${farm.id}`
  return row?.tasks
}

describe('POST /worklist', () => {
  test('adds a pending task with what is known of it, and says so in the events', async () => {
    const answer = await farm.request('POST', '/worklist', { title: 'Sand the lamps', task_type: 'assembly' })
    expect(answer.statusCode).toBe(201)
    const { data } = answer.json()
    expect(answer.json()).toEqual({
      success: true,
      data: {
        id: expect.stringMatching(/^wlt_/),
        title: 'Sand the lamps',
        subtitle: '',
        description: '',
        task_type: 'assembly',
        priority: 'medium',
        status: 'pending',
        printer_id: null,
        estimated_time_minutes: null,
        actual_time_minutes: null,
        started_at: null,
        completed_at: null,
        due_date: null,
        created_at: '2026-11-20T09:00:00.000Z',
        updated_at: '2026-11-20T09:00:00.000Z',
      },
    })
    expect(await eventsOf(farm.id)).toEqual([
      {
        type: 'worklist_task.created',
        subject_id: data.id,
        data: { task_type: 'assembly', printer_id: null, assigned_to: null },
      },
    ])
    expect(await read(data.id)).toEqual(data)
  })

  test('keeps every field that is given, at its longest, and shows who has it only by the filter', async () => {
    const fields = {
      title: '🖨'.repeat(200),
      subtitle: 's'.repeat(200),
      description: 'd'.repeat(2000),
      task_type: 'quality_check',
      priority: 'high',
      printer_id: await addPrinter(),
      estimated_time_minutes: 2.5,
    }
    const assignedTo = await addMember()
    const task = await addTask({ ...fields, assigned_to: assignedTo, due_date: '2026-12-01T10:00:00+02:00' })
    expect(task).toMatchObject({ ...fields, due_date: '2026-12-01T08:00:00.000Z' })
    expect(task).not.toHaveProperty('assigned_to')
    expect(await assigneeOf(task.id)).toBe(assignedTo)
  })

  test.each(['assembly', 'filament_change', 'collection', 'maintenance', 'quality_check'])(
    'takes the type %s',
    async (taskType) => {
      expect((await addTask({ task_type: taskType })).task_type).toBe(taskType)
    },
  )

  test.each(['low', 'medium', 'high'])('takes the priority %s', async (priority) => {
    expect((await addTask({ priority })).priority).toBe(priority)
  })

  test.each([
    ['2026-12-01', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T23:30:00.123456-05:00', '2026-12-02T04:30:00.123Z'],
    ['1970-01-01', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('reads the due date %s', async (given, answered) => {
    const task = await addTask({ due_date: given })
    expect(task.due_date).toBe(answered)
    expect((await read(task.id)).due_date).toBe(answered)
  })

  test.each([
    [
      { title: undefined, task_type: undefined },
      { title: ['is required'], task_type: ['is required'] },
    ],
    [{ title: '' }, { title: ['must not be empty'] }],
    [{ title: 'x'.repeat(201) }, { title: ['must have at most 200 characters'] }],
    [{ title: 'a\0b' }, { title: ['must not contain NUL bytes'] }],
    [{ subtitle: 'x'.repeat(201) }, { subtitle: ['must have at most 200 characters'] }],
    [{ subtitle: null }, { subtitle: ['must be a string'] }],
    [{ description: 'x'.repeat(2001) }, { description: ['must have at most 2000 characters'] }],
    [
      { task_type: 'print' },
      { task_type: ['must be one of assembly, filament_change, collection, maintenance, quality_check'] },
    ],
    [{ priority: 'urgent' }, { priority: ['must be one of low, medium, high'] }],
    [{ printer_id: '' }, { printer_id: ['must not be empty'] }],
    [{ printer_id: null }, { printer_id: ['must be a string'] }],
    [{ assigned_to: '' }, { assigned_to: ['must not be empty'] }],
    [{ estimated_time_minutes: -0.1 }, { estimated_time_minutes: ['must be at least 0'] }],
    [{ estimated_time_minutes: '5' }, { estimated_time_minutes: ['must be a number'] }],
    [{ due_date: '2026-02-30' }, { due_date: ['must be an ISO 8601 timestamp'] }],
    [{ due_date: 'tomorrow' }, { due_date: ['must be an ISO 8601 timestamp'] }],
    [{ due_date: '9999-12-31T23:59:59-01:00' }, { due_date: ['must be an ISO 8601 timestamp'] }],
    [{ apply_default_assignee: 'false' }, { apply_default_assignee: ['must be a boolean'] }],
  ])('refuses %j and says what is wrong', async (fields, details) => {
    const answer = await farm.request('POST', '/worklist', { title: 'A', task_type: 'assembly', ...fields })
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toEqual(expect.objectContaining({ code: 'VALIDATION_ERROR', details }))
    expect(await countRows()).toBe(0)
  })

  test('refuses a number that is beyond what a number can hold', async () => {
    const body = '{"title": "A", "task_type": "assembly", "estimated_time_minutes": 1e999}'
    const answer = await farm.request('POST', '/worklist', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.details).toEqual({ estimated_time_minutes: ['must be at most 10000000'] })
  })

  test('drops what is not a field of a new task', async () => {
    const task = await addTask({ status: 'completed', completed_at: '2026-01-01', colour: 'red' })
    expect(task).toMatchObject({ status: 'pending', completed_at: null })
    expect(task).not.toHaveProperty('colour')
  })

  test('answers the same for the printer of another account as for none', async () => {
    const printerId = await addPrinter(await t.account())
    const send = (id: string) =>
      farm.request('POST', '/worklist', { title: 'A', task_type: 'collection', printer_id: id })
    const foreign = await send(printerId)
    expect(foreign.statusCode).toBe(404)
    expect(foreign.json().error.code).toBe('PRINTER_NOT_FOUND')
    expect(foreign.body).toBe((await send('prn_unknown')).body)
    expect(await countRows()).toBe(0)
  })

  test('answers the same for the member of another account, a former one and a membership as for no one', async () => {
    const send = (id: string) =>
      farm.request('POST', '/worklist', { title: 'A', task_type: 'collection', assigned_to: id })
    const unknown = await send('usr_unknown')
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json().error.code).toBe('USER_NOT_FOUND')
    const former = await addMember()
    const [membership] = await t.db.sql`select id from members where account_id = ${farm.id}`
    expect((await send(membership?.id)).body).toBe(unknown.body)
    await removeMember(former)
    expect((await send(former)).body).toBe(unknown.body)
    expect((await send(await addMember(await t.account()))).body).toBe(unknown.body)
    expect(await countRows()).toBe(0)
    expect(await eventsOf(farm.id)).toEqual([])
  })

  test('20 equal requests at once with one Idempotency-Key make one task', async () => {
    const send = () =>
      farm.request('POST', '/worklist', { title: 'Once', task_type: 'maintenance' }, { 'idempotency-key': 'once' })
    const answers = await Promise.all(Array.from({ length: 20 }, send))
    const fresh = answers.filter((each) => each.statusCode === 201 && each.headers['idempotent-replayed'] === undefined)
    expect(fresh).toHaveLength(1)
    expect(await countRows()).toBe(1)
    const again = await send()
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(again.body).toBe(fresh[0]?.body)
  })
})

describe('the default assignee', () => {
  const setDefault = (taskType: 'assembly' | 'collection' | null, assignedTo: UserId | null) =>
    t.db.begin((sql) => setDefaultAssignee(asSystem(sql), { task_type: taskType, assigned_to: assignedTo }))

  test('of the type gets a new task, else the fallback, unless the task names a person or wants no one', async () => {
    const [assembler, fallback, named] = [await addMember(), await addMember(), await addMember()]
    await setDefault('assembly', assembler)
    await setDefault(null, fallback)
    const assignee = async (fields: object) => assigneeOf((await addTask({ ...fields })).id)
    expect(await assignee({ task_type: 'assembly' })).toBe(assembler)
    expect(await assignee({ task_type: 'assembly', apply_default_assignee: true })).toBe(assembler)
    expect(await assignee({ task_type: 'maintenance' })).toBe(fallback)
    expect(await assignee({ task_type: 'assembly', assigned_to: named })).toBe(named)
    expect(await assignee({ task_type: 'assembly', apply_default_assignee: false })).toBeNull()
    expect(await assignee({ task_type: 'assembly', assigned_to: named, apply_default_assignee: false })).toBe(named)
  })

  test('belongs to its account alone', async () => {
    await setDefault(null, await addMember())
    const other = await t.account()
    const task = await addTask({}, other)
    expect((await findTask(t.db.sql, other.id, task.id))?.assigned_to).toBeNull()
  })

  test('who has left the account gets nothing, and neither does the fallback; who comes back does again', async () => {
    const [assembler, fallback] = [await addMember(), await addMember()]
    await setDefault('assembly', assembler)
    await setDefault(null, fallback)
    await removeMember(assembler)
    expect(await assigneeOf((await addTask({ task_type: 'assembly' })).id)).toBeNull()
    await insertMember(t.db.sql, farm.id, { id: newId('member'), user_id: assembler, role: 'operator' })
    expect(await assigneeOf((await addTask({ task_type: 'assembly' })).id)).toBe(assembler)
  })

  test('is replaced by the next one and removed by null, the fallback too', async () => {
    const [first, second] = [await addMember(), await addMember()]
    for (const taskType of ['assembly', null] as const) {
      await setDefault(taskType, first)
      await setDefault(taskType, second)
      expect(await assigneeOf((await addTask({ task_type: 'assembly' })).id)).toBe(second)
      await setDefault(taskType, null)
      expect(await assigneeOf((await addTask({ task_type: 'assembly' })).id)).toBeNull()
    }
    expect((await eventsOf(farm.id)).filter(({ type }) => type === 'task_assignment_default.set')).toHaveLength(6)
  })

  test('must be a member when it is set', async () => {
    const stranger = await addMember(await t.account())
    await expect(setDefault('assembly', stranger)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
    expect(await eventsOf(farm.id)).toEqual([])
  })

  test('set by several at once leaves one row', async () => {
    const members = [await addMember(), await addMember(), await addMember()]
    await Promise.all(members.map((member) => setDefault(null, member)))
    const rows = await t.db.sql`select assigned_to from task_assignment_defaults where account_id = ${farm.id}`
    expect(rows).toHaveLength(1)
    expect(members).toContain(rows[0]?.assigned_to)
  })
})

describe('GET /worklist', () => {
  test('lists the newest of a priority first, and by status, type, assignee and printer', async () => {
    const [printerId, member] = [await addPrinter(), await addMember()]
    const first = await addTask({ printer_id: printerId, assigned_to: member })
    later(1)
    const second = await addTask({ task_type: 'maintenance', printer_id: printerId })
    later(1)
    const third = await addTask({ assigned_to: member })
    const done = (await setStatus(third.id, 'completed')).json().data
    const listed = async (query: string) => (await farm.request('GET', `/worklist?${query}`)).json()
    expect(await listed('')).toEqual({
      success: true,
      data: [done, second, first],
      meta: { limit: 50, offset: 0, count: 3, next_cursor: null },
    })
    expect((await listed('status=pending')).data).toEqual([second, first])
    expect((await listed('status=completed')).data).toEqual([done])
    expect((await listed('task_type=maintenance')).data).toEqual([second])
    expect((await listed(`assigned_to=${member}`)).data).toEqual([done, first])
    expect((await listed(`assigned_to=${member}&status=pending`)).data).toEqual([first])
    expect((await listed(`printer_id=${printerId}`)).data).toEqual([second, first])
    expect((await listed('limit=1&offset=1')).data).toEqual([second])
    expect((await listed('printer_id=prn_unknown')).data).toEqual([])
    expect((await (await t.account()).request('GET', `/worklist?printer_id=${printerId}`)).json().data).toEqual([])
  })

  test('lists what presses most first, page by page', async () => {
    const made: string[] = []
    for (const priority of ['low', 'high', 'medium', 'high', 'low', 'medium']) {
      made.push((await addTask({ priority })).id)
      later(1)
    }
    const expected = [3, 1, 5, 2, 4, 0].map((place) => made[place])
    const page = async (query: string) => (await farm.request('GET', `/worklist?${query}`)).json()
    const ids = (data: { id: string }[]) => data.map(({ id }) => id)
    expect(ids((await page('')).data)).toEqual(expected)
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data, meta }: { data: { id: string }[]; meta: { next_cursor: string | null } } = await page(
        `limit=2&status=pending${cursor && `&cursor=${cursor}`}`,
      )
      walked.push(...ids(data))
      cursor = meta.next_cursor
    }
    expect(walked).toEqual(expected)
  })

  test.each(['status=done', 'task_type=', 'limit=0', 'limit=101', 'assigned_to=', 'offset=-1'])(
    'refuses ?%s',
    async (query) => {
      const answer = await farm.request('GET', `/worklist?${query}`)
      expect(answer.statusCode).toBe(400)
      expect(answer.json().error.code).toBe('VALIDATION_ERROR')
    },
  )

  test('a page and the counts come from an index, however many tasks there are', async () => {
    const [printerId, member] = [await addPrinter(), await addMember()]
    await t.db.sql`
      insert into worklist_tasks (account_id, id, title, task_type, status, completed_at, created_by, created_at)
      select ${farm.id}, 'wlt_' || n, 'Task', 'collection', case when n % 100 = 0 then 'pending' else 'completed' end,
             case when n % 100 = 0 then null else now() end, 'system', now() - n * interval '1 minute'
      from generate_series(1, 5000) n`
    await t.db.sql`
      update worklist_tasks set printer_id = ${printerId}, assigned_to = ${member}
      where account_id = ${farm.id} and id like 'wlt_%77'`
    await t.db.sql`analyze worklist_tasks`
    const plan = async (filter: object) =>
      readPlan(await listTasks(explaining(t.db.sql), farm.id, { limit: 50, offset: 0, ...filter }))
    expect(await plan({})).toEqual({ nodes: ['Limit', 'Index Scan'], indexes: ['worklist_tasks_by_priority'] })
    for (const [filter, index] of [
      [{ status: 'pending' }, 'worklist_tasks_by_status'],
      [{ assigned_to: member }, 'worklist_tasks_by_assignee'],
      [{ printer_id: printerId }, 'worklist_tasks_by_printer'],
    ] as const) {
      expect((await plan(filter)).indexes, index).toEqual([index])
    }
    const counts = readPlan(await countTasks(explaining(t.db.sql), farm.id, now))
    expect(counts.indexes).toContain('worklist_tasks_by_status')
  })
})

test('GET /worklist/stats counts by status, and the open tasks by what matters about them', async () => {
  const member = await addMember()
  await addTask({ task_type: 'assembly', priority: 'high', assigned_to: member, due_date: '2026-11-20T09:00:05Z' })
  await addTask({ task_type: 'collection', due_date: '2026-11-21' })
  for (const status of ['in_progress', 'completed', 'cancelled']) {
    const { id } = await addTask({ task_type: 'maintenance', priority: 'low', due_date: '2026-11-01' })
    await setStatus(id, status)
  }
  await addTask({}, await t.account())
  later(6)
  const answer = await farm.request('GET', '/worklist/stats')
  expect(answer.statusCode).toBe(200)
  expect(answer.json().data).toEqual({
    open: 3,
    unassigned: 2,
    overdue: 2,
    by_status: { pending: 2, in_progress: 1, completed: 1, cancelled: 1 },
    by_type: { assembly: 1, filament_change: 0, collection: 1, maintenance: 1, quality_check: 0 },
    by_priority: { low: 1, medium: 1, high: 1 },
  })
  const empty = await (await t.account()).request('GET', '/worklist/stats')
  expect(empty.json().data).toMatchObject({ open: 0, by_status: { completed: 0 } })
})

describe('PATCH /worklist/{id}', () => {
  test('changes what is given and leaves the rest', async () => {
    const printerId = await addPrinter()
    const task = await addTask({ subtitle: 'Shelf 4', estimated_time_minutes: 5 })
    later(60)
    const changes = {
      title: 'Clear both plates',
      subtitle: '',
      description: 'Wear gloves.',
      task_type: 'maintenance',
      priority: 'low',
      printer_id: printerId,
      estimated_time_minutes: 0,
    }
    const answer = await farm.request('PATCH', `/worklist/${task.id}`, { ...changes, due_date: '2026-12-01' })
    expect(answer.statusCode).toBe(200)
    const changed = {
      ...task,
      ...changes,
      due_date: '2026-12-01T00:00:00.000Z',
      updated_at: '2026-11-20T09:01:00.000Z',
    }
    expect(answer.json().data).toEqual(changed)
    expect(await read(task.id)).toEqual(changed)
    expect((await eventsOf(farm.id)).at(-1)).toEqual({
      type: 'worklist_task.updated',
      subject_id: task.id,
      data: { fields: expect.arrayContaining([...Object.keys(changes), 'due_date']) },
    })
  })

  test('null empties what may be empty', async () => {
    const task = await addTask({
      printer_id: await addPrinter(),
      estimated_time_minutes: 5,
      due_date: '2026-12-01',
    })
    const nothing = { printer_id: null, estimated_time_minutes: null, due_date: null }
    expect((await farm.request('PATCH', `/worklist/${task.id}`, nothing)).json().data).toEqual({ ...task, ...nothing })
    const answer = await farm.request('PATCH', `/worklist/${task.id}`, { title: null, priority: null })
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json().error.details)).toEqual(['title', 'priority'])
  })

  test('refuses a printer of another account and changes nothing', async () => {
    const task = await addTask()
    const printerId = await addPrinter(await t.account())
    const answer = await farm.request('PATCH', `/worklist/${task.id}`, { title: 'Other', printer_id: printerId })
    expect(answer.statusCode).toBe(404)
    expect(answer.json().error.code).toBe('PRINTER_NOT_FOUND')
    expect(await read(task.id)).toEqual(task)
  })

  test('an empty change is refused; status and assignee are not changed here', async () => {
    const task = await addTask()
    const empty = await farm.request('PATCH', `/worklist/${task.id}`, {})
    expect(empty.json().error.details).toEqual({ _root: ['must have at least one field'] })
    const elsewhere = { status: 'completed', assigned_to: await addMember() }
    expect((await farm.request('PATCH', `/worklist/${task.id}`, elsewhere)).json().data).toEqual(task)
    expect(await assigneeOf(task.id)).toBeNull()
  })
})

describe('PUT /worklist/{id}/status', () => {
  test('a task that is taken up and completed knows when, and how many minutes it took', async () => {
    const task = await addTask({ printer_id: await addPrinter() })
    later(60)
    const started = (await setStatus(task.id, 'in_progress')).json().data
    expect(started).toEqual({
      ...task,
      status: 'in_progress',
      started_at: '2026-11-20T09:01:00.000Z',
      updated_at: '2026-11-20T09:01:00.000Z',
    })
    later(12 * 60 + 1)
    const answer = await setStatus(task.id, 'completed')
    expect(answer.statusCode).toBe(200)
    const completed = {
      ...started,
      status: 'completed',
      completed_at: '2026-11-20T09:13:01.000Z',
      actual_time_minutes: 13,
      updated_at: '2026-11-20T09:13:01.000Z',
    }
    expect(answer.json().data).toEqual(completed)
    expect(await read(task.id)).toEqual(completed)
    expect((await eventsOf(farm.id)).at(-1)).toEqual({
      type: 'worklist_task.status_changed',
      subject_id: task.id,
      data: {
        status: 'completed',
        previous_status: 'in_progress',
        task_type: 'collection',
        printer_id: task.printer_id,
        actual_time_minutes: 13,
      },
    })
  })

  test.each(taskStatuses)('a completed task is not made %s, and says that it is completed', async (status) => {
    const task = await addTask()
    const completed = (await setStatus(task.id, 'completed')).json().data
    expect(completed).toMatchObject({ completed_at: now.toISOString(), started_at: null, actual_time_minutes: null })
    later(60)
    const answer = await setStatus(task.id, status)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.code).toBe('TASK_ALREADY_COMPLETED')
    expect(await read(task.id)).toEqual(completed)
  })

  test('the status that a task has already changes nothing and is no event', async () => {
    const task = await addTask()
    const started = (await setStatus(task.id, 'in_progress')).json().data
    later(60)
    expect((await setStatus(task.id, 'in_progress')).json().data).toEqual(started)
    expect(await eventsOf(farm.id)).toHaveLength(2)
  })

  test('a cancelled task may be taken up again', async () => {
    const task = await addTask()
    expect((await setStatus(task.id, 'cancelled')).json().data.status).toBe('cancelled')
    expect((await setStatus(task.id, 'pending')).json().data).toMatchObject({ status: 'pending', started_at: null })
  })

  test('who completes a task while another is just completing it is told', async () => {
    const task = await addTask()
    const [answer] = await t.db.begin(async (sql) => {
      await setTaskStatus(asSystem(sql), task.id, 'completed')
      const second = setStatus(task.id, 'completed')
      await t.settled(isSomebodyWaiting)
      return [second]
    })
    expect((await answer)?.json().error.code).toBe('TASK_ALREADY_COMPLETED')
    expect(await eventsOf(farm.id)).toHaveLength(2)
  })

  test.each([{}, { status: 'done' }, { status: null }])('refuses %j', async (body) => {
    const task = await addTask()
    const answer = await farm.request('PUT', `/worklist/${task.id}/status`, body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json().error.details)).toEqual(['status'])
  })
})

describe('PUT /worklist/{id}/assign', () => {
  test('gives a task to a member, then to another, then to no one', async () => {
    const [first, second] = [await addMember(), await addMember()]
    const task = await addTask({ assigned_to: first })
    for (const assignee of [second, null]) {
      const answer = await assign(task.id, assignee)
      expect(answer.statusCode).toBe(200)
      expect(answer.json().data).toEqual(task)
      expect(await assigneeOf(task.id)).toBe(assignee)
    }
    expect((await eventsOf(farm.id)).slice(1)).toEqual([
      {
        type: 'worklist_task.assigned',
        subject_id: task.id,
        data: { assigned_to: second, previously_assigned_to: first },
      },
      {
        type: 'worklist_task.assigned',
        subject_id: task.id,
        data: { assigned_to: null, previously_assigned_to: second },
      },
    ])
  })

  test('the one who has it already changes nothing and is no event', async () => {
    const member = await addMember()
    const task = await addTask({ assigned_to: member })
    expect((await assign(task.id, member)).statusCode).toBe(200)
    expect(await eventsOf(farm.id)).toHaveLength(1)
  })

  test('refuses who is no member of this account', async () => {
    const task = await addTask()
    for (const stranger of ['usr_unknown', await addMember(await t.account())]) {
      const answer = await assign(task.id, stranger)
      expect(answer.statusCode).toBe(404)
      expect(answer.json().error.code).toBe('USER_NOT_FOUND')
    }
    expect(await assigneeOf(task.id)).toBeNull()
  })

  test('refuses a completed task', async () => {
    const task = await addTask()
    await setStatus(task.id, 'completed')
    const answer = await assign(task.id, await addMember())
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.code).toBe('TASK_ALREADY_COMPLETED')
    expect(await assigneeOf(task.id)).toBeNull()
  })

  test.each([{}, { assigned_to: '' }, { assigned_to: 5 }])('refuses %j', async (body) => {
    const task = await addTask()
    const answer = await farm.request('PUT', `/worklist/${task.id}/assign`, body)
    expect(answer.statusCode).toBe(400)
    expect(Object.keys(answer.json().error.details)).toEqual(['assigned_to'])
  })
})

test('who leaves the account leaves their tasks to no one', async () => {
  const member = await addMember()
  const task = await addTask({ assigned_to: member })
  await removeMember(member)
  expect(await assigneeOf(task.id)).toBeNull()
  expect(await read(task.id)).toEqual(task)
})

test('DELETE /worklist/{id} removes a task, which stays in the events', async () => {
  const task = await addTask()
  const answer = await farm.request('DELETE', `/worklist/${task.id}`)
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toEqual({ success: true, data: { id: task.id, deleted: true } })
  expect((await farm.request('DELETE', `/worklist/${task.id}`)).statusCode).toBe(404)
  expect((await eventsOf(farm.id)).at(-1)).toEqual({
    type: 'worklist_task.deleted',
    subject_id: task.id,
    data: { title: task.title, task_type: 'collection', status: 'pending' },
  })
})

test('a printer that a task is about is not deleted; once the task is gone, it is', async () => {
  const printerId = await addPrinter()
  const task = await addTask({ printer_id: printerId })
  const refused = await farm.request('DELETE', `/printers/${printerId}`)
  expect(refused.statusCode).toBe(409)
  expect(refused.json().error.code).toBe('RESOURCE_IN_USE')
  await farm.request('DELETE', `/worklist/${task.id}`)
  expect((await farm.request('DELETE', `/printers/${printerId}`)).statusCode).toBe(200)
})
