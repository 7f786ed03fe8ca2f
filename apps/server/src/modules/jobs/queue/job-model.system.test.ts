import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appForAllTests } from '../../../test/app/app-hooks.ts'
import { addSku } from '../../../test/farm/test-catalogue.ts'
import { createTestFarm, type TestFarm } from '../../../test/farm/test-farm.ts'

const t = appForAllTests()

type JobStatus = 'queued' | 'processing' | 'printing' | 'paused' | 'completed' | 'failed' | 'cancelled'

interface JobNow {
  id: string
  status: JobStatus
  number_of_units: number
  quantity_per_print: number
  plates_done: number
}

interface AttemptNow {
  id: string
  job_id: string
  fence: number
  phase: 'reserved' | 'transferring' | 'starting' | 'confirmed' | 'finished'
  outcome: string | null
}

/** What is known without asking the service: what was asked for, and what can never be taken back. */
interface Model {
  jobIds: string[]
  /** Attempts that were seen to be over, with their outcome. */
  over: Map<string, string | null>
  /** Whether a person cleared the plate after the last run that was seen on it. */
  isPlateTrusted: boolean
  /** Attempts seen running. */
  ran: Set<string>
  /** Units that each job has added to stock: of good plates, and the rest when it is completed. */
  credited: Map<string, number>
}

interface Real {
  farm: TestFarm
  skuId: string
}

type Command = fc.AsyncCommand<Model, Real>

const readJobs = ({ farm }: Real) => t.db.sql<JobNow[]>`
  select id, status, number_of_units, quantity_per_print, plates_done from jobs where account_id = ${farm.account.id} order by created_at, id`
const readAttempts = ({ farm }: Real) => t.db.sql<AttemptNow[]>`
  select id, job_id, fence, phase, outcome from attempts where account_id = ${farm.account.id} order by fence`
const readPlate = async ({ farm }: Real) => {
  const [printer] = await t.db.sql<{ plate_state: string }[]>`
    select plate_state from printers where account_id = ${farm.account.id} and id = ${farm.printerId}`
  return printer?.plate_state
}

/** Acts, lets everything be written that follows, and looks whether each promise still holds. */
function command(name: string, act: (model: Model, real: Real) => Promise<unknown>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await act(model, real)
      await t.written()
      await expectPromises(model, real)
    },
    toString: () => name,
  }
}

async function expectPromises(model: Model, real: Real): Promise<void> {
  const [jobs, attempts, plate] = [await readJobs(real), await readAttempts(real), await readPlate(real)]
  expect(jobs.map(({ id }) => id).sort()).toEqual([...model.jobIds].sort())

  const live = attempts.filter(({ phase }) => phase !== 'finished')
  expect(live.length).toBeLessThanOrEqual(1)
  for (const { id, status } of jobs) {
    const own = live.find(({ job_id }) => job_id === id)
    const possible = !own
      ? ['queued', 'completed', 'failed', 'cancelled']
      : own.phase === 'confirmed'
        ? ['printing', 'paused']
        : ['processing']
    expect(possible, `${id} with ${own?.phase ?? 'no attempt'}`).toContain(status)
  }

  const commands = real.farm.hub.commands().filter(({ kind }) => kind === 'print')
  expect(commands.map(({ args }) => args.attempt_id)).toEqual(attempts.map(({ id }) => id))
  const fences = attempts.map(({ fence }) => fence)
  expect(fences).toEqual([...new Set(fences)].sort((a, b) => a - b))

  for (const { id, phase, outcome } of attempts) {
    // Only the sight of its run takes back that it never began.
    if (model.over.get(id) === 'not_started' && phase === 'confirmed') model.over.delete(id)
    if (model.over.has(id)) expect([id, phase, outcome]).toEqual([id, 'finished', model.over.get(id)])
    if (phase === 'finished') model.over.set(id, outcome)
    if (phase === 'confirmed' && !model.ran.has(id)) {
      model.ran.add(id)
      model.isPlateTrusted = false
    }
    if (outcome === 'done' || outcome === 'failed') {
      if (!model.ran.has(id)) model.isPlateTrusted = false
      model.ran.add(id)
    }
  }
  if (!model.isPlateTrusted) expect(plate).not.toBe('clear')

  const shown = t.context.printers.find(real.farm.printerId)?.state
  const seen = live.find(({ id }) => id === shown?.run?.attempt_id)
  if (seen?.phase === 'confirmed' && (shown?.status === 'printing' || shown?.status === 'paused')) {
    const statusNow = async () => (await readJobs(real)).find(({ id }) => id === seen.job_id)?.status
    // The printer may show more by now than when the jobs were read.
    const shownNow = () => t.context.printers.find(real.farm.printerId)?.state.status
    await t.settled(async () => (await statusNow()) === shownNow())
  }

  const [stock] = await t.db.sql<{ ready: number; ledger: number }[]>`
    select coalesce(max(i.ready_stock), 0)::int4 as ready, coalesce(sum(m.change), 0)::int4 as ledger
    from inventory_items i
    left join stock_movements m on m.account_id = i.account_id and m.inventory_item_id = i.id and m.stock = 'ready'
    where i.account_id = ${real.farm.account.id} and i.product_sku_id = ${real.skuId}`
  for (const { id, status, number_of_units, quantity_per_print, plates_done } of jobs) {
    const ofPlates = Math.min(number_of_units, quantity_per_print * plates_done)
    const now = status === 'completed' ? number_of_units : status === 'failed' || status === 'cancelled' ? ofPlates : 0
    // What a job has made stays made when it is tried again.
    model.credited.set(id, Math.max(now, model.credited.get(id) ?? 0))
  }
  const made = [...model.credited.values()].reduce((sum, units) => sum + units, 0)
  expect(stock).toEqual({ ready: made, ledger: made })
}

