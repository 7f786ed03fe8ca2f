import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { faultsOf } from '../../test/app/stored-events.ts'
import { createTestApp, type TestAccount, type TestApp } from '../../test/app/test-app.ts'

let t: TestApp
let farm: TestAccount
beforeAll(async () => {
  t = await createTestApp()
  farm = await t.account()
})
afterAll(() => t.close())

const migration = readFileSync(new URL('../../../migrations/0050-event-types-and-reach.sql', import.meta.url), 'utf8')
const renaming = /^update events[^;]*/m.exec(migration)?.[0] ?? ''

/** Events as they were written before, with the type and what else they have now. */
const former = [
  ['account.changed', newId('account'), { fields: ['name'] }, 'account.updated', {}],
  ['file.added', newId('printFile'), { name: 'clip' }, 'file.created', {}],
  ['file.updated', newId('printFile'), { name: 'clip', product_id: null }, 'file.updated', ['name', 'product_id']],
  ['hub.changed', newId('hub'), { name: 'Hall' }, 'hub.updated', ['name']],
  ['job.changed', newId('job'), { fields: ['priority'] }, 'job.updated', {}],
  ['material.changed', newId('material'), { kind: 'filament', fields: ['brand'] }, 'material.updated', {}],
  ['print_failure.changed', newId('printFailure'), { fields: ['notes'], job_id: 'job_x' }, 'print_failure.updated', {}],
  [
    'printer.added',
    newId('printer'),
    { name: 'Bench', model: 'MK4S', hub_id: null, connection_type: 'virtual' },
    'printer.created',
    {},
  ],
  ['printer.changed', newId('printer'), { fields: ['notes'] }, 'printer.updated', {}],
  ['scheduler.settings_changed', newId('account'), { fields: ['working_hours'] }, 'scheduler.updated', {}],
  ['job.deleted', newId('job'), { status: 'queued', file_name: 'clip', number_of_units: 1 }, 'job.deleted', {}],
] as const

test('what was written under other types is answered under those of now, in its place', async () => {
  for (const [type, subject_id, data] of former) {
    const event = { account_id: farm.id, id: newId('event'), type, subject_id, actor: 'system' }
    await t.db.sql`insert into events ${t.db.sql({ ...event, data: t.db.sql.json(data) })}`
  }
  await t.settled(async () => (await feed()).length === former.length)
  const before = await feed()
  await t.db.sql.unsafe(`/* every account: a migration changes the events of all */ ${renaming}`)
  // The feed answers an event once no older transaction of the database is under way.
  await t.settled(async () => (await feed()).length === former.length)
  const after = await feed()
  expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
  expect(after.map(({ type, data }) => [type, data])).toEqual(
    former.map(([, , data, type, fields]) => [type, Array.isArray(fields) ? { ...data, fields } : data]),
  )
  expect(after.flatMap(faultsOf)).toEqual([])
  const { data } = (await farm.request('GET', '/events?type=printer.updated')).json()
  expect(data).toHaveLength(1)
})

async function feed(): Promise<{ id: string; type: string; subject_id: string; data: Record<string, unknown> }[]> {
  return (await farm.request('GET', '/events?limit=100')).json().data.filter((event: { actor: string }) => {
    return event.actor === 'system'
  })
}
