import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEjectingCopies } from '../files/ejecting-copy.ts'
import { openFileCache } from '../files/file-cache.ts'
import { type Journal, journalPath, openJournal } from '../journal/journal.ts'
import { createRecordedLog } from '../test/quiet-log.ts'
import { makeDataDir, quickTimings } from '../test/test-hub.ts'
import { buildPrinter, PRINTER } from '../test/test-service.ts'
import { defaultTimings } from '../timings.ts'
import { systemClock } from '../util/clock.ts'
import type { CommandMessage } from './admission.ts'
import { Fleet } from './fleet.ts'

let dataDir: ReturnType<typeof makeDataDir>
let journal: Journal
let fleet: Fleet

/** A journal on a slow disk: what is appended takes a while to get there. */
beforeEach(async () => {
  dataDir = makeDataDir()
  const log = createRecordedLog()
  journal = await openJournal({ path: journalPath(dataDir.path), log })
  const slow: Journal = {
    ...journal,
    async append(...records) {
      await wait(50)
      return journal.append(...records)
    },
  }
  const clock = systemClock
  fleet = new Fleet({
    journal: slow,
    // No one listens there: no file ever arrives, so no start follows.
    files: await openFileCache({
      directory: join(dataDir.path, 'files'),
      maxBytes: 1_000_000,
      serviceUrl: 'http://127.0.0.1:9',
      clock,
      log,
    }),
    ejectingCopies: await openEjectingCopies(join(dataDir.path, 'ejecting')),
    driverContext: { log, clock, dataDir: dataDir.path, virtualSpeed: 1_000, waitFactor: 1 },
    serverNow: clock,
    onOutbox: () => undefined,
    answer: () => undefined,
    onState: () => undefined,
    clock,
    timings: { ...defaultTimings, ...quickTimings },
    log,
  })
  await fleet.configure([buildPrinter()])
})

afterEach(async () => {
  await fleet.stop()
  await journal.close()
  dataDir.remove()
})

function printCommand(): CommandMessage {
  const file = {
    file_version_id: 'ver_1',
    name: 'clip.gcode',
    url_path: '/files/clip',
    size_bytes: 10,
    sha256: 'ab'.repeat(32),
    format: 'gcode' as const,
    archive_plate: null,
    print_time_seconds: 60,
    layer_count: 10,
    filament_type: 'PLA',
    nozzle_temp: 210,
    bed_temp: 60,
  }
  return {
    type: 'command',
    id: 'f1',
    ts: new Date().toISOString(),
    command_id: 'cmd_1',
    printer_id: PRINTER,
    fence: 1,
    deadline: new Date(Date.now() + 60_000).toISOString(),
    kind: 'print',
    args: { attempt_id: 'att_1', file },
  }
}

const reasons = () =>
  [...journal.state.outbox.values()].flatMap((owed) => (owed.type === 'attempt' ? [owed.report.reason_code] : []))

test('a command that is still on its way into the journal is not settled as one that never came', async () => {
  const command = fleet.command(printCommand())
  await fleet.settle([{ attempt_id: 'att_1', printer_id: PRINTER, fence: 1 }])
  await command
  expect(journal.state.commands.has('cmd_1')).toBe(true)
  expect(reasons()).not.toContain('ORDER_LOST')
})

test('a command that comes right after its settlement is refused, not carried out', async () => {
  const settlement = fleet.settle([{ attempt_id: 'att_1', printer_id: PRINTER, fence: 1 }])
  await Promise.all([settlement, fleet.command(printCommand())])
  expect(journal.state.commands.get('cmd_1')?.result?.body).toMatchObject({ ok: false, code: 'WRONG_STATE' })
  expect(reasons()).toEqual(['ORDER_LOST'])
})
