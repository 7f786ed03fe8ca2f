import type { PrinterState } from '@printyard/protocol/printer-state'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PrinterId } from '../../kernel/ids.ts'
import { Memory } from '../../kernel/memory.ts'
import { appForAllTests } from '../../test/app/app-hooks.ts'
import { createTestApp, type TestAccount } from '../../test/app/test-app.ts'
import { createTestFarm, type TestFarm } from '../../test/farm/test-farm.ts'
import { createTestPerson } from '../../test/farm/test-person.ts'
import { type FleetMemory, rememberFleets } from './fleet-memory.ts'

const rowsInMemory = 300

/** One in which the list of `crowd` leaves no room for anything else. */
class SmallMemory extends Memory {
  #fleets: FleetMemory | undefined

  override hold<C, T>(make: (context: C) => T, context: C): T {
    if (make !== (rememberFleets as unknown)) return super.hold(make, context)
    this.#fleets ??= rememberFleets(context as never, rowsInMemory)
    return this.#fleets as T
  }
}

const t = appForAllTests({ context: { memory: new SmallMemory() } })

async function expectRead(account: TestAccount, path: string) {
  const answer = await account.request('GET', path)
  expect(answer.statusCode, `${path}: ${answer.body}`).toBe(200)
  return answer
}

async function insertPrinters(account: TestAccount, count: number): Promise<void> {
  await t.db.sql`
    insert into printers (account_id, id, name, model, connection_type, connection_sealed)
    select ${account.id}, 'prn_' || lpad(number::text, 26, '0'), 'Printer ' || number, 'MK4S', 'virtual', '\\x00'::bytea
    from generate_series(1, ${count}) number`
}

async function add(account: TestAccount, name: string, fields: Record<string, unknown> = {}): Promise<string> {
  const printer = { name, model: 'MK4S', connection_type: 'virtual', ...fields }
  const answer = await account.request('POST', '/printers', printer)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json().data.id
}

/** Lets changes of printers go untold, so that what is in memory is seen to be. */
async function withoutMarks(work: () => Promise<void>): Promise<void> {
  await t.written()
  await t.db.sql`/* every account: a table has one trigger */ alter table printers disable trigger printers_mark`
  try {
    await work()
    await t.written()
  } finally {
    await t.db.sql`/* every account: a table has one trigger */ alter table printers enable trigger printers_mark`
  }
}

const namesOf = (answer: { json(): { data: { name: string }[] } }) => answer.json().data.map(({ name }) => name)

test('a list that nothing has changed since is answered from memory', async () => {
  const account = await t.account()
  await add(account, 'One')
  const before = (await expectRead(account, '/printers')).body
  await withoutMarks(async () => {
    await t.db.sql`update printers set name = 'Other' where account_id = ${account.id}`
    expect((await expectRead(account, '/printers')).body).toBe(before)
  })
})

test('a list from memory shows what its printers do now', async () => {
  const farm = await createTestFarm(t)
  const status = async () => (await expectRead(farm.account, '/printers')).json().data[0].status
  expect(await status()).toBe('idle')
  await withoutMarks(async () => {
    farm.hub.telemetry(farm.printerId, { status: 'error', status_reason: 'The filament has run out.' })
    await t.settled(async () => (await status()) === 'error')
    await farm.hub.close()
    await t.settled(async () => (await status()) === 'offline')
  })
})

test('each way in which rows of printers change shows in the next answer', async () => {
  const account = await t.account()
  const { sql } = t.db
  const names = async () => namesOf(await expectRead(account, '/printers'))
  expect(await names()).toEqual([])
  await insertPrinters(account, 2)
  expect(await names()).toEqual(['Printer 1', 'Printer 2'])
  await sql`update printers set name = 'A' where account_id = ${account.id} and name = 'Printer 2'`
  expect(await names()).toEqual(['A', 'Printer 1'])
  await sql`delete from printers where account_id = ${account.id} and name = 'A'`
  expect(await names()).toEqual(['Printer 1'])
  const rolledBack = t.db.begin(async (transaction) => {
    await transaction`update printers set name = 'B' where account_id = ${account.id}`
    expect(await names()).toEqual(['Printer 1'])
    throw new Error('rolled back')
  })
  await expect(rolledBack).rejects.toThrow('rolled back')
  expect(await names()).toEqual(['Printer 1'])
})

