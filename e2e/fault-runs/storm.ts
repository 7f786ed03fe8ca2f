import { setTimeout as wait } from 'node:timers/promises'
import type { Fault } from '@printyard/virtual-printers/virtual-printer'
import { nameByHand } from './device-log.ts'
import type { Frame, Passage } from './link-proxy.ts'
import { type RunFarm, useSoon } from './run-farm.ts'
import type { FaultName, PlannedFault, Scenario } from './scenario.ts'

/** The planned faults of one run, each brought when the link carries its frame, and taken away again by itself. */
interface Storm {
  /** To be asked for each frame on the link. */
  passageOf(frame: Frame): Passage
  /** The faults that found their moment. */
  readonly struck: readonly PlannedFault[]
  /** Whether something that was broken is not yet whole again. */
  readonly isBreaking: boolean
  readonly haveAllStruck: boolean
  readonly isOver: boolean
  /** Nothing strikes any more; resolves when everything is whole again. */
  end(): Promise<void>
}

/** A fault of the machine must be seen before it is taken away, and be gone before anything gets further. */
const deviceFaultMs = 250
/** A person finds a busy printer free within this, or leaves. */
const patienceMs = 400
const shortPrintSeconds = 1
/** Thirty milliseconds of the run's time. */
const longPrintSeconds = 600

/** Faults of the machine itself that last for a while, as it knows them. */
const deviceFaults: Partial<Record<FaultName, readonly Fault[]>> = {
  half_upload: ['half_upload'],
  yes_without_effect: ['yes_without_effect'],
  lying_finish: ['lying_finish'],
  refusal_after_effect: ['refusal_after_effect'],
  lasting_error: ['print_failure', 'lasting_error'],
  silent_error: ['print_failure', 'silent_error'],
}

