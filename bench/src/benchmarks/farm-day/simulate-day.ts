import type { FarmPlan, PlannedOrder } from '@printyard/virtual-printers/farm/farm-plan'
import type { Filament } from '@printyard/virtual-printers/farm/farm-stock'
import { drawFailure, drawReaction, handSeconds, peopleAt } from '@printyard/virtual-printers/farm/floor-life'
import { createAgenda } from './agenda.ts'
import {
  beginDay,
  type Day,
  type DayJob,
  type DayPrinter,
  dateAt,
  hasFilamentFor,
  isKindFor,
  isReady,
  loadedOn,
  placeOf,
  takeOrder,
} from './day.ts'
import type { Policy } from './policies.ts'
import { endPeriod, updatePeriods } from './printer-time.ts'

/** From the decision until the print begins: the file is sent. */
const transferSeconds = 60
/** Heating and homing, beside what the slicer estimates. */
const warmUpSeconds = 180
const fullSpoolGrams = 1_000
/** Below this, anyone who comes by puts on a full spool of the same. */
const lowSpoolGrams = 80

export interface DayEnd {
  day: Day
  filamentChanges: number
  spoolsRenewed: number
  failedPrints: number
  plates: number
  units: number
}

/**
 * Runs a farm through its day by jumping from one thing that happens to the next. What cannot be done with hands and
 * printers, such as starting on an occupied plate, throws, whatever a policy decides.
 */
export function simulateDay(plan: FarmPlan, policy: Policy): DayEnd {
  const day = beginDay(plan)
  const end: DayEnd = { day, filamentChanges: 0, spoolsRenewed: 0, failedPrints: 0, plates: 0, units: 0 }
  const agenda = createAgenda()
  const visits: { printer: DayPrinter; dueAt: number }[] = []
  let handsBusy = 0
  /** Something has happened that a policy could decide by. */
  let isOtherwise = false
  const later = (seconds: number, what: () => void) => agenda.add(day.now + Math.max(1, Math.round(seconds)), what)

  for (const order of plan.orders) agenda.add(order.arrivesAt, () => receive(order))
  for (const { from } of plan.shifts) agenda.add(from, () => undefined)

  for (let next = agenda.next(); next && next.at < plan.seconds; next = agenda.next()) {
    day.now = next.at
    day.farm.now = dateAt(next.at)
    for (const happens of next.what) happens()
    sendPeople()
    if (isOtherwise) decide()
    updatePeriods(day)
  }
  day.now = plan.seconds
  for (const { time } of day.printers) endPeriod(time, day.now, undefined)
  return end

  function receive(order: PlannedOrder): void {
    takeOrder(day, order)
    isOtherwise = true
  }

  function decide(): void {
    isOtherwise = false
    const { starts, changes } = policy(day)
    for (const { job, printer } of starts) start(job, printer)
    if (!changes) return
    const asked = new Set(changes.map(({ printer }) => printer))
    // What is not asked for any more, no one does; what is bound stays so.
    for (const printer of day.printers) if (!asked.has(printer) && !printer.boundTo) forgetWanted(printer)
    for (const { printer, filament, key, boundTo } of changes) {
      printer.wanted = filament
      printer.wantedKey = key
      if (boundTo) {
        boundTo.status = 'bound'
        printer.boundTo = boundTo
      }
      if (isReady(printer)) callPerson(printer)
    }
  }

  function forgetWanted(printer: DayPrinter): void {
    printer.wanted = undefined
    printer.wantedKey = undefined
  }

  function start(job: DayJob, printer: DayPrinter): void {
    assertPossible(job, printer)
    const { facts } = printer
    job.status = 'printing'
    job.firstStartAt ??= day.now
    job.tries += 1
    Object.assign(printer, { job, boundTo: undefined })
    forgetWanted(printer)
    facts.has_live_attempt = true
    later(transferSeconds, () => {
      facts.status = 'printing'
      facts.plate_state = 'occupied'
      const failsAfter = drawFailure(plan, job.line.name, job.tries)
      const part = failsAfter ?? 1
      later(warmUpSeconds + part * job.line.file.printSeconds, () => finish(job, printer, part, failsAfter === null))
    })
  }

  function assertPossible(job: DayJob, printer: DayPrinter): void {
    const isFree = isReady(printer) && (!printer.boundTo || printer.boundTo === job)
    const isWaiting = job.status === 'queued' || (job.status === 'bound' && printer.boundTo === job)
    if (isFree && isWaiting && isKindFor(printer, job) && hasFilamentFor(printer, job, day)) return
    throw new Error(`${job.line.name} cannot start on ${printer.planned.name} after ${day.now} s`)
  }

  function finish(job: DayJob, printer: DayPrinter, part: number, isGood: boolean): void {
    const { facts } = printer
    const { file } = job.line
    isOtherwise = true
    facts.status = 'idle'
    facts.has_live_attempt = false
    facts.total_print_seconds += Math.round(part * file.printSeconds)
    const loaded = loadedOn(facts)
    facts.places = [{ ...loaded, grams: Math.max(0, loaded.grams - part * file.grams) }]
    printer.job = undefined
    callPerson(printer)
    if (!isGood) {
      job.status = 'failed'
      printer.spoilt = job
      end.failedPrints += 1
      return
    }
    end.plates += 1
    end.units += file.unitsPerPlate
    job.facts.plates_done += 1
    job.status = job.facts.plates_done === job.line.plates ? 'completed' : 'queued'
    if (job.status !== 'completed') return
    job.order.openJobs -= 1
    if (job.order.openJobs === 0) job.order.completedAt = day.now
  }

  function callPerson(printer: DayPrinter): void {
    if (printer.isVisitDue) return
    printer.isVisitDue = true
    printer.visits += 1
    later(drawReaction(plan, printer.planned.name, printer.visits), () => visits.push({ printer, dueAt: day.now }))
  }

  function sendPeople(): void {
    while (visits.length > 0 && handsBusy < peopleAt(plan.shifts, day.now)) {
      const visit = visits.shift()
      if (visit) begin(visit.printer)
    }
  }

  /** A person stands before the printer and does all that it needs. */
  function begin(printer: DayPrinter): void {
    const { facts } = printer
    printer.isVisitDue = false
    // It has started another print meanwhile: nothing can be done here now.
    if (facts.status !== 'idle' || facts.has_live_attempt) return
    const toClear = facts.plate_state !== 'clear'
    const filament = printer.wanted
    const isLow = loadedOn(facts).grams < lowSpoolGrams
    if (!toClear && !filament && !isLow) return
    const clearing = printer.spoilt ? handSeconds.cleanUp : toClear ? handSeconds.clear : 0
    const loading = filament || isLow ? handSeconds.loadFilament : 0
    printer.isInHands = true
    handsBusy += 1
    later(clearing + loading, () => {
      handsBusy -= 1
      printer.isInHands = false
      isOtherwise = true
      facts.plate_state = 'clear'
      if (filament) load(printer, filament)
      else if (isLow) load(printer, loadedOn(facts))
      // Anyone who takes a spoilt print off has it printed again.
      if (printer.spoilt) printer.spoilt.status = 'queued'
      printer.spoilt = undefined
    })
  }

  function load(printer: DayPrinter, filament: Pick<Filament, 'type' | 'color'>): void {
    const { facts } = printer
    const loaded = loadedOn(facts)
    const isSame = loaded.type === filament.type && loaded.color === filament.color
    if (isSame) end.spoolsRenewed += 1
    else end.filamentChanges += 1
    facts.places = [placeOf(filament, fullSpoolGrams)]
    forgetWanted(printer)
  }
}