test('transactions that change printers of an account at once do not wait for each other, and each shows when it commits', async () => {
  const account = await t.account()
  await insertPrinters(account, 3)
  const rename = (number: number) => t.db.sql`
    update printers set name = 'Renamed ' || ${number}::text where account_id = ${account.id} and name = ${`Printer ${number}`}`
  const names = async () => namesOf(await expectRead(account, '/printers'))
  expect(await names()).toEqual(['Printer 1', 'Printer 2', 'Printer 3'])
  await t.db.begin(async (first) => {
    await first`update printers set name = 'Renamed 1' where account_id = ${account.id} and name = 'Printer 1'`
    await t.db.begin(async (second) => {
      await second`update printers set name = 'Renamed 2' where account_id = ${account.id} and name = 'Printer 2'`
      await rename(3)
      expect(await names()).toEqual(['Printer 1', 'Printer 2', 'Renamed 3'])
    })
    expect(await names()).toEqual(['Printer 1', 'Renamed 2', 'Renamed 3'])
  })
  expect(await names()).toEqual(['Renamed 1', 'Renamed 2', 'Renamed 3'])
})

test('what one process writes is in the next answer of another, which had the list in memory', async () => {
  const other = await createTestApp({ context: { db: t.db } })
  try {
    const account = await t.account()
    const elsewhere = async (method: 'GET' | 'PATCH', url: string, payload?: object) => {
      const authorization = `Bearer ${account.key}`
      return await other.app.inject({
        method,
        url: `/public/v1${url}`,
        headers: { authorization },
        ...(payload && { payload }),
      })
    }
    const id = await add(account, 'Printer 0')
    for (let number = 1; number <= 20; number += 1) {
      expect(namesOf(await elsewhere('GET', '/printers'))).toEqual([`Printer ${number - 1}`])
      await account.request('PATCH', `/printers/${id}`, { name: `Printer ${number}` })
      const answers = await Promise.all([elsewhere('GET', '/printers'), elsewhere('GET', '/printers/live')])
      expect(answers.map(namesOf)).toEqual([[`Printer ${number}`], [`Printer ${number}`]])
      expect((await elsewhere('GET', `/printers/${id}`)).json().data.name).toBe(`Printer ${number}`)
    }
  } finally {
    await other.close()
  }
})

test('the printers of hubs are answered from memory, and as they are once one was renamed, moved or is gone', async () => {
  const account = await t.account()
  const addHub = async (name: string): Promise<string> =>
    (await account.request('POST', '/hubs', { name })).json().data.id
  const [left, right] = [await addHub('Left'), await addHub('Right')]
  const id = await add(account, 'One', { hub_id: left })
  const shown = async () => {
    const hubs: { printers: { name: string }[] }[] = (await expectRead(account, '/hubs')).json().data
    const single = (await expectRead(account, `/hubs/${left}`)).json().data
    expect(single.printers).toEqual(hubs[0]?.printers)
    return hubs.map(({ printers }) => printers.map(({ name }) => name))
  }
  expect(await shown()).toEqual([['One'], []])
  await withoutMarks(async () => {
    await t.db.sql`update printers set name = 'Untold' where account_id = ${account.id}`
    expect(await shown()).toEqual([['One'], []])
  })
  await account.request('PATCH', `/printers/${id}`, { name: 'Two' })
  expect(await shown()).toEqual([['Two'], []])
  await t.db.sql`update printers set hub_id = ${right} where account_id = ${account.id} and id = ${id}`
  expect(await shown()).toEqual([[], ['Two']])
  expect((await account.request('DELETE', `/printers/${id}`)).statusCode).toBe(200)
  expect(await shown()).toEqual([[], []])
})

test('a person who is signed in sees each change, too', async () => {
  const account = await t.account()
  const person = await createTestPerson(t, account, 'viewer')
  const id = await add(account, 'Printer 0')
  for (let number = 1; number <= 3; number += 1) {
    expect(namesOf(await person.request('GET', '/printers'))).toEqual([`Printer ${number - 1}`])
    await account.request('PATCH', `/printers/${id}`, { name: `Printer ${number}` })
    expect(namesOf(await person.request('GET', '/printers/live'))).toEqual([`Printer ${number}`])
  }
})

test('one call may ask for 500 printers', async () => {
  const account = await t.account()
  await insertPrinters(account, 2)
  expect((await expectRead(account, '/printers?limit=500')).json().meta.limit).toBe(500)
  expect((await account.request('GET', '/printers?limit=501')).statusCode).toBe(400)
})

/** What a random run does with printers. */
type Change = (farm: TestFarm, printerIds: string[]) => Promise<unknown>

