import { describe, expect, test } from 'vitest'
import { newId, type UserId } from '../kernel/ids.ts'
import { workIn } from '../modules/events/work.ts'
import { insertMember, insertUserUnlessKnown } from '../modules/people/accounts/accounts.queries.ts'
import { setDefaultAssignee } from '../modules/worklist/assignment-defaults.service.ts'
import type { TaskType } from '../modules/worklist/task-assignment.ts'
import { accountForEachTest } from '../test/app/app-hooks.ts'
import { astral, dataOf, errorOf, expectForm, expectRefused, type Form, keepsCommonPromises } from './expectations.ts'

const taskForm: Form = {
  id: 'string',
  title: 'string',
  subtitle: 'string',
  description: 'string',
  task_type: 'string',
  priority: 'string',
  status: 'string',
  printer_id: 'string?',
  estimated_time_minutes: 'number?',
  actual_time_minutes: 'number?',
  started_at: 'timestamp?',
  completed_at: 'timestamp?',
  due_date: 'timestamp?',
  created_at: 'timestamp',
  updated_at: 'timestamp',
}

const { t, account } = accountForEachTest()

const least = { title: 'Clear the plate', task_type: 'collection' }
const create = (body: unknown) => account.request('POST', '/worklist', body)
const created = async (fields: object = {}) => dataOf(await create({ ...least, ...fields }), 201)
const countTasks = async () => (await account.request('GET', '/worklist?limit=100')).json().meta.count

async function addPrinter(owner = account): Promise<string> {
  const printer = { name: 'Printer', model: 'MK4S', connection_type: 'virtual' }
  return dataOf(await owner.request('POST', '/printers', printer), 201).id
}

async function addMember(owner = account): Promise<UserId> {
  const userId = newId('user')
  await insertUserUnlessKnown(t.db.sql, { id: userId, email: `${userId}@example.com`, password_hash: null })
  await insertMember(t.db.sql, owner.id, { id: newId('member'), user_id: userId, role: 'operator' })
  return userId
}

keepsCommonPromises({ method: 'POST', path: '/worklist', scope: 'write', body: { title: '' } }, () => ({ t, account }))

describe('201', () => {
  test('a pending task of medium priority, with exactly its fields; what is not known is empty or null', async () => {
    const task = await created()
    expectForm(task, taskForm)
    const { id, created_at, updated_at, ...others } = task
    expect(others).toEqual({
      ...least,
      subtitle: '',
      description: '',
      priority: 'medium',
      status: 'pending',
      printer_id: null,
      estimated_time_minutes: null,
      actual_time_minutes: null,
      started_at: null,
      completed_at: null,
      due_date: null,
    })
    expect(updated_at).toBe(created_at)
    expect(dataOf(await account.request('GET', `/worklist/${id}`))).toEqual(task)
  })

  test('every field that is given is kept; who has the task is not one of its fields', async () => {
    const given = {
      title: 'Change the nozzle',
      subtitle: 'Rack 3',
      description: 'The 0.6 mm one',
      task_type: 'maintenance',
      priority: 'high',
      printer_id: await addPrinter(),
      estimated_time_minutes: 12.5,
    }
    const task = await created({ ...given, due_date: '2026-11-20T10:30:00+01:00', assigned_to: await addMember() })
    expectForm(task, taskForm)
    expect(task).toMatchObject({ ...given, due_date: '2026-11-20T09:30:00.000Z' })
  })

  test.each<[field: string, value: unknown, kept?: unknown]>([
    ['title', 'x'],
    ['title', astral(200)],
    ['subtitle', ''],
    ['subtitle', astral(200)],
    ['description', ''],
    ['description', astral(2000)],
    ...['assembly', 'filament_change', 'collection', 'maintenance', 'quality_check'].map((type): [string, string] => [
      'task_type',
      type,
    ]),
    ...['low', 'medium', 'high'].map((priority): [string, string] => ['priority', priority]),
    ['estimated_time_minutes', 0],
    ['estimated_time_minutes', 0.25],
    ['due_date', '2026-11-20', '2026-11-20T00:00:00.000Z'],
    ['due_date', '2024-02-29T23:59:59.999Z'],
  ])('%s: %j is taken', async (field, value, kept = value) => {
    expect((await created({ [field]: value }))[field]).toBe(kept)
  })

  test('a zero below zero is a zero', async () => {
    const answer = await create('{"title":"x","task_type":"assembly","estimated_time_minutes":-0}')
    expect(answer.body).toContain('"estimated_time_minutes":0,')
  })

  test('unknown fields are ignored: no one sets the ID, the status or the times', async () => {
    const task = await created({ id: 'mine', status: 'completed', started_at: '2020-01-01', cost: 5 })
    expectForm(task, taskForm)
    expect(task).toMatchObject({ status: 'pending', started_at: null })
    expect(task.id).not.toBe('mine')
  })
})

