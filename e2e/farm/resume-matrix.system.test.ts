import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sampleOf } from '@printyard/protocol/test/sample'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startHubHere } from '../test/farm-here.ts'
import { eventually, startHubProcess } from '../test/farm-processes.ts'
import { type Answer, type Job, startTestFarm, type TestFarm, type TestHub } from '../test/test-farm.ts'
import { type CommandFate, startTestRelay, type TestRelay } from '../test/test-relay.ts'

// What becomes of `POST /jobs/{id}/resume` when anything between the caller and the printer fails. The printer's own log
// says how often it was resumed: never more than once, whatever was lost and retried.

let farm: TestFarm
let fileId: string
const places: Place[] = []
beforeAll(async () => {
  farm = await startTestFarm({
    program: fileURLToPath(new URL('../test/impatient-service.ts', import.meta.url)),
    hasOwnPostgres: true,
  })
  fileId = await farm.addFile()
}, 90_000)
afterAll(async () => {
  for (const place of places) {
    await place.running.stop()
    await place.relay.close()
  }
  await farm?.end()
}, 60_000)

/** A hub behind a relay, with one printer whose job is paused. */
interface Place {
  hub: TestHub
  relay: TestRelay
  running: { log(): string; stop(): Promise<unknown>; kill?(): Promise<void> }
  printerId: string
  jobId: string
  /** Resumes the job under the one key of this place. */
  resume(): Promise<Answer<Job>>
  restartHub(): void
}

let prepared: Promise<unknown> = Promise.resolve()

/**
 * One after another: many hubs that start at once would slow down the commands of those that run.
 *
 * @param start in a process of its own: for those that kill the hub
 */
function preparePausedJob(start: typeof startHubHere | typeof startHubProcess = startHubHere): Promise<Place> {
  const place = prepared.then(() => startPlace(start))
  prepared = place.catch(() => undefined)
  return place
}

async function startPlace(startHub: typeof startHubHere | typeof startHubProcess): Promise<Place> {
  const hub = await farm.createHub(`Hub ${crypto.randomUUID()}`)
  const relay = await startTestRelay(farm.service.port)
  // In real time, so that no print ends while a test looks at it.
  const start = () => startHub({ url: relay.url, token: hub.token, dataDir: join(farm.path, hub.id), speed: 1 })
  const place: Place = {
    hub,
    relay,
    running: start(),
    printerId: '',
    jobId: '',
    resume: () =>
      farm.request<Job>('POST', `/jobs/${place.jobId}/resume`, undefined, { 'idempotency-key': place.jobId }),
    restartHub() {
      place.running = start()
    },
  }
  places.push(place)
  place.printerId = await hub.addPrinter()
  const job = await farm.ask<Job>(201, 'POST', '/jobs', { print_file_id: fileId, printer_id: place.printerId })
  place.jobId = job.id
  await farm.ask(200, 'POST', `/jobs/${job.id}/start`)
  await becomes(place, 'printing')
  await farm.ask(200, 'POST', `/jobs/${job.id}/pause`)
  return place
}

function becomes({ jobId }: Place, status: string): Promise<Job> {
  return eventually(
    `the job being ${status}`,
    () => farm.job(jobId),
    (now) => now.status === status,
  )
}

/** What the printer shows through its hub, once it is connected again. */
function printerShows({ printerId }: Place, ...statuses: string[]): Promise<{ status: string | null }> {
  return eventually(
    `the printer being ${statuses.join(' or ')}`,
    () => farm.ask<{ status: string | null }>(200, 'GET', `/printers/${printerId}/status`),
    ({ status }) => statuses.includes(status ?? ''),
  )
}

function hubIs({ printerId }: Place, isOnline: boolean): Promise<unknown> {
  return eventually(
    `the hub being ${isOnline ? 'back' : 'missed'}`,
    () => farm.ask<{ hub_online: boolean }>(200, 'GET', `/printers/${printerId}/status`),
    (now) => now.hub_online === isOnline,
  )
}

async function resumesOf({ hub, printerId }: Place): Promise<number> {
  return (await hub.printerLog(printerId)).filter(({ kind }) => kind === 'resumed').length
}

/** Status and code, with the reason or state that came along. */
function outcome({ status, body }: Answer<unknown>): unknown[] {
  const details = body.error?.details as { reason?: string; status?: string } | undefined
  return body.error ? [status, body.error.code, details?.reason ?? details?.status] : [status]
}

