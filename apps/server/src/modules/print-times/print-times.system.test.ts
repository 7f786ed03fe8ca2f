import { expect, test } from 'vitest'
import { farmForEachTest } from '../../test/app/app-hooks.ts'
import { addPrintsOf } from '../../test/farm/test-prints.ts'

const { t, farm } = farmForEachTest()

/** The file of a test farm is sliced for 601 s. */
const sliced = 601

/** A print of the file that was done, a while ago, in so many seconds; `evidence` says who saw its end. */
const addPrint = (seconds: number, evidence: 'telemetry' | 'person' = 'telemetry') =>
  addPrintsOf(t, farm, undefined, [seconds], evidence)

async function ask(path: string) {
  const answer = await farm.account.request('GET', path)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}

test('a job takes what its slicer says until prints of its file have shown better', async () => {
  const jobId = await farm.queueJob()
  expect((await ask(`/jobs/${jobId}/plan`)).print_time).toEqual({
    factor: 1,
    learnt_from: 'none',
    samples: 0,
    plate_p50_seconds: sliced,
    plate_p90_seconds: null,
    finish_p50_at: null,
    finish_p90_at: null,
  })
  for (const seconds of [1_202, 1_202, 1_803]) await addPrint(seconds)
  // What a person said may have been said hours later.
  for (let times = 0; times < 4; times++) await addPrint(60_000, 'person')
  expect((await ask(`/jobs/${jobId}/plan`)).print_time).toMatchObject({
    factor: 2,
    learnt_from: 'file',
    samples: 3,
    plate_p50_seconds: 1_202,
    plate_p90_seconds: 1_803,
  })
})

test('a job that prints says when it will be done, in its plan and in the queue, over all its plates', async () => {
  for (const seconds of [1_202, 1_202, 1_803]) await addPrint(seconds)
  const jobId = await farm.queueJob({ number_of_units: 3 })
  await farm.print(jobId)
  const plan = await ask(`/jobs/${jobId}/plan`)
  const startedAt = new Date(plan.attempts[0].confirmed_at).getTime()
  const after = (seconds: number) => new Date(startedAt + seconds * 1_000).toISOString()
  const finish = { finish_p50_at: after(3 * 1_202), finish_p90_at: after(3 * 1_803) }
  expect(plan.print_time).toMatchObject(finish)
  expect(await ask('/jobs/queue?part=running')).toMatchObject([{ id: jobId, ...finish }])
  const waiting = await farm.queueJob()
  expect(await ask('/jobs/queue')).toMatchObject([{ id: waiting, finish_p50_at: null, finish_p90_at: null }])
})

test('prints on printers of the same model teach, however people wrote its name', async () => {
  // A job for any printer goes by the model that its file is sliced for.
  const jobId = await farm.queueJob()
  await t.db.sql`update jobs set printer_id = null where account_id = ${farm.account.id} and id = ${jobId}`
  for (const seconds of [1_202, 1_202, 1_803]) await addPrint(seconds)
  const model = (to: string) => t.db.sql`update printers set model = ${to} where account_id = ${farm.account.id}`
  const learnt = async () => (await ask(`/jobs/${jobId}/plan`)).print_time.learnt_from
  const [version] = await t.db.sql<{ printer_model: string }[]>`
    select printer_model from print_file_versions where account_id = ${farm.account.id}`
  expect(version).toEqual({ printer_model: 'MK4S' })
  expect(await learnt()).toBe('file')
  for (const written of ['Prusa MK4S', 'original prusa mk4s']) {
    await model(written)
    expect(await learnt()).toBe('file')
  }
  await model('MINI')
  expect(await learnt()).toBe('none')
})
