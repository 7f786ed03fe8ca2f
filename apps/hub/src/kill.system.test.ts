import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openJournal } from './journal/journal.ts'
import { createRecordedLog } from './test/quiet-log.ts'
import { buildConfig, type HubProcess, makeDataDir, spawnHub, startsAt } from './test/test-hub.ts'
import { PRINTER, startTestService, type TestService } from './test/test-service.ts'

const ATTEMPT = 'att_0000000000000001'

/** How often one hub is killed, each time a little later after its command. */
const ROUNDS = 8
/** Two starts of a process and a print take half a second; each wait within has a limit of its own. */
const ROUND_LIMIT_MS = 60_000

let service: TestService
let dataDir: ReturnType<typeof makeDataDir>
let hub: HubProcess | undefined

beforeEach(async () => {
  service = await startTestService()
  dataDir = makeDataDir()
})

afterEach(async () => {
  await hub?.kill()
  await service.stop()
  dataDir.remove()
  expect(service.problems).toEqual([])
})

function spawn() {
  hub = spawnHub(buildConfig(service, { dataDir: dataDir.path, speed: 500 }))
  return hub
}

async function becomeReady() {
  const connects = service.connectCount
  const process = spawn()
  await service
    .until(() => service.connectCount > connects, 'the hub to connect')
    .catch((error) => {
      throw new Error(`${error.message}\n${process.output()}`)
    })
  await service.until(() => service.pictureOf(PRINTER).status !== undefined, 'the printer')
}

function serveCube(delayMs = 0) {
  return service.serve('cube.gcode', { content: Buffer.from('G28\n'.repeat(50_000)), delayMs })
}

describe('a hub that is killed', () => {
  test.each(['transferring', 'starting', 'confirmed', 'finished'] as const)(
    'right after it reported %s starts nothing twice and settles the attempt',
    async (phase) => {
      await becomeReady()
      service.command('print', { attempt_id: ATTEMPT, file: serveCube(phase === 'transferring' ? 300 : 0) })
      await service.reachesPhase(ATTEMPT, phase)
      await hub?.kill()
      await becomeReady()
      const { outcome, reason_code } = await service.reachesPhase(ATTEMPT, 'finished')
      if (phase === 'transferring')
        expect({ outcome, reason_code }).toEqual({ outcome: 'not_started', reason_code: 'HUB_RESTARTED' })
      else expect(outcome).toBe(startsAt(dataDir.path) === 1 ? 'done' : 'not_started')
      expect(startsAt(dataDir.path)).toBeLessThanOrEqual(1)
    },
  )

  test(
    'at any moment starts at most once, and says what is true',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const attempt_id = `att_round${round}00000000000`
        await becomeReady()
        const before = startsAt(dataDir.path)
        service.command('print', { attempt_id, file: serveCube() })
        await new Promise((resolve) => setTimeout(resolve, round * 12))
        await hub?.kill()
        service.settle = [{ attempt_id, printer_id: PRINTER, fence: 1000 + round }]
        await becomeReady()
        const { outcome } = await service.reachesPhase(attempt_id, 'finished')
        const starts = startsAt(dataDir.path) - before
        expect({ round, outcome, starts }).toEqual({ round, outcome: starts === 1 ? 'done' : 'not_started', starts })
        await hub?.kill()
      }
    },
    ROUNDS * ROUND_LIMIT_MS,
  )

  test('between its record of the start and the start itself leaves the attempt to the printer, which never ran it', async () => {
    await becomeReady()
    await hub?.kill()
    const journal = await openJournal({ path: `${dataDir.path}/journal.jsonl`, log: createRecordedLog() })
    await journal.append({
      t: 'attempt',
      message_id: 'msg_start',
      ts: new Date().toISOString(),
      identity: { file_name: 'cube-000000000001.gcode', run_id: null, run_before: null },
      report: {
        attempt_id: ATTEMPT,
        printer_id: PRINTER,
        fence: 1,
        phase: 'starting',
        outcome: null,
        evidence: { kind: 'journal', run_id: null, detail: null },
        happened_at: new Date().toISOString(),
        reason_code: null,
      },
    })
    await journal.close()
    await becomeReady()
    const finished = await service.reachesPhase(ATTEMPT, 'finished')
    expect(finished).toMatchObject({ outcome: 'not_started', reason_code: 'PRINTER_IGNORED_START' })
    expect(startsAt(dataDir.path)).toBe(0)
  })

  test('frees its data directory for the next one at once', async () => {
    await becomeReady()
    const first = hub
    const second = spawnHub(buildConfig(service, { dataDir: dataDir.path }))
    await service.until(() => second.output().includes('DATA_DIR_HELD'), 'the second to be refused')
    await second.kill()
    expect(second.output()).toContain(`process ${first?.pid}`)
    await first?.kill()
    await becomeReady()
    expect(service.connectCount).toBe(2)
  })
})
