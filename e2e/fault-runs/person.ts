import { fateOf, type RunFate } from './device-log.ts'
import type { HandSight } from './hand-deeds.ts'
import type { RunFarm } from './run-farm.ts'

export interface JobNow {
  id: string
  status: string
  /** Of the attempt that is under way. */
  attempt_id: string | null
  outcome: string | null
}

/** What a person did in a run. */
interface PersonWork {
  /** Times that the service asked what became of a plate, and was told. */
  answered: number
  cleared: number
}

/** The one who works at the printers of a run: sees them as they are, and tells the service nothing but the truth. */
interface Person {
  readonly work: PersonWork
  /** One round: starts what is queued, takes off what is done, answers what is asked. */
  act(jobs: readonly JobNow[], isStormOver: boolean): Promise<void>
}

/** What is unknown for so long is answered for good, so that evidence has its chance to come first. */
const givingUpMs = 600
/** Jobs that printers should take by themselves are started by hand after that. */
const autoStartPatienceMs = 1_500

const sightings: Record<Exclude<RunFate, 'running'>, string> = {
  completed: 'printed',
  failed: 'failed',
  cancelled: 'failed',
  never: 'not_started',
}

export function createPerson(farm: RunFarm, isAutoStart: boolean, note: (line: string) => void): Person {
  const { lane, printerIds, hands, twinHands } = farm
  const { db, accountId } = lane
  const work: PersonWork = { answered: 0, cleared: 0 }
  const unknownSince = new Map<string, number>()
  const queuedSince = new Map<string, number>()

  /** A hub and its twin have a machine each under the same name; both are looked at. */
  async function lookAt(printerId: string): Promise<HandSight[]> {
    const sights = [await hands.use(printerId, { deed: 'look' }), await twinHands.use(printerId, { deed: 'look' })]
    return sights.filter((sight) => sight !== null)
  }

  /** Takes everything off, then says so. Nothing is touched that moves, and nothing said of what could not be seen. */
  async function clearPlate(printerId: string): Promise<void> {
    const before = await lookAt(printerId)
    if (before.length === 0 || before.some(({ isBusy }) => isBusy)) return
    await hands.use(printerId, { deed: 'take_off' })
    await twinHands.use(printerId, { deed: 'take_off' })
    const after = await lookAt(printerId)
    if (after.length === 0 || after.some(({ isBusy, plate }) => isBusy || plate.length > 0)) return
    const { status } = await lane.request('POST', `/printers/${printerId}/control`, { action: 'clear_bed' })
    if (status === 200) work.cleared += 1
  }

  async function tendPrinters(): Promise<void> {
    const rows = await db.sql<{ id: string; plate_state: string; is_held: boolean }[]>`
      select p.id, p.plate_state, exists (
        select from attempts a where a.account_id = p.account_id and a.printer_id = p.id and a.phase <> 'finished'
      ) as is_held
      from printers p where p.account_id = ${accountId} and p.id = any(${[...printerIds]})`
    for (const { id, plate_state, is_held } of rows) {
      await farm.atPrinter(id, async () => {
        if (plate_state !== 'clear' && !is_held) return clearPlate(id)
        for (const each of [hands, twinHands]) {
          const sight = await each.use(id, { deed: 'look' })
          if (sight?.hasFault) await each.use(id, { deed: 'acknowledge' })
        }
      })
    }
  }

  async function startQueued({ id, status }: JobNow, isStormOver: boolean): Promise<void> {
    if (status !== 'queued') return void queuedSince.delete(id)
    const since = queuedSince.get(id) ?? performance.now()
    queuedSince.set(id, since)
    if (isAutoStart && (!isStormOver || performance.now() - since < autoStartPatienceMs)) return
    const { status: answered } = await lane.request('POST', `/jobs/${id}/start`)
    // Of a printer that is not ready, or a service that is away, one hears all the time.
    if (answered === 200) note(`start of ${id} answered ${answered}`)
  }

  /** Says what the machines show of the print; a start that may still come is waited for. */
  async function answer({ id, status, attempt_id, outcome }: JobNow, isStormOver: boolean): Promise<void> {
    if (outcome !== 'unknown' || attempt_id === null || !isStormOver) return void unknownSince.delete(id)
    const since = unknownSince.get(id) ?? performance.now()
    unknownSince.set(id, since)
    if (performance.now() - since < givingUpMs) return
    const fates: RunFate[] = []
    for (const printerId of printerIds) {
      for (const { events } of await lookAt(printerId)) fates.push(fateOf(events, attempt_id))
    }
    const fate = fates.find((each) => each !== 'never') ?? 'never'
    if (fate === 'running') return
    const sighting = sightings[fate]
    const { status: answered } = await lane.request('POST', `/jobs/${id}/resolve`, { outcome: sighting })
    note(`${attempt_id} of ${id}, ${status}, is resolved as ${sighting}: ${answered}`)
    if (answered === 200) work.answered += 1
  }

  return {
    work,
    async act(jobs, isStormOver) {
      await tendPrinters()
      for (const job of jobs) {
        await startQueued(job, isStormOver)
        await answer(job, isStormOver)
      }
    },
  }
}