const replayed = (answer: Answer) => answer.headers.get('idempotent-replayed')

/** The same request under the same key is done again, and resumes the printer for the first and only time. */
async function expectRetryResumes(place: Place): Promise<void> {
  await becomes(place, 'paused')
  await printerShows(place, 'paused')
  expect(await resumesOf(place)).toBe(0)
  const retry = await place.resume()
  expect([outcome(retry), replayed(retry)]).toEqual([[200], null])
  expect(retry.body).toMatchObject({ success: true, queued: true, data: { status: 'printing' } })
  expect(await resumesOf(place)).toBe(1)
  const again = await place.resume()
  expect([again.body, replayed(again)]).toEqual([retry.body, 'true'])
  expect(await resumesOf(place)).toBe(1)
}

/** The job follows the printer, which was resumed after all; the same request under the same key resumes nothing. */
async function expectResumedOnce(place: Place): Promise<void> {
  await printerShows(place, 'printing')
  await becomes(place, 'printing')
  const retry = await place.resume()
  expect(outcome(retry)).toEqual([409, 'JOB_STATE_CHANGED', 'printing'])
  const again = await place.resume()
  expect([again.body, replayed(again)]).toEqual([retry.body, 'true'])
  expect(await resumesOf(place)).toBe(1)
}

const hubFailed = (reason: string) => [503, 'HUB_COMMAND_FAILED', reason]

/** The command is sent and fares so on its way; answers what the caller is told, once it was seen. */
async function resumeWhile(place: Place, fate: CommandFate): Promise<{ answer: Promise<Answer<Job>> }> {
  const seen = place.relay.next('resume', fate)
  const answer = place.resume()
  await seen
  return { answer }
}

async function answerWhile(place: Place, fate: CommandFate): Promise<Answer<Job>> {
  const { answer } = await resumeWhile(place, fate)
  return answer
}

interface Failure {
  name: string
  /** The hub is killed, and so has a process of its own. */
  hasHubProcess?: true
  /** What goes wrong; gives the answer to the caller. */
  happens(place: Place): Promise<Answer<Job>>
  answers: unknown[]
  /** What is done so that everything is back, if anything. */
  repair?(place: Place): Promise<void> | void
  afterwards(place: Place): Promise<void>
}

const failures: Failure[] = [
  {
    name: 'a hub that is offline is sent nothing',
    async happens(place) {
      await place.running.stop()
      await hubIs(place, false)
      return place.resume()
    },
    answers: [503, 'HUB_OFFLINE', undefined],
    async repair(place) {
      place.restartHub()
      await hubIs(place, true)
    },
    afterwards: expectRetryResumes,
  },
  {
    name: 'a printer that refuses leaves the job paused',
    async happens(place) {
      await farm.ask(200, 'PATCH', `/printers/${place.printerId}`, { connection: { faults: ['refuse'], speed: 1 } })
      return place.resume()
    },
    answers: hubFailed('printer_refused'),
    async repair(place) {
      await farm.ask(200, 'PATCH', `/printers/${place.printerId}`, { connection: { faults: [], speed: 1 } })
    },
    afterwards: expectRetryResumes,
  },
  {
    name: 'a command that never arrives runs into the time-out',
    happens: (place) => answerWhile(place, 'held'),
    answers: hubFailed('timeout'),
    repair: (place) => place.relay.cut(),
    afterwards: expectRetryResumes,
  },
  {
    name: 'a command that arrives after its time-out is refused by the hub as expired',
    happens: (place) => answerWhile(place, 'held'),
    answers: hubFailed('timeout'),
    async repair(place) {
      const answeredAt = Date.now()
      // The hub reckons the service's time from what it heard, and so is a little late.
      await eventually(
        'the deadline being past for the hub too',
        async () => Date.now() - answeredAt,
        (ms) => ms > 8_000,
      )
      place.relay.release()
      await eventually(
        'the hub having decided',
        async () => place.running.log().includes('EXPIRED') || (await resumesOf(place)) > 0,
        (isDecided) => isDecided,
      )
    },
    afterwards: expectRetryResumes,
  },
  {
    name: 'a command whose acknowledgement is lost runs into the time-out, and the job follows the printer',
    happens: (place) => answerWhile(place, 'passed_and_mute'),
    answers: hubFailed('timeout'),
    repair: (place) => place.relay.cut(),
    afterwards: expectResumedOnce,
  },
  {
    name: 'a link that is cut right after the command is reported at once, and the job follows the printer',
    happens: (place) => answerWhile(place, 'passed_and_cut'),
    answers: hubFailed('hub_lost'),
    afterwards: expectResumedOnce,
  },
  {
    name: 'a hub that is killed after the command was sent is reported at once, and the printer was resumed once or not',
    hasHubProcess: true,
    async happens(place) {
      const { answer } = await resumeWhile(place, 'passed')
      await place.running.kill?.()
      return answer
    },
    answers: hubFailed('hub_lost'),
    repair: (place) => place.restartHub(),
    async afterwards(place) {
      await printerShows(place, 'paused', 'printing')
      await ((await resumesOf(place)) === 1 ? expectResumedOnce(place) : expectRetryResumes(place))
    },
  },
]

