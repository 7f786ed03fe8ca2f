import { beforeEach, describe, expect, test } from 'vitest'
import { type HubId, newId, type PrinterId } from '../../kernel/ids.ts'
import { accountForAllTests } from '../../test/app/app-hooks.ts'
import { insertJobAndAttempt } from '../../test/farm/printer-history.ts'
import { insertCommand } from './commands.queries.ts'

const { t, account } = accountForAllTests()
let hubId: HubId
let printerId: PrinterId

let names = 0
beforeEach(async () => {
  names += 1
  hubId = (await account.request('POST', '/hubs', { name: `Hub ${names}` })).json().data.id
  const printer = { name: `Printer ${names}`, model: 'MK4S', connection_type: 'virtual', hub_id: hubId }
  printerId = (await account.request('POST', '/printers', printer)).json().data.id
})

async function writeCommand(sql = t.db.sql, run: Partial<Awaited<ReturnType<typeof insertJobAndAttempt>>> = {}) {
  const id = newId('command')
  const fence = await insertCommand(sql, account.id, {
    id,
    printer_id: printerId,
    hub_id: hubId,
    job_id: run.jobId ?? null,
    attempt_id: run.attemptId ?? null,
    kind: run.attemptId ? 'pause' : 'light',
    args: run.attemptId ? { attempt_id: run.attemptId } : { on: true },
    actor: 'system',
    deadline: new Date(),
    created_at: new Date(),
  })
  return { id, fence }
}

const moveAway = () => account.request('PATCH', `/printers/${printerId}`, { hub_id: null })
const deleteHub = () => account.request('DELETE', `/hubs/${hubId}`)
const deletePrinter = () => account.request('DELETE', `/printers/${printerId}`)

describe('what was told to a printer', () => {
  test('keeps its hub, also by a command alone', async () => {
    await writeCommand()
    expect((await moveAway()).statusCode).toBe(200)
    const refused = await deleteHub()
    expect(refused.statusCode).toBe(409)
    expect(refused.json().error.message).toContain('the history of its prints names it')
    expect((await account.request('GET', `/hubs/${hubId}`)).statusCode).toBe(200)
  })

  test('keeps the printer', async () => {
    await writeCommand()
    const refused = await deletePrinter()
    expect(refused.statusCode).toBe(409)
    expect(refused.json().error.message).toContain('its history names it; set is_active to false')
    expect((await account.request('GET', `/printers/${printerId}`)).statusCode).toBe(200)
  })

  test('keeps neither when there was nothing', async () => {
    expect((await deletePrinter()).statusCode).toBe(200)
    expect((await deleteHub()).statusCode).toBe(200)
  })

  test('goes to no printer that is not at this hub, and to none that is gone', async () => {
    await moveAway()
    expect((await writeCommand()).fence).toBeUndefined()
    await deletePrinter()
    expect((await writeCommand()).fence).toBeUndefined()
    expect((await deleteHub()).statusCode).toBe(200)
  })

  test('keeps its hub while it is just being written', async () => {
    const written = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const writing = t.db.begin(async (sql) => {
      await writeCommand(sql)
      written.resolve()
      await goOn.promise
    })
    await written.promise
    const moved = moveAway()
    const isMoved = await Promise.race([
      moved.then(() => true),
      new Promise((resolve) => setTimeout(resolve, 200, false)),
    ])
    expect(isMoved).toBe(false)
    expect((await deleteHub()).json().error.message).toContain('printers are attached to it')
    goOn.resolve()
    await writing
    expect((await moved).statusCode).toBe(200)
    expect((await deleteHub()).statusCode).toBe(409)
  })
})

test('a print keeps the hub that its printer had', async () => {
  const { jobId, attemptId } = await insertJobAndAttempt(t.db.sql, account.id, { printerId, hubId })
  await t.db.sql`
    update attempts set phase = 'finished', outcome = 'done', finished_at = now()
    where account_id = ${account.id} and id = ${attemptId}`
  await t.db.sql`update jobs set status = 'completed' where account_id = ${account.id} and id = ${jobId}`
  await moveAway()
  expect((await deleteHub()).statusCode).toBe(409)
})

test('commands of a job that is deleted stay, without it', async () => {
  const run = await insertJobAndAttempt(t.db.sql, account.id, { printerId, hubId })
  const { id } = await writeCommand(t.db.sql, run)
  await t.db.sql`
    update attempts set phase = 'finished', outcome = 'done', finished_at = now()
    where account_id = ${account.id} and id = ${run.attemptId}`
  await t.db.sql`update jobs set status = 'completed' where account_id = ${account.id} and id = ${run.jobId}`
  const readCommand = () => t.db.sql`select job_id from commands where account_id = ${account.id} and id = ${id}`
  expect(await readCommand()).toEqual([{ job_id: run.jobId }])
  expect((await account.request('DELETE', `/jobs/${run.jobId}`)).statusCode).toBe(200)
  expect(await readCommand()).toEqual([{ job_id: null }])
})