/** Any job, by its place; a request that cannot be granted is refused as a whole. */
async function ask(model: Model, { farm }: Real, place: number, action: string, body?: object): Promise<void> {
  const jobId = model.jobIds[place % Math.max(1, model.jobIds.length)]
  if (jobId === undefined) return
  const answer = await farm.account.request('POST', `/jobs/${jobId}/${action}`, body)
  expect([200, 201, 400, 409, 503], `${action}: ${answer.body}`).toContain(answer.statusCode)
}

/** The attempt that is live, or any former one, is reported about: rightly, twice, late or wrongly. */
async function report(real: Real, isLate: boolean, phase: AttemptNow['phase'], outcome: string | null): Promise<void> {
  const attempts = await readAttempts(real)
  const about = isLate ? attempts[0] : attempts.at(-1)
  if (!about) return
  const { farm } = real
  await farm.hub.report({
    attempt_id: about.id,
    printer_id: farm.printerId,
    fence: about.fence,
    phase,
    // Only outcomes of the protocol are drawn.
    outcome: outcome as 'done' | null,
  })
}

async function show(real: Real, status: 'idle' | 'printing' | 'paused' | 'offline', isForeign: boolean): Promise<void> {
  const { farm } = real
  const live = (await readAttempts(real)).find(({ phase }) => phase !== 'finished')
  const run = {
    file_name: 'clip.gcode',
    job_id: isForeign ? 'other' : 'r1',
    attempt_id: isForeign ? null : (live?.id ?? null),
  }
  farm.hub.telemetry(farm.printerId, { status, run: status === 'idle' || status === 'offline' ? null : run })
  await t.settled(() => t.context.printers.find(farm.printerId)?.state.status === status)
}

