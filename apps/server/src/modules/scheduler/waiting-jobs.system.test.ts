import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/app/test-app.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { fleetOf, type TestFleet } from '../../test/farm/test-fleet.ts'

let t: TestApp
let farm: TestFarm
let fleet: TestFleet

beforeAll(async () => {
  // Nothing starts by itself here, so that jobs wait as long as a test looks at them.
  let isDraining = false
  t = await createTestApp({ context: { isDraining: () => isDraining } })
  farm = await createTestFarm(t)
  isDraining = true
  fleet = fleetOf(t, farm)
  await fleet.addPrinter('Ready', { current_color: 'Black' })
})
afterAll(async () => {
  await farm.hub.close()
  await t.close()
})

interface Row {
  id: string
  waiting: { reason: string; sentence: string; earliest_start_at: string | null } | null
}

const ask = async (path: string) => (await farm.account.request('GET', path)).json()
const queue = async (query = ''): Promise<{ data: Row[]; meta: { next_cursor: string | null } }> =>
  ask(`/jobs/queue${query}`)

describe('the queue', () => {
  test('stands in the order in which jobs would start, with the reason that the explanation of each gives', async () => {
    const last = await fleet.queue({ priority: 'low' })
    const misfit = await fleet.queue({ filament_type: 'ASA' })
    const due = await fleet.queue({ due_date: '2027-03-01T10:00:00.000Z' })
    const urgent = await fleet.queue({ priority: 'urgent' })

    const { data } = await queue()
    expect(data.map(({ id }) => id)).toEqual([urgent, due, misfit, last])
    for (const { id, waiting } of data) {
      const { reason, sentence } = (await ask(`/jobs/${id}/explain`)).data
      expect(waiting).toMatchObject({ reason, sentence })
    }
    expect(data.map(({ waiting }) => waiting?.reason)).toEqual([
      ...['starts_now', 'starts_now', 'filament_type_matches', 'starts_now'],
    ])
  })

  test('a walk by cursor meets every job once, also those without a due date', async () => {
    const whole = (await queue('?limit=100')).data.map(({ id }) => id)
    const walked: string[] = []
    let cursor: string | null = ''
    for (let pages = 0; cursor !== null && pages < 100; pages += 1) {
      const { data, meta }: Awaited<ReturnType<typeof queue>> = await queue(`?limit=1${cursor && `&cursor=${cursor}`}`)
      walked.push(...data.map(({ id }) => id))
      cursor = meta.next_cursor
    }
    expect(walked).toEqual(whole)
    expect(whole.length).toBeGreaterThan(3)
  })

  test('is searched by the names that people see, and told apart by printer, filament and priority', async () => {
    const bench = await fleet.addPrinter('Corner bench')
    const given = await fleet.queue({ printer_id: bench })
    const flexible = await fleet.queue({ filament_type: 'TPU', priority: 'high' })
    const found = async (query: string) => (await queue(query)).data.map(({ id }) => id)
    expect(await found('?search=CORNER')).toEqual([given])
    expect(await found(`?search=${flexible}`)).toEqual([flexible])
    expect(await found('?search=50%25')).toEqual([])
    expect(await found(`?of_printer_id=${bench}`)).toEqual([given])
    expect(await found('?filament_type=tpu')).toEqual([flexible])
    expect(await found('?priority=high')).toEqual([flexible])
    expect(await found('?priority=high&search=corner')).toEqual([])
    expect((await farm.account.request('GET', '/jobs/queue?priority=soon')).statusCode).toBe(400)
    const { file_name } = (await ask(`/jobs/${given}`)).data
    expect(await found(`?search=${encodeURIComponent(file_name.toUpperCase())}`)).toContain(given)
  })

  test('is counted whole and by the same filters, with the filaments that are wanted', async () => {
    const all = (await queue('?limit=100')).data.length
    const counts = async (query = '') => (await ask(`/jobs/queue/counts${query}`)).data
    expect(await counts()).toEqual({ waiting: all, running: 0, filament_types: expect.arrayContaining(['ASA', 'TPU']) })
    const { file_name } = (await queue('?priority=high')).data[0] as unknown as { file_name: string }
    expect(await counts(`?priority=high&search=${encodeURIComponent(file_name)}`)).toMatchObject({
      waiting: 1,
      running: 0,
    })
    expect(await counts('?search=nothing-of-this-name')).toMatchObject({ waiting: 0 })
    const neighbour = await t.account()
    const answer = await neighbour.request('GET', '/jobs/queue/counts')
    expect(answer.json().data).toEqual({ waiting: 0, running: 0, filament_types: [] })
  })

  test('another account sees nothing of it', async () => {
    const neighbour = await t.account()
    expect((await neighbour.request('GET', '/jobs/queue')).json().data).toEqual([])
    const [job] = (await queue()).data
    expect((await neighbour.request('GET', `/jobs/${job?.id}/plan`)).statusCode).toBe(404)
  })
})

