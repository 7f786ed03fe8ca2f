import { beforeEach, describe, expect, test } from 'vitest'
import { farmForAllTests } from '../../../test/app/app-hooks.ts'

const { t, farm } = farmForAllTests()
beforeEach(async () => {
  farm.hub.onCommand(() => ({ ok: true }))
  await show('idle')
})

async function show(status: 'idle' | 'printing' | 'paused' | 'error' | 'offline') {
  farm.hub.telemetry(farm.printerId, { status })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === status)
}

const ask = (path: string, body?: object) => farm.account.request('POST', `/printers/${farm.printerId}/${path}`, body)
const lastCommand = () => farm.hub.commands().at(-1)

test.each([
  ['heaters', { nozzle: 215, bed: 60 }, 'heaters', { nozzle: 215, bed: 60 }],
  ['heaters', { bed: 0 }, 'heaters', { bed: 0 }],
  ['light', { state: 'on' }, 'light', { on: true }],
  ['light', { state: 'off' }, 'light', { on: false }],
  ['light', { state: true }, 'light', { on: true }],
  ['light', { state: false }, 'light', { on: false }],
  ['filament/load', { slot: 2, temperature: 220 }, 'load_filament', { slot: 2, temperature: 220 }],
  ['filament/unload', undefined, 'unload_filament', { slot: null, temperature: null }],
])('200 %s %o goes to the printer as a command on record', async (path, body, kind, args) => {
  const answer = await ask(path, body)
  expect(answer.statusCode).toBe(200)
  const command = lastCommand()
  expect(command).toMatchObject({ kind, args, printer_id: farm.printerId })
  expect(answer.json().data).toEqual({
    printer_id: farm.printerId,
    kind,
    status: 'idle',
    command_id: command?.command_id,
    ...('on' in args && { state: args.on }),
  })
  const [row] = await t.db.sql`
    select kind, state, actor from commands where account_id = ${farm.account.id} and id = ${command?.command_id ?? ''}`
  expect(row).toMatchObject({ kind, state: 'succeeded' })
})

describe('400', () => {
  test.each([
    ['heaters', { nozzle: 291 }, { nozzle: [expect.stringContaining('at most 290')] }],
    ['heaters', { bed: -1 }, { bed: [expect.any(String)] }],
    ['heaters', { bed: '60' }, { bed: [expect.any(String)] }],
    ['heaters', {}, { _root: [expect.any(String)] }],
    ['light', { state: 1 }, { state: expect.arrayContaining(['must be one of true, false, on, off']) }],
    ['filament/load', { temperature: 400 }, { temperature: [expect.stringContaining('at most 290')] }],
    ['filament/load', { slot: 1.5 }, { slot: [expect.any(String)] }],
  ])('%s with %o says which field, and nothing is sent', async (path, body, details) => {
    const sent = farm.hub.commands().length
    const answer = await ask(path, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({ code: 'VALIDATION_ERROR', details })
    expect(farm.hub.commands()).toHaveLength(sent)
  })

  test('filament is not changed while the printer prints, and nothing while it cannot be reached', async () => {
    await show('printing')
    expect((await ask('filament/load')).json().error).toMatchObject({
      code: 'INVALID_STATE',
      details: { status: 'printing' },
    })
    await show('offline')
    for (const [path, body] of [
      ['heaters', { bed: 0 }],
      ['light', { state: 'on' }],
    ] as const) {
      expect((await ask(path, body)).json().error).toMatchObject({
        code: 'INVALID_STATE',
        details: { status: 'offline' },
      })
    }
  })

  test('a printer without a hub cannot be commanded', async () => {
    const added = await farm.account.request('POST', '/printers', {
      name: 'Alone',
      model: 'MK4S',
      connection_type: 'virtual',
    })
    const answer = await farm.account.request('POST', `/printers/${added.json().data.id}/light`, { state: 'on' })
    expect(answer.json().error.code).toBe('NO_HUB_ASSIGNED')
  })
})

test('400 what does not fit the printer is told as such, also when the printer itself says so', async () => {
  farm.hub.onCommand(() => ({ ok: false, code: 'WRONG_STATE', message: 'the printer is maintenance' }))
  for (const path of ['filament/load', 'filament/unload', 'heaters', 'light']) {
    const answer = await ask(path, path === 'heaters' ? { bed: 0 } : path === 'light' ? { state: 'on' } : {})
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error).toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining('the printer is maintenance'),
      details: { status: 'idle', reason: 'wrong_state' },
    })
  }
})

test('400 what the printer cannot do is told as such, with its reason: asking again is of no use', async () => {
  farm.hub.onCommand(() => ({ ok: false, code: 'NOT_SUPPORTED', message: 'light is not supported by this printer' }))
  const answer = await ask('light', { state: 'on' })
  expect(answer.statusCode).toBe(400)
  expect(answer.json().error).toMatchObject({
    code: 'COMMAND_NOT_SUPPORTED',
    message: expect.stringContaining('not supported by this printer'),
    details: { reason: 'not_supported' },
  })
})

test('the same Idempotency-Key switches once and answers the same', async () => {
  const url = `/printers/${farm.printerId}/light`
  const sent = farm.hub.commands().length
  const first = await farm.account.request('POST', url, { state: 'on' }, { 'idempotency-key': 'light-1' })
  const again = await farm.account.request('POST', url, { state: 'on' }, { 'idempotency-key': 'light-1' })
  expect(again.body).toBe(first.body)
  expect(farm.hub.commands()).toHaveLength(sent + 1)
})