const place = fc.nat({ max: 3 })
const actions = ['start', 'cancel', 'pause', 'resume', 'complete', 'retry', 'restore'] as const
const startAny = place.map((at) => command(`start ${at}`, (model, real) => ask(model, real, at, 'start')))
const clear = fc.constant(
  command('clear', async (model, real) => {
    await show(real, 'idle', false)
    const answer = await real.farm.account.request('POST', `/printers/${real.farm.printerId}/control`, {
      action: 'clear_bed',
    })
    if (answer.statusCode === 200) model.isPlateTrusted = true
  }),
)
const confirmLast = fc.constant(command('report confirmed', (_model, real) => report(real, false, 'confirmed', null)))
// What leads anywhere stands here more than once: it is drawn more often.
const commands = [
  startAny,
  startAny,
  clear,
  clear,
  confirmLast,
  fc.integer({ min: 1, max: 3 }).map((units) =>
    command(`enqueue ${units}`, async (model, real) => {
      if (model.jobIds.length >= 3) return
      model.jobIds.push(await real.farm.queueJob({ product_sku_id: real.skuId, number_of_units: units }))
    }),
  ),
  fc
    .tuple(fc.constantFrom(...actions), place)
    .map(([action, at]) => command(`${action} ${at}`, (model, real) => ask(model, real, at, action))),
  fc.tuple(fc.constantFrom('stop', 'cancel'), place, fc.boolean()).map(([action, at, isAway]) =>
    command(`${action} ${at} as seen over${isAway ? ' out of reach' : ''}`, async (model, real) => {
      if (isAway) await show(real, 'offline', false)
      await ask(model, real, at, action, { seen_over: true })
    }),
  ),
  fc.constant(
    command('clear as seen over', async (model, real) => {
      await show(real, 'offline', false)
      const answer = await real.farm.account.request('POST', `/printers/${real.farm.printerId}/control`, {
        action: 'clear_bed',
        seen_over: true,
      })
      if (answer.statusCode !== 200) return
      // What ran until now lay on the plate and was taken off.
      for (const { id } of await readAttempts(real)) model.ran.add(id)
      model.isPlateTrusted = true
    }),
  ),
  fc
    .tuple(fc.constantFrom('printed', 'failed', 'not_started'), place)
    .map(([outcome, at]) =>
      command(`resolve ${at} ${outcome}`, (model, real) => ask(model, real, at, 'resolve', { outcome })),
    ),
  fc
    .tuple(
      fc.boolean(),
      fc.constantFrom<[AttemptNow['phase'], string | null]>(
        ['transferring', null],
        ['starting', null],
        ['starting', 'unknown'],
        ['confirmed', null],
        ['confirmed', null],
        ['confirmed', 'unknown'],
        ['finished', 'unknown'],
        ['finished', 'done'],
        ['finished', 'failed'],
        ['finished', 'cancelled'],
        ['finished', 'not_started'],
      ),
      fc.integer({ min: 1, max: 2 }),
    )
    .map(([isLate, [phase, outcome], times]) =>
      command(`report ${isLate ? 'late ' : ''}${phase} ${outcome} × ${times}`, async (_model, real) => {
        for (let count = 0; count < times; count += 1) await report(real, isLate, phase, outcome)
      }),
    ),
  fc
    .tuple(fc.constantFrom('idle', 'idle', 'printing', 'paused', 'offline'), fc.boolean())
    .map(([status, isForeign]) =>
      command(`show ${status}${isForeign ? ' of a stranger' : ''}`, (_model, real) => show(real, status, isForeign)),
    ),
]

test('whatever comes in whatever order, a job, its attempts and its plate keep their promises', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(...commands), { minLength: 12, maxLength: 25 }), async (drawn) => {
      const farm = await createTestFarm(t)
      try {
        const sku = await addSku(farm.account)
        const real = { farm, skuId: sku.id }
        // As a hub does: it answers when the printer shows the effect, and tells that first.
        farm.hub.onCommand(({ kind, args }) => {
          const run = { file_name: 'clip.gcode', job_id: 'r1', attempt_id: String(args.attempt_id) }
          if (kind === 'pause') farm.hub.telemetry(farm.printerId, { status: 'paused', run })
          if (kind === 'resume') farm.hub.telemetry(farm.printerId, { status: 'printing', run })
          return { ok: true }
        })
        const jobIds = [await farm.queueJob({ product_sku_id: sku.id, number_of_units: 2 })]
        const model = { jobIds, over: new Map(), isPlateTrusted: true, ran: new Set<string>(), credited: new Map() }
        await fc.asyncModelRun(() => ({ model, real }), drawn)
      } finally {
        await farm.hub.close()
      }
    }),
    // A failure prints its seed and its path, which play the same again.
    {
      numRuns: 15,
      endOnFailure: true,
      interruptAfterTimeLimit: 15_000,
      ...(process.env.MODEL_SEED && { seed: Number(process.env.MODEL_SEED) }),
    },
  )
}, 120_000)