test('the plan of a job tells its file, its place, and what happened to it', async () => {
  const jobId = await fleet.queue({ number_of_units: 5, quantity_per_print: 2, priority: 'high' })
  await farm.account.request('PATCH', `/jobs/${jobId}`, { priority: 'urgent' })
  const { data } = await ask(`/jobs/${jobId}/plan`)
  expect(data).toMatchObject({
    job_id: jobId,
    file_version_number: 1,
    file_deleted: false,
    quantity_per_print: 2,
    plates_total: 3,
    plates_done: 0,
    priority: 'urgent',
    is_assigned: false,
    needs_look: false,
    attempts: [],
  })
  expect(data.events.map(({ type }: { type: string }) => type)).toEqual(['job.updated', 'job.queued'])
  expect(data.events[0].data).toEqual({ fields: ['priority'] })
})

test('a try of unknown fate asks for a look, in the plan and among the running jobs', async () => {
  const printerId = await fleet.addPrinter('Lost')
  const jobId = await fleet.queue({ printer_id: printerId })
  await t.db.sql`
    insert into attempts (account_id, id, job_id, plate_number, printer_id, hub_id, file_version_id, fence, phase, outcome,
      unknown_since, actor)
    select account_id, 'att_lost', id, 1, ${printerId}, ${farm.hubId}, file_version_id, 1000, 'starting', 'unknown',
           now(), 'system'
    from jobs where account_id = ${farm.account.id} and id = ${jobId}`
  await t.db.sql`update jobs set status = 'processing' where account_id = ${farm.account.id} and id = ${jobId}`
  const { data } = await queue('?part=running')
  expect(data).toMatchObject([{ id: jobId, printer_name: 'Lost', needs_look: true, waiting: null, is_assigned: true }])
  expect((await queue('?part=running&search=lost')).data).toHaveLength(1)
  expect((await queue('?part=running&search=found')).data).toEqual([])
  expect((await ask('/jobs/queue/counts?search=lost')).data).toMatchObject({ waiting: 0, running: 1 })
  const plan = (await ask(`/jobs/${jobId}/plan`)).data
  expect(plan).toMatchObject({ needs_look: true, attempts: [{ printer_name: 'Lost', outcome: 'unknown' }] })
})

test('history shows only what ended so, there, and from that file', async () => {
  const [kept, other] = [await fleet.queue(), await fleet.queue()]
  await farm.account.request('POST', `/jobs/${kept}/cancel`)
  await farm.account.request('POST', `/jobs/${other}/complete`)
  const { print_file_id } = (await ask(`/jobs/${kept}/plan`)).data
  const history = async (query: string) =>
    (await ask(`/jobs/history?${query}`)).data.map(({ id }: { id: string }) => id)
  expect(await history('ended_as=cancelled')).toEqual([kept])
  expect(await history(`ended_as=cancelled&of_file_id=${print_file_id}`)).toEqual([kept])
  expect(await history('of_file_id=fil_other')).toEqual([])
  expect(await history('of_printer_id=prn_other')).toEqual([])
  expect((await farm.account.request('GET', '/jobs/history?ended_as=queued')).statusCode).toBe(400)
})