export function createStorm(scenario: Scenario, farm: RunFarm, note: (line: string) => void): Storm {
  const { lane, hands, twinHands, printerIds } = farm
  const { proxy } = lane
  const struck: PlannedFault[] = []
  const breaking = new Set<Promise<void>>()
  const occurrences = new Map<string, number>()
  const waiting = [...scenario.faults]
  let answerToLose: { planned: PlannedFault; printerId: string } | undefined
  let isOver = false
  let printsByHand = 0

  /** What was broken is brought back by itself after the fault's time. */
  function strike(planned: PlannedFault, printerId: string): void {
    struck.push(planned)
    note(`${planned.fault} strikes at ${planned.phase}`)
    const whole = bring(planned, printerId)
      .catch((error: unknown) => note(`${planned.fault} could not be played: ${String(error)}`))
      .finally(() => {
        breaking.delete(whole)
        note(`${planned.fault} is over`)
      })
    breaking.add(whole)
  }

  async function bring(planned: PlannedFault, printerId: string): Promise<void> {
    const { fault, lastsMs } = planned
    const deviceFault = deviceFaults[fault]
    if (deviceFault) return sufferAtDevices(deviceFault)
    switch (fault) {
      case 'service_kill':
        return withoutService(() => wait(lastsMs))
      case 'hub_kill':
        return withoutHub(() => wait(lastsMs))
      case 'power_cut':
        await Promise.all([withoutService(() => wait(lastsMs)), farm.killHub()])
        return farm.startHub()
      case 'database_cut':
        return lane.service?.cutDatabase()
      case 'disk_full':
        await lane.hub.setDiskFull(true)
        await wait(lastsMs)
        return lane.hub.setDiskFull(false)
      case 'clock_moved':
        lane.clockOffsetMs = lastsMs % 2 === 0 ? 2 * 3_600_000 : -2 * 3_600_000
        return
      case 'half_download':
        proxy.halfDownloads = 2
        return
      case 'twin_hub':
        await farm.startTwin()
        await wait(100 + lastsMs)
        await farm.killTwin()
        // The first one was told to stay away for a while: a person starts it again.
        await farm.killHub()
        return farm.startHub()
      case 'link_cut_before_send':
      case 'link_cut_after_send':
      case 'link_cut_before_answer':
        return proxy.cut()
      case 'hand_print':
        return printByHand(printerId, planned)
      case 'hand_print_hub_down':
        return withoutHub(() => printByHand(printerId, planned))
      case 'hand_print_service_down':
        return withoutService(() => printByHand(printerId, planned))
      case 'hand_print_link_down':
        proxy.isDown = true
        proxy.cut()
        await printByHand(printerId, planned)
        await wait(lastsMs)
        proxy.isDown = false
        return
      case 'hand_print_unreachable':
        await setDeviceFaults(['lost_link'])
        await printByHand(printerId, planned)
        // Longer than the driver believes a silent printer to be there, or shorter.
        await wait(lastsMs + (planned.isFrameDelivered ? deviceFaultMs : 0))
        return setDeviceFaults([])
      case 'hand_print_refused_start':
        await setDeviceFaults(['refuse'])
        await untilRefused(printerId)
        await printByHand(printerId, planned)
        return setDeviceFaults([])
      case 'printer_restart':
        await hands.use(printerId, { deed: 'restart', offMs: lastsMs })
        return
      case 'end_unseen':
        return withoutHub(async () => {
          await untilAtRest(printerId)
          await hands.use(printerId, { deed: 'restart', offMs: 0 })
        })
    }
  }

  async function withoutHub(meanwhile: () => Promise<unknown>): Promise<void> {
    await farm.killHub()
    await meanwhile()
    return farm.startHub()
  }

  async function withoutService(meanwhile: () => Promise<unknown>): Promise<void> {
    await farm.killService()
    await meanwhile()
    return farm.startService()
  }

  /** A print that may be over before anyone looks, or last for some pictures. */
  async function printByHand(printerId: string, { lastsMs }: PlannedFault): Promise<void> {
    printsByHand += 1
    const fileName = nameByHand(printsByHand)
    const printSeconds = lastsMs % 2 === 0 ? shortPrintSeconds : longPrintSeconds
    await farm.atPrinter(printerId, async () => {
      const until = performance.now() + patienceMs
      do {
        const sight = await hands.use(printerId, { deed: 'start', fileName, printSeconds })
        if (sight?.isDone) return note(`${fileName} was started by hand`)
        await wait(5)
      } while (performance.now() < until)
      note(`${fileName} found no free printer`)
    })
  }

  async function untilRefused(printerId: string): Promise<void> {
    const count = (events: readonly { kind: string }[]) => events.filter(({ kind }) => kind === 'refused').length
    const before = count((await hands.use(printerId, { deed: 'look' }))?.events ?? [])
    const until = performance.now() + patienceMs
    while (performance.now() < until) {
      const sight = await hands.use(printerId, { deed: 'look' })
      if (sight && count(sight.events) > before) return
      await wait(5)
    }
  }

  async function untilAtRest(printerId: string): Promise<void> {
    const until = performance.now() + patienceMs
    while (performance.now() < until) {
      const sight = await hands.use(printerId, { deed: 'look' })
      if (sight && !sight.isBusy) return
      await wait(5)
    }
  }

  async function sufferAtDevices(faults: readonly Fault[]): Promise<void> {
    await setDeviceFaults(faults)
    await wait(deviceFaultMs)
    await setDeviceFaults([])
  }

  async function setDeviceFaults(faults: readonly Fault[]): Promise<void> {
    const deed = { deed: 'set_faults', faults } as const
    for (const id of printerIds) {
      // A printer left at fault would fail every later start.
      await useSoon(hands, id, deed)
      await twinHands.use(id, deed)
    }
  }

  function passageOf(frame: Frame): Passage {
    const words = wordsOf(frame)
    if (words) note(words)
    if (isOver) return 'pass'
    const lost = answerToLose
    if (lost && (frame.type === 'result' || frame.type === 'ack')) {
      answerToLose = undefined
      strike(lost.planned, lost.printerId)
      return 'drop'
    }
    const moment = momentOf(frame)
    if (moment === undefined) return 'pass'
    const { phase, printerId } = moment
    const occurrence = (occurrences.get(phase) ?? 0) + 1
    occurrences.set(phase, occurrence)
    let passage: Passage = 'pass'
    for (const planned of waiting.filter((each) => each.phase === phase && each.occurrence === occurrence)) {
      waiting.splice(waiting.indexOf(planned), 1)
      const own = passageUnder(planned, printerId)
      if (passage === 'pass') passage = own
    }
    return passage
  }

  function passageUnder(planned: PlannedFault, printerId: string): Passage {
    switch (planned.fault) {
      case 'link_cut_before_answer':
        answerToLose = { planned, printerId }
        return 'pass'
      case 'duplicate_frame':
        strike(planned, printerId)
        return 'twice'
      case 'frame_out_of_order':
        strike(planned, printerId)
        return 'late'
      case 'link_cut_before_send':
        strike(planned, printerId)
        return 'drop'
      case 'link_cut_after_send':
        setTimeout(() => strike(planned, printerId), 1)
        return 'pass'
      case 'service_kill':
      case 'hub_kill':
      case 'power_cut':
      case 'twin_hub':
      case 'hand_print_hub_down':
      case 'hand_print_service_down':
      case 'hand_print_link_down':
      case 'end_unseen':
        if (planned.isFrameDelivered) setTimeout(() => strike(planned, printerId), planned.lastsMs % 7)
        else strike(planned, printerId)
        return planned.isFrameDelivered ? 'pass' : 'drop'
      default: {
        strike(planned, printerId)
        // The command itself waits until the printer is at fault.
        const isAtDevice = deviceFaults[planned.fault] !== undefined || planned.fault === 'hand_print_refused_start'
        return isAtDevice && planned.phase === 'reserved' ? { held: wait(40) } : 'pass'
      }
    }
  }

  return {
    passageOf,
    struck,
    get isBreaking() {
      return breaking.size > 0
    },
    get haveAllStruck() {
      return waiting.length === 0 && !answerToLose && breaking.size === 0
    },
    get isOver() {
      return isOver
    },
    async end() {
      if (isOver) return
      isOver = true
      proxy.halfDownloads = 0
      await Promise.all([...breaking])
      await setDeviceFaults([])
      note('the storm is over')
    },
  }
}

/** The step on an attempt's way of which a frame tells. */
function momentOf({ from, type, message }: Frame): { phase: PlannedFault['phase']; printerId: string } | undefined {
  if (from === 'service' && type === 'command') {
    return message.kind === 'print' ? { phase: 'reserved', printerId: String(message.printer_id) } : undefined
  }
  if (from !== 'hub' || type !== 'attempt') return undefined
  const report = message.report as { phase: PlannedFault['phase']; printer_id: string }
  return { phase: report.phase, printerId: report.printer_id }
}

/** What a trace says of a frame; undefined for those that tell of no attempt. */
function wordsOf({ from, type, message }: Frame): string | undefined {
  if (from === 'service' && type === 'command') {
    const { attempt_id, run_mark } = message.args as { attempt_id?: string; run_mark?: string | null }
    return `the service asks for ${String(message.kind)} of ${attempt_id} on a plate cleared at ${run_mark}`
  }
  if (from !== 'hub' || type !== 'attempt') return undefined
  const { attempt_id, phase, outcome, reason_code, run_mark } = message.report as Record<string, string | null>
  return `the hub tells of ${attempt_id}: ${phase} ${outcome ?? ''} ${reason_code ?? ''} at ${run_mark}`
}
