import { setTimeout as wait } from 'node:timers/promises'
import type { FarmPlan } from '@printyard/virtual-printers/farm/farm-plan'
import { filaments } from '@printyard/virtual-printers/farm/farm-stock'
import {
  drawFailure,
  drawHandPrints,
  drawReaction,
  handSeconds,
  type PlannedHandPrint,
  peopleAt,
} from '@printyard/virtual-printers/farm/floor-life'
import { type FarmClient, FarmRequestError } from 'printyard/demo/farm-client'
import { fateOfLastOrder, nameByHand } from '../fault-runs/device-log.ts'
import type { HandDeed, HandSight } from '../fault-runs/hand-deeds.ts'
import type { FurnishedFarm } from './furnish-farm.ts'

interface Task {
  id: string
  title: string
  task_type: string
  printer_id: string | null
}

/** What people did by the end of the day. */
export interface FloorWork {
  cleared: number
  /** Prints that people began at the printers, telling no one. */
  handPrints: number
  filamentChanges: number
  retried: number
  /** Prints whose end no one had seen, and of which a person said what became of them. */
  answered: number
  /** What the farm refused, because things had changed meanwhile, by code. */
  refused: Record<string, number>
}

export function beginWork(): FloorWork {
  return { cleared: 0, handPrints: 0, filamentChanges: 0, retried: 0, answered: 0, refused: {} }
}

export interface DayClock {
  /** Simulated seconds since the beginning of the day. */
  now(): number
  speed: number
}

/** The titles by which the service asks what became of a print. */
const asksForFate = /^Is the print of |: did it print /

const pageSize = 100
const mostPages = 10
/** How often people look at their list, in simulated seconds; never more often than a person with a fast computer. */
const lookSeconds = 60
const shortestLookMs = 150

export interface Floor {
  farm: FarmClient
  plan: FarmPlan
  printers: FurnishedFarm['printers']
  /** Hands at a printer; null while it cannot be reached. */
  use(printerId: string, deed: HandDeed): Promise<HandSight | null>
  clock: DayClock
  /** Whether people also print what no one ordered. */
  hasHandPrints: boolean
}

/**
 * The people of a day, through the public API and with their hands alone: they look at the worklist, walk to the printers
 * that it names, put in the filament that is asked for, take off what lies on the plate and say so, have what failed printed
 * again, say what became of a print whose end no one saw, and print something of their own now and then. Until aborted. `work` counts what is done.
 */
