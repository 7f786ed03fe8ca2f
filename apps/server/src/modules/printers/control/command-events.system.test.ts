import { beforeEach, describe, expect, test } from 'vitest'
import type { CommandId } from '../../../kernel/ids.ts'
import { farmForEachTest } from '../../../test/app/app-hooks.ts'
import { createTestPerson, type TestPerson } from '../../../test/farm/test-person.ts'
import { takeRouted } from '../../commands/commands.queries.ts'
import { settleAbandonedCommands } from '../../jobs/life/follow-printer.ts'

let operator: TestPerson
let owner: TestPerson
const { t, farm } = farmForEachTest({ context: { timeouts: { commandMs: 300, startMs: 300 } } })
beforeEach(async () => {
  operator = await createTestPerson(t, farm.account, 'operator')
  owner = await createTestPerson(t, farm.account, 'owner')
})

const ask = (path: string, body?: object) => operator.request('POST', `/printers/${farm.printerId}/${path}`, body)

/** What the audit tells of commands to the printer, the newest first. */
async function told(): Promise<{ data: Record<string, unknown>; actor: string }[]> {
  const filter = new URLSearchParams({ subject: farm.printerId, type: 'printer.commanded' })
  const events = (await owner.request('GET', `/audit?${filter}`)).json().data
  return events.map(({ data: { command_id, ...data }, actor }: { data: Record<string, unknown>; actor: string }) => {
    expect(command_id).toMatch(/^cmd_/)
    return { data, actor }
  })
}

describe('a command to a printer stands in the audit with who gave it', () => {
  test.each([
    ['heaters', { nozzle: 215, bed: 60 }, { command: 'heaters', nozzle: 215, bed: 60 }],
    ['light', { state: 'on' }, { command: 'light', on: true }],
    ['filament/load', { slot: 2 }, { command: 'load_filament', slot: 2, temperature: null }],
    ['filament/unload', undefined, { command: 'unload_filament', slot: null, temperature: null }],
  ])('%s', async (path, body, data) => {
    expect((await ask(path, body)).statusCode).toBe(200)
    const by = `user:${operator.userId}`
    expect(await told()).toEqual([{ data: { ...data, outcome: 'succeeded' }, actor: by }])
  })

  test('also the pause of a print that was started at the printer', async () => {
    farm.hub.telemetry(farm.printerId, {
      status: 'printing',
      run: { file_name: 'by-hand.gcode', job_id: null, attempt_id: null },
    })
    await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'printing')
    expect((await ask('control', { action: 'pause' })).statusCode).toBe(200)
    expect(await told()).toMatchObject([{ data: { command: 'pause', outcome: 'succeeded' } }])
  })

  test('as one that is carried out later, where the printer says so', async () => {
    farm.hub.onCommand(() => ({ ok: true, pending: true, message: 'once heated' }))
    await ask('filament/load')
    expect(await told()).toMatchObject([{ data: { outcome: 'pending' } }])
  })

  test('unless it was refused, when nothing happened', async () => {
    farm.hub.onCommand(() => ({ ok: false, code: 'NOT_SUPPORTED', message: 'no light' }))
    expect((await ask('light', { state: 'on' })).statusCode).toBe(400)
    expect(await told()).toEqual([])
  })

  test('as one of unknown outcome when no answer came, until a late answer tells', async () => {
    farm.hub.onCommand(() => undefined)
    expect((await ask('light', { state: 'on' })).statusCode).toBe(503)
    expect(await told()).toMatchObject([{ data: { command: 'light', outcome: 'unknown' } }])
    const command = farm.hub.commands().at(-1)
    const answer = { command_id: command?.command_id ?? '', printer_id: farm.printerId, ok: true }
    farm.hub.send('result', { ...answer, code: null, message: null })
    await t.settled(async () => (await told()).length === 2)
    expect((await told())[0]).toMatchObject({ data: { outcome: 'succeeded' }, actor: `user:${operator.userId}` })
  })

  test('of a process that stopped before the answer came', async () => {
    farm.hub.onCommand(() => undefined)
    const asked = ask('heaters', { bed: 60 })
    await farm.hub.waitFor('command', ({ kind }) => kind === 'heaters')
    const isOver = new Date(Date.now() + 60_000)
    // Several processes may find it at the same moment.
    await Promise.all([settleAbandonedCommands(t.context, isOver), settleAbandonedCommands(t.context, isOver)])
    expect(await told()).toMatchObject([
      { data: { command: 'heaters', bed: 60, outcome: 'unknown' }, actor: `user:${operator.userId}` },
    ])
    await asked
    expect(await told()).toHaveLength(1)
  })
})

test('of the process that holds the hub and the one that asked, one alone takes a command, and none that is over', async () => {
  farm.hub.onCommand(() => undefined)
  const asked = ask('heaters', { bed: 60 })
  const { command_id } = await farm.hub.waitFor('command', ({ kind }) => kind === 'heaters')
  const take = () => takeRouted(t.db.sql, farm.account.id, command_id as CommandId, new Date())
  expect((await Promise.all([take(), take(), take()])).filter(Boolean)).toHaveLength(1)
  await asked
  expect(await take()).toBeUndefined()
})