describe('400 VALIDATION_ERROR', () => {
  test.each<[field: string, value: unknown]>([
    ['title', undefined],
    ['title', null],
    ['title', ''],
    ['title', 5],
    ['title', 'x'.repeat(201)],
    ['title', astral(201)],
    ['task_type', undefined],
    ['task_type', null],
    ['task_type', 'Assembly'],
    ['task_type', ''],
    ['subtitle', astral(201)],
    ['subtitle', null],
    ['description', astral(2001)],
    ['description', null],
    ['priority', 'urgent'],
    ['priority', null],
    ['printer_id', ''],
    ['printer_id', null],
    ['printer_id', 5],
    ['assigned_to', ''],
    ['assigned_to', null],
    ['estimated_time_minutes', -1],
    ['estimated_time_minutes', -0.001],
    ['estimated_time_minutes', '5'],
    ['estimated_time_minutes', null],
    ['due_date', 'tomorrow'],
    ['due_date', '2026-02-29'],
    ['due_date', ''],
    ['due_date', 1_763_632_800],
    ['due_date', null],
    ['apply_default_assignee', 'true'],
    ['apply_default_assignee', 1],
    ['apply_default_assignee', null],
    ['title', 'a\0b'],
    ['description', '\udc00'],
  ])('%s: %j is refused under its name', async (field, value) => {
    expectRefused(await create({ ...least, [field]: value }), field)
    expect(await countTasks()).toBe(0)
  })

  test('every wrong field at once; a body that is no object as a whole', async () => {
    expectRefused(await create({ priority: 'x' }), 'title', 'task_type', 'priority')
    for (const body of [undefined, [], '"x"', '{']) expectRefused(await create(body), '_root')
  })
})

describe('who and what it names must exist here', () => {
  test("404 PRINTER_NOT_FOUND, the same for another account's printer; nothing is kept", async () => {
    const unknown = await create({ ...least, printer_id: 'unknown' })
    errorOf(unknown, 404, 'PRINTER_NOT_FOUND')
    const foreign = await create({ ...least, printer_id: await addPrinter(await t.account()) })
    expect(foreign.body).toBe(unknown.body)
    expect(await countTasks()).toBe(0)
  })

  test("404 USER_NOT_FOUND, the same for another account's member", async () => {
    const unknown = await create({ ...least, assigned_to: 'unknown' })
    errorOf(unknown, 404, 'USER_NOT_FOUND')
    const foreign = await create({ ...least, assigned_to: await addMember(await t.account()) })
    expect(foreign.body).toBe(unknown.body)
    expect(await countTasks()).toBe(0)
  })
})

describe('apply_default_assignee', () => {
  const setDefault = (taskType: TaskType | null, assignedTo: UserId) => {
    return t.db.begin((sql) =>
      setDefaultAssignee(workIn(sql, { accountId: account.id, actor: 'system', now: new Date() }), {
        task_type: taskType,
        assigned_to: assignedTo,
      }),
    )
  }
  async function assigneeOf(fields: object): Promise<string | null> {
    const { id } = await created(fields)
    const [task] = await t.db
      .sql`select assigned_to from worklist_tasks where account_id = ${account.id} and id = ${id}`
    return task?.assigned_to
  }

  test('left out or true: the default of the type, else the fallback; false: no one; a named member always wins', async () => {
    const [assembler, anyone, named] = [await addMember(), await addMember(), await addMember()]
    await setDefault('assembly', assembler)
    await setDefault(null, anyone)
    expect(await assigneeOf({ task_type: 'assembly' })).toBe(assembler)
    expect(await assigneeOf({ task_type: 'assembly', apply_default_assignee: true })).toBe(assembler)
    expect(await assigneeOf({ task_type: 'collection' })).toBe(anyone)
    expect(await assigneeOf({ task_type: 'assembly', apply_default_assignee: false })).toBeNull()
    for (const apply of [true, false, undefined]) {
      expect(await assigneeOf({ assigned_to: named, apply_default_assignee: apply })).toBe(named)
    }
  })

  test('no one when there is no default, and when it points to a former member', async () => {
    expect(await assigneeOf({})).toBeNull()
    const [former, anyone] = [await addMember(), await addMember()]
    await setDefault('collection', former)
    await setDefault(null, anyone)
    await t.db.sql`delete from members where account_id = ${account.id} and user_id = ${former}`
    expect(await assigneeOf({})).toBeNull()
  })
})
