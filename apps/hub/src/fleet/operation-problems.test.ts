import { expect, test } from 'vitest'
import { ConnectionProblemError } from '../drivers/connection/connection-problem-error.ts'
import { DriverError, type FileToUpload, type PrinterDriver } from '../drivers/driver.ts'
import { watchOperations } from './operation-problems.ts'

const file: FileToUpload = { path: '/nowhere', size_bytes: 1, file_name: 'cube.gcode' }
const soon = () => AbortSignal.timeout(5_000)

/** A printer of which each question ends as the test says. */
function watched() {
  const outcomes: { upload?: Error; run?: Error } = {}
  let changes = 0
  const answer = async (error: Error | undefined) => {
    if (error) throw error
  }
  const driver: PrinterDriver = {
    capabilities: {
      commands: new Set(),
      keepsRunIdentity: false,
      remembersLastRun: false,
      refusalWatchMs: 0,
      tellsLoadedFilament: false,
      filamentMap: 'none',
      camera: false,
    },
    start: () => answer(undefined),
    stop: () => answer(undefined),
    onState: () => () => undefined,
    upload: () => answer(outcomes.upload),
    startPrint: () => answer(outcomes.run).then(() => ({ run_id: null })),
    run: () => answer(outcomes.run),
    takeStill: () => Promise.reject(new Error('it has no camera')),
    removeFile: () => answer(undefined),
    adopt: () => true,
  }
  const watching = watchOperations(driver, () => {
    changes += 1
  })
  return { outcomes, watching, changes: () => changes }
}

test('a full storage is a problem from the upload that met it to the next one that succeeds', async () => {
  const { outcomes, watching, changes } = watched()
  outcomes.upload = new ConnectionProblemError('storage_full')
  await expect(watching.upload(file, soon())).rejects.toBe(outcomes.upload)
  await expect(watching.upload(file, soon())).rejects.toBe(outcomes.upload)
  expect(watching.problems).toEqual([{ reason: 'storage_full', message: null }])
  expect(changes()).toBe(1)
  await watching.run({ kind: 'light', args: { on: true } }, soon())
  expect(watching.problems).toHaveLength(1)
  delete outcomes.upload
  await watching.upload(file, soon())
  expect(watching.problems).toEqual([])
  expect(changes()).toBe(2)
})

test('words that say more than the reason are kept', async () => {
  const { outcomes, watching } = watched()
  outcomes.run = new ConnectionProblemError('commands_refused', { message: 'The key may not do this.' })
  await expect(watching.startPrint('cube.gcode', {} as never, soon())).rejects.toThrow()
  expect(watching.problems).toEqual([{ reason: 'commands_refused', message: 'The key may not do this.' }])
})

test('a refusal for this once and a connection that breaks are no problem of the printer', async () => {
  const { outcomes, watching, changes } = watched()
  for (const error of [new DriverError('REFUSED', 'no'), new ConnectionProblemError('unreachable'), new Error('?')]) {
    outcomes.upload = error
    await expect(watching.upload(file, soon())).rejects.toBe(error)
  }
  expect(watching.problems).toEqual([])
  expect(changes()).toBe(0)
})