describe.concurrent('when something fails on the way', () => {
  test.each(sampleOf(failures, 2))(
    '$name',
    { timeout: 240_000 },
    async ({ hasHubProcess, happens, answers, repair, afterwards }) => {
      const place = await preparePausedJob(hasHubProcess ? startHubProcess : startHubHere)
      expect(outcome(await happens(place))).toEqual(answers)
      await repair?.(place)
      await afterwards(place)
    },
  )

  test('a job that is printing is not resumed, also when it is asked again', { timeout: 240_000 }, async () => {
    const place = await preparePausedJob()
    expect((await place.resume()).status).toBe(200)
    const another = () =>
      farm.request('POST', `/jobs/${place.jobId}/resume`, undefined, { 'idempotency-key': `${place.jobId}-2` })
    expect(outcome(await another())).toEqual([409, 'JOB_STATE_CHANGED', 'printing'])
    expect([outcome(await another()), replayed(await another())]).toEqual([
      [409, 'JOB_STATE_CHANGED', 'printing'],
      'true',
    ])
    expect(await resumesOf(place)).toBe(1)
  })

  test('of two callers the one who comes while the command is on its way loses', { timeout: 240_000 }, async () => {
    const place = await preparePausedJob()
    const { answer: first } = await resumeWhile(place, 'held')
    const second = await farm.request('POST', `/jobs/${place.jobId}/resume`)
    expect(outcome(second)).toEqual([409, 'JOB_STATE_CHANGED', 'printing'])
    // The same caller who retries before there is an answer is told to wait for it.
    expect(outcome(await place.resume())).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS', undefined])
    place.relay.release()
    const answer = await first
    expect(outcome(answer)).toEqual([200])
    const again = await place.resume()
    expect([again.body, replayed(again)]).toEqual([answer.body, 'true'])
    expect(await resumesOf(place)).toBe(1)
  })

  test('a paused job cannot lose its printer or hub, so that it can be resumed', { timeout: 240_000 }, async () => {
    const place = await preparePausedJob()
    const printer = `/printers/${place.printerId}`
    expect(outcome(await farm.request('PATCH', printer, { hub_id: null }))[1]).toBe('RESOURCE_IN_USE')
    expect(outcome(await farm.request('DELETE', printer))[1]).toBe('RESOURCE_IN_USE')
    expect(outcome(await farm.request('DELETE', `/hubs/${place.hub.id}`))[1]).toBe('RESOURCE_IN_USE')
    expect(outcome(await place.resume())).toEqual([200])
    const without = await farm.ask<Job>(201, 'POST', '/jobs', { print_file_id: fileId })
    expect(outcome(await farm.request('POST', `/jobs/${without.id}/resume`))).toEqual([
      409,
      'JOB_STATE_CHANGED',
      'queued',
    ])
  })
})

describe('a service that is killed while it waits', () => {
  test.each([
    { name: 'before the command reached its hub', fate: 'held', afterwards: expectRetryResumes },
    { name: 'after the printer was resumed', fate: 'passed_and_mute', afterwards: expectResumedOnce },
  ] as const)('$name repairs the job when it starts again', { timeout: 240_000 }, async ({ fate, afterwards }) => {
    const place = await preparePausedJob()
    const { answer } = await resumeWhile(place, fate)
    const told = answer.then(outcome, () => 'nothing')
    if (fate === 'passed_and_mute') {
      await eventually(
        'the printer being resumed',
        () => resumesOf(place),
        (count) => count === 1,
      )
    }
    await farm.service.kill()
    expect(await told).toBe('nothing')
    const back = place.relay.cut()
    await farm.startAgain()
    await back
    await hubIs(place, true)
    await afterwards(place)
  })
})
