import { beforeEach, describe, expect, test } from 'vitest'
import { farmForEachTest } from '../test/app/app-hooks.ts'
import { dataOf, errorOf, expectForm, jobDetailForm, keepsCommonPromises } from './expectations.ts'

/** Longer than any machine is slow: a command is refused or answered, never late by accident. */
const patientMs = 30_000

let jobId: string
const { t, farm } = farmForEachTest({ context: { timeouts: { commandMs: patientMs, startMs: patientMs } } })
beforeEach(async () => {
  jobId = await farm.queueJob()
})

const act = (action: string, id = jobId) => farm.account.request('POST', `/jobs/${id}/${action}`)
const resume = (id = jobId) => act('resume', id)
const statusOf = async (id = jobId) => (await farm.job(id)).status
const resumesSent = () => farm.hub.commands().filter(({ kind }) => kind === 'resume')

function acknowledge(command: { command_id: string } | undefined): void {
  if (!command) throw new Error('there is no command to acknowledge')
  farm.hub.send('result', {
    command_id: command.command_id,
    printer_id: farm.printerId,
    ok: true,
    code: null,
    message: null,
  })
}

/** Makes the job a paused one, and its printer show it. */
async function pausedJob(): Promise<void> {
  const { attempt_id } = await farm.print(jobId)
  expect((await act('pause')).json().data.status).toBe('paused')
  farm.hub.telemetry(farm.printerId, { status: 'paused', run: { file_name: 'clip.gcode', job_id: 'r1', attempt_id } })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === 'paused')
  await t.written()
}

keepsCommonPromises({ method: 'POST', path: '/jobs/:id/resume', scope: 'control' }, () => ({
  t,
  account: farm.account,
  id: jobId,
}))

test('200: the job in the detail projection, printing, with queued: true beside it', async () => {
  await pausedJob()
  const answer = await resume()
  const job = dataOf(answer, 200, ['queued'])
  expect(answer.json().queued).toBe(true)
  expectForm(job, jobDetailForm)
  expect(job).toMatchObject({ id: jobId, status: 'printing', printer_id: farm.printerId })
  expect(await statusOf()).toBe('printing')
})

test('the command goes to the printer through its hub, and the answer waits for the acknowledgement', async () => {
  await pausedJob()
  farm.hub.onCommand(() => undefined)
  let isAnswered = false
  const answering = resume().then((answer) => {
    isAnswered = true
    return answer
  })
  await t.settled(() => resumesSent().length === 1)
  const [command] = resumesSent()
  expect(command?.printer_id).toBe(farm.printerId)
  // Claimed already, so that no second call can send the command again.
  expect(await statusOf()).toBe('printing')
  errorOf(await resume(), 409, 'JOB_STATE_CHANGED')
  expect(isAnswered).toBe(false)
  acknowledge(command)
  dataOf(await answering, 200, ['queued'])
})

test('any body is ignored', async () => {
  await pausedJob()
  const answer = await farm.account.request('POST', `/jobs/${jobId}/resume`, { status: 'completed', queued: false })
  expect(answer.json()).toMatchObject({ data: { status: 'printing' }, queued: true })
})

describe('when the command fails, the job is paused as before', () => {
  test('503 HUB_COMMAND_FAILED when the printer refuses, with the reason', async () => {
    await pausedJob()
    farm.hub.onCommand(() => ({ ok: false, code: 'PRINTER_BUSY', message: 'a menu is open' }))
    expect(errorOf(await resume(), 503, 'HUB_COMMAND_FAILED').details.reason).toBe('printer_busy')
    expect(await statusOf()).toBe('paused')
    farm.hub.onCommand(() => ({ ok: true }))
    expect((await resume()).statusCode).toBe(200)
  })

  test('503 HUB_COMMAND_FAILED when no acknowledgement comes in time', async () => {
    await pausedJob()
    farm.hub.onCommand(() => undefined)
    t.context.timeouts = { ...t.context.timeouts, commandMs: 100 }
    try {
      expect(errorOf(await resume(), 503, 'HUB_COMMAND_FAILED').details.reason).toBe('timeout')
    } finally {
      t.context.timeouts = { ...t.context.timeouts, commandMs: patientMs }
    }
    expect(await statusOf()).toBe('paused')
  })

  test('503 HUB_OFFLINE when the hub is away: nothing is sent', async () => {
    await pausedJob()
    await farm.hub.close()
    await t.settled(() => !t.context.hubs.isOnline(farm.hubId))
    const answer = await resume()
    errorOf(answer, 503, 'HUB_OFFLINE')
    expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/)
    expect(await statusOf()).toBe('paused')
    expect(resumesSent()).toEqual([])
  })
})

describe('409 JOB_STATE_CHANGED with the present status when the job is not paused', () => {
  test.each(['queued', 'printing', 'completed', 'cancelled'])('%s', async (status) => {
    if (status === 'cancelled') await act('cancel')
    if (status === 'printing' || status === 'completed') {
      const attempt = await farm.print(jobId)
      if (status === 'completed') await farm.hub.report({ ...attempt, phase: 'finished', outcome: 'done' })
    }
    expect(errorOf(await resume(), 409, 'JOB_STATE_CHANGED').details).toEqual({ status })
    expect(await statusOf()).toBe(status)
    expect(resumesSent()).toEqual([])
  })
})

test('409 JOB_STATE_CHANGED with the status of the job also while a resume is under way that its printer denies', async () => {
  await pausedJob()
  farm.hub.onCommand(() => undefined)
  const resuming = resume()
  await t.settled(() => resumesSent().length === 1)
  await t.db.sql`update jobs set status = 'paused' where account_id = ${farm.account.id} and id = ${jobId}`
  expect(errorOf(await resume(), 409, 'JOB_STATE_CHANGED').details).toEqual({ status: 'paused' })
  expect(resumesSent()).toHaveLength(1)
  acknowledge(resumesSent()[0])
  expect((await resuming).statusCode).toBe(200)
})

test('of simultaneous resumes one sends the command, the others are told', async () => {
  await pausedJob()
  const answers = await Promise.all(Array.from({ length: 10 }, () => resume()))
  expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  expect(resumesSent()).toHaveLength(1)
})