export async function workThroughDay(floor: Floor, work: FloorWork, signal: AbortSignal): Promise<void> {
  const { farm, plan, printers, use, clock } = floor
  const ownPrints = new Map<string, PlannedHandPrint[]>(
    floor.hasHandPrints ? [...printers].map(([id, printer]) => [id, drawHandPrints(plan, printer)]) : [],
  )
  const noticedAt = new Map<string, number>()
  const visits = new Map<string, number>()
  const unlucky = new Set<string>()
  const underway = new Map<string, Promise<void>>()
  const pause = (ms: number) => wait(ms, undefined, { signal }).catch(() => undefined)

  while (!signal.aborted) {
    await attempt(lookRound())
    await pause(Math.max(shortestLookMs, (lookSeconds / clock.speed) * 1_000))
  }
  await Promise.all(underway.values())

  async function lookRound(): Promise<void> {
    const tasks = await listTasks(farm)
    const byPrinter = Map.groupBy(tasks, ({ printer_id }) => printer_id ?? '')
    for (const id of noticedAt.keys()) if (!byPrinter.has(id)) noticedAt.delete(id)
    for (const [id, printer] of printers) {
      if (!byPrinter.has(id) || noticedAt.has(id)) continue
      const count = (visits.get(id) ?? 0) + 1
      visits.set(id, count)
      noticedAt.set(id, clock.now() + drawReaction(plan, printer.name, count))
    }
    const due = [...noticedAt].filter(([id, at]) => at <= clock.now() && !underway.has(id)).sort((a, b) => a[1] - b[1])
    for (const [id] of due.slice(0, Math.max(0, peopleAt(plan.shifts, clock.now()) - underway.size))) {
      underway.set(
        id,
        attempt(visit(id, byPrinter.get(id) ?? [])).finally(() => {
          underway.delete(id)
          noticedAt.delete(id)
        }),
      )
    }
    for (const [id, prints] of ownPrints) {
      const [next] = prints
      if (!next || next.at > clock.now() || underway.has(id)) continue
      underway.set(
        id,
        attempt(printByHand(id, prints)).finally(() => underway.delete(id)),
      )
    }
    for (const { id } of await farm.get<{ id: string }[]>(`/jobs?status=failed&limit=${pageSize}`)) {
      await attempt(retry(id))
    }
  }

  async function retry(jobId: string): Promise<void> {
    await farm.post(`/jobs/${jobId}/retry`)
    work.retried += 1
  }

  async function visit(printerId: string, tasks: readonly Task[]): Promise<void> {
    const toClear = tasks.find(({ task_type }) => task_type === 'collection')
    const toLoad = tasks.find(({ task_type }) => task_type === 'filament_change')
    if (tasks.some(({ title }) => asksForFate.test(title))) await answer(printerId)
    if (!toClear && toLoad && !(await isAtRest(printerId))) return
    const seconds = (toClear ? handSeconds.clear : 0) + (toLoad ? handSeconds.loadFilament : 0)
    await pause((seconds / clock.speed) * 1_000)
    if (toLoad) await load(printerId, toLoad)
    if (!toClear) return
    const sight = await use(printerId, { deed: 'take_off' })
    // Standing before it one sees that it still prints.
    if (!sight?.isDone || sight.isBusy) return
    await tempt(printerId)
    await farm.put(`/worklist/${toClear.id}/status`, { status: 'completed' })
    work.cleared += 1
  }

  /** Says of a print whose end no one saw what lies there. */
  async function answer(printerId: string): Promise<void> {
    const [job] = await farm.get<{ id: string }[]>(`/jobs?printer_id=${printerId}&status=printing&limit=1`)
    const sight = await use(printerId, { deed: 'look' })
    if (!job || !sight) return
    const outcome = fateOfLastOrder(sight.events) === 'completed' ? 'printed' : 'failed'
    await farm.post(`/jobs/${job.id}/resolve`, { outcome })
    work.answered += 1
  }

  /** Takes off what lies there, prints, and tells no one. A printer that is busy is tried again at the next look. */
  async function printByHand(printerId: string, prints: PlannedHandPrint[]): Promise<void> {
    const [next] = prints
    const sight = await use(printerId, { deed: 'take_off' })
    if (!next || !sight?.isDone || sight.isBusy) return
    const fileName = nameByHand(work.handPrints + 1)
    const started = await use(printerId, { deed: 'start', fileName, printSeconds: next.printSeconds })
    if (!started?.isDone) return
    prints.shift()
    work.handPrints += 1
  }

  async function isAtRest(printerId: string): Promise<boolean> {
    const { status, plate_state } = await farm.get<{ status: string; plate_state: string }>(`/printers/${printerId}`)
    return status === 'idle' && plate_state === 'clear'
  }

  /** The task says in words what is to be loaded. */
  async function load(printerId: string, task: Task): Promise<void> {
    const [, type = '', color = ''] = /^Load (\S+) ?(.*)$/.exec(task.title) ?? []
    const spool = filaments.find(({ filament }) => filament.type === type && (color === '' || filament.color === color))
    if (!spool) return
    await farm.patch(`/printers/${printerId}`, {
      current_filament_type: type,
      current_color: spool.filament.color,
      current_color_hex: spool.filament.hex,
    })
    work.filamentChanges += 1
  }

  /** Decides whether the next print on this printer will fail, as the simulated printers offer it. */
  async function tempt(printerId: string): Promise<void> {
    const name = printers.get(printerId)?.name ?? ''
    const willFail = drawFailure(plan, name, visits.get(printerId) ?? 0) !== null
    if (willFail === unlucky.has(printerId)) return
    await farm.patch(`/printers/${printerId}`, { connection: willFail ? { faults: ['print_failure'] } : {} })
    if (willFail) unlucky.add(printerId)
    else unlucky.delete(printerId)
  }

  /** What the farm refuses because something has changed meanwhile is done in a later round. */
  async function attempt(work_: Promise<unknown>): Promise<void> {
    try {
      await work_
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof FarmRequestError)) throw error
      work.refused[error.code] = (work.refused[error.code] ?? 0) + 1
    }
  }
}

async function listTasks(farm: FarmClient): Promise<Task[]> {
  const tasks: Task[] = []
  for (let page = 0; page < mostPages; page += 1) {
    const some = await farm.get<Task[]>(`/worklist?status=pending&limit=${pageSize}&offset=${page * pageSize}`)
    tasks.push(...some)
    if (some.length < pageSize) break
  }
  return tasks
}
