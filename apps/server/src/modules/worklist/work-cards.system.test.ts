import { beforeAll, expect, test } from 'vitest'
import type { TaskId } from '../../kernel/ids.ts'
import { accountForAllTests } from '../../test/app/app-hooks.ts'
import { fillLists } from '../../test/app/filled-lists.ts'
import type { TestAccount } from '../../test/app/test-app.ts'
import { walkPages } from '../../test/app/walk-pages.ts'
import { createTestPerson, type TestPerson } from '../../test/farm/test-person.ts'
import { explaining, readPlan } from '../../test/run/query-plan.ts'
import { findCard, listCardsDoneToday, listOpenCards } from './work-cards.queries.ts'

let operator: TestPerson
let stranger: TestPerson
const { t, account } = accountForAllTests()
beforeAll(async () => {
  operator = await createTestPerson(t, account, 'operator')
  stranger = await createTestPerson(t, await t.account(), 'owner')
})

interface Card {
  id: string
  title: string
}

async function addTask(title: string, fields: object = {}): Promise<Card> {
  const answer = await operator.request('POST', '/worklist', { title, task_type: 'maintenance', ...fields })
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data
}
const cards = async (query = ''): Promise<Card[]> => {
  const answer = await operator.request('GET', `/work-cards${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const move = (id: string, status: string) => operator.request('PUT', `/worklist/${id}/status`, { status })

test('what was started stands first, then what presses or is late, then the rest, the oldest of each first', async () => {
  await addTask('usual')
  await addTask('seldom', { priority: 'low' })
  await addTask('late', { priority: 'low', due_date: '2020-01-01' })
  await addTask('pressing', { priority: 'high' })
  const started = await addTask('started', { priority: 'low', assigned_to: operator.userId })
  await addTask('usual, later')
  await move(started.id, 'in_progress')
  expect((await cards()).map(({ title }) => title)).toEqual([
    ...['started', 'late', 'pressing', 'usual', 'usual, later', 'seldom'],
  ])
  expect(await cards('?assignee=me')).toMatchObject([
    { title: 'started', assigned_to: operator.userId, assignee_name: 'A operator', source: 'person', printer: null },
  ])
  expect((await cards('?assignee=nobody')).map(({ title }) => title)).not.toContain('started')
  expect(await cards('?task_type=collection')).toEqual([])
})

test('what was completed today, by the clock of the account, is told apart from what was completed before', async () => {
  await t.db.sql`update accounts set time_zone = 'Asia/Tokyo' where id = ${account.id}`
  const [today, before] = [await addTask('done today'), await addTask('done before')]
  const completedAt = async (id: string, at: string) => {
    expect((await move(id, 'completed')).statusCode).toBe(200)
    await t.db.sql`update worklist_tasks set completed_at = ${at} where account_id = ${account.id} and id = ${id}`
  }
  // Midnight in Tokyo is 15:00 UTC of the day before.
  await completedAt(today.id, '2026-03-01T15:00:00Z')
  await completedAt(before.id, '2026-03-01T14:59:59Z')
  const reading = { me: undefined, now: new Date('2026-03-02T10:00:00Z') }
  const done = await listCardsDoneToday(t.db.sql, account.id, { limit: 50, offset: 0 }, reading)
  expect(done.map(({ id }) => id)).toEqual([today.id])
  const open = (await cards()).map(({ id }) => id)
  expect([open.includes(today.id), open.includes(before.id)]).toEqual([false, false])
})

test('a card names its printer and where that stands, and is found by the place', async () => {
  const hub = (await operator.request('POST', '/hubs', { name: 'Cellar' })).json().data
  const body = { name: 'Bench 9', model: 'MK4S', location: 'Cellar', hub_id: hub?.id, connection_type: 'virtual' }
  const printer = (await account.request('POST', '/printers', body)).json().data
  const { id } = await addTask('oil', { printer_id: printer.id })
  const about = { id: printer.id, name: 'Bench 9', model: 'MK4S', location: 'Cellar', plate_state: 'unknown' }
  expect((await operator.request('GET', `/work-cards/${id}`)).json().data).toMatchObject({ printer: about, job: null })
  expect(await cards('?location=Cellar')).toMatchObject([{ id, printer: about }])
  expect(await cards(`?printer_id=${printer.id}`)).toMatchObject([{ id }])
  expect(await cards('?location=Attic')).toEqual([])
})

test('a card of another account is as one that never was, and a key has no such address', async () => {
  const { id } = await addTask('ours')
  const foreign = await stranger.request('GET', `/work-cards/${id}`)
  expect([foreign.statusCode, foreign.json().error.code]).toEqual([404, 'NOT_FOUND'])
  expect((await stranger.request('GET', '/work-cards')).json().data).toEqual([])
  expect((await account.request('GET', '/work-cards')).statusCode).toBe(404)
})

test('both lists walked by cursor give exactly what they give by offset, and are read by their indexes', async () => {
  const full = await t.account()
  await fillLists(t.db.sql, full.id, 40)
  await t.db.sql`
    update worklist_tasks set status = 'completed', completed_at = now() where account_id = ${full.id} and id like '%1'`
  await t.db.sql`
    insert into worklist_tasks (account_id, id, title, task_type, status, created_by, created_at, completed_at)
    select ${full.id}, 'wlt_old_' || n, 'Task', 'collection', 'completed', 'system', now() - interval '9 days',
           now() - interval '9 days' from generate_series(1, 5000) n`
  await t.db.sql`analyze worklist_tasks`
  const reader = await createTestPerson(t, full, 'viewer')
  for (const path of ['/work-cards', '/work-cards?state=done_today']) {
    const whole = (await reader.request('GET', `${path}${path.includes('?') ? '&' : '?'}limit=100&offset=0`)).json()
    expect(whole.data.length).toBeGreaterThan(1)
    for (const limit of [1, 7, 100]) {
      // Walks by `request` alone.
      const pages = await walkPages(reader as unknown as TestAccount, path, limit)
      expect(pages.flatMap(({ data }) => data)).toEqual(whole.data)
    }
  }
  await t.db.begin(async (own) => {
    await own`set local enable_seqscan = off`
    const handle = explaining(own)
    const bounds = { limit: 51, offset: 0, after: undefined }
    const reading = { me: undefined, now: new Date() }
    const tasksBy = (rows: unknown) => readPlan(rows).indexes.filter((name) => name.startsWith('worklist_tasks'))
    expect(tasksBy(await listOpenCards(handle, full.id, bounds, reading))).toEqual(['worklist_tasks_by_status'])
    expect(tasksBy(await listCardsDoneToday(handle, full.id, bounds, reading))).toEqual([
      'worklist_tasks_by_completion',
    ])
    expect(tasksBy(await findCard(handle, full.id, 'wlt_1' as TaskId))).toEqual(['worklist_tasks_pkey'])
  })
})