const ofOne = (act: (farm: TestFarm, printerId: string) => Promise<unknown>): Change => {
  let turn = 0
  return async (farm, printerIds) => {
    turn += 1
    const id = printerIds[turn % printerIds.length]
    if (id !== undefined) await act(farm, id)
  }
}
const patch = (fields: (number: number) => Record<string, unknown>): Change => {
  let number = 0
  return ofOne(async ({ account }, id) => {
    number += 1
    await account.request('PATCH', `/printers/${id}`, fields(number))
  })
}
const maintenance = (in_maintenance: boolean): Change =>
  ofOne(({ account }, id) => account.request('PUT', `/printers/${id}/maintenance`, { in_maintenance }))
const report = (state: Partial<PrinterState>): Change => ofOne(async ({ hub }, id) => hub.telemetry(id, state))

const changes: Record<string, Change> = {
  add: async (farm, ids) => {
    ids.push(await add(farm.account, `New "${ids.length}" ä`, { hub_id: ids.length % 2 ? farm.hubId : null }))
  },
  rename: patch((number) => ({ name: `Name ${number % 7} of ${number}` })),
  colour: patch((number) => ({ current_color: `Colour ${number}`, current_color_hex: '#00FF00' })),
  place: patch((number) => ({ location: number % 2 ? 'Rack "1"' : null, nozzle_size: 0.4 })),
  out: patch((number) => ({ is_active: number % 2 === 0 })),
  unplug: patch((number) => ({ hub_id: number % 2 ? null : undefined, notes: String(number) })),
  maintain: maintenance(true),
  maintained: maintenance(false),
  clear: ofOne(({ account }, id) => account.request('POST', `/printers/${id}/control`, { action: 'clear_bed' })),
  idle: report({ status: 'idle' }),
  foreign: report({
    status: 'printing',
    run: { file_name: 'vase.gcode', job_id: 'r1', attempt_id: null },
    progress: 3,
  }),
  broken: report({ status: 'error', status_reason: 'The filament has run out.' }),
  print: async (farm) => {
    const started = await farm.account.request('POST', `/jobs/${await farm.queueJob()}/start`)
    expect([200, 400, 404, 409, 503]).toContain(started.statusCode)
  },
  remove: async ({ account }, ids) => {
    const id = ids.length > 1 && ids.at(-1)
    if (id && (await account.request('DELETE', `/printers/${id}`)).statusCode === 200) ids.pop()
  },
}

test('whatever has changed printers, lists and printers are answered from memory as from the database', async () => {
  const crowd = await t.account()
  await insertPrinters(crowd, rowsInMemory - 1)
  const run = async (names: string[]) => {
    const farm = await createTestFarm(t)
    const ids: string[] = [farm.printerId]
    const read = async () => {
      const lists = [
        '/printers',
        '/printers?limit=2',
        '/printers?limit=2&offset=1',
        '/printers?search=name',
        '/printers?location=Rack%20%221%22',
        '/printers?is_active=true',
        '/printers?has_problems=true',
        '/printers?status=idle',
        '/printers/live',
      ]
      const ofEach = ids.slice(0, 3).flatMap((id) => [`/printers/${id}`, `/printers/${id}/status`])
      const answers: string[] = []
      for (const path of [...lists, ...ofEach]) answers.push((await farm.account.request('GET', path)).body)
      return answers
    }
    try {
      await read()
      for (const name of names) {
        await changes[name]?.(farm, ids)
        await t.written()
        await expectSame(
          read,
          () => expectRead(crowd, '/printers'),
          () => stateOf(farm, ids),
        )
      }
    } finally {
      await farm.hub.close()
    }
  }
  const names = fc.array(fc.constantFrom(...Object.keys(changes)), { minLength: 5, maxLength: 15 })
  await fc.assert(fc.asyncProperty(names, run), { numRuns: 8, endOnFailure: true })
}, 120_000)

/** What answers are made of: the versions of the rows, and what is live. */
async function stateOf({ account }: TestFarm, ids: string[]): Promise<string> {
  const [rows] = await t.db.sql`
    select string_agg(id || ' ' || xmin::text, ',' order by id) as versions from printers where account_id = ${account.id}`
  return JSON.stringify([rows, ids.map((id) => t.context.printers.find(id as PrinterId))])
}

/** Reads from memory, then once more when other rows have taken its place; again where something has changed between. */
async function expectSame(
  read: () => Promise<string[]>,
  empty: () => Promise<unknown>,
  state: () => Promise<string>,
): Promise<void> {
  for (let tries = 1; tries <= 5; tries += 1) {
    const before = await state()
    const remembered = await read()
    await empty()
    const fresh = await read()
    if ((await state()) !== before) continue
    expect(remembered).toEqual(fresh)
    return
  }
  throw new Error('printers never came to rest')
}
