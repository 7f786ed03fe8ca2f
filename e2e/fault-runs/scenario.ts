import { createRandom } from './seeded-random.ts'

/** Where on an attempt's way a fault strikes: when the link carries the frame that tells of it. */
export const phases = ['reserved', 'transferring', 'starting', 'confirmed', 'finished'] as const
type Phase = (typeof phases)[number]

export const faults = [
  /** The service ends without a word; another one starts on the same database. */
  'service_kill',
  /** The hub's thread ends without running any code of its own; another one starts on the same directory. */
  'hub_kill',
  /** Both at once, as in a power cut. */
  'power_cut',
  /** PostgreSQL ends all connections of the service, in the middle of whatever it was doing. */
  'database_cut',
  /** The frame is lost with the connection. */
  'link_cut_before_send',
  /** The frame arrives, and then the connection is gone. */
  'link_cut_after_send',
  /** The next answer or acknowledgement after the frame is lost with the connection. */
  'link_cut_before_answer',
  /** Downloads of the print file break off half way. */
  'half_download',
  /** Uploads to the printer break off half way. */
  'half_upload',
  /** Nothing that the hub writes reaches its disk. */
  'disk_full',
  /** The clock of the service is set forward or back by hours. */
  'clock_moved',
  /** The printer says yes to everything and does nothing. */
  'yes_without_effect',
  /** The printer claims to be done long before it is. */
  'lying_finish',
  'duplicate_frame',
  /** The frame arrives after the next one. */
  'frame_out_of_order',
  /** A second hub with the same token and an empty journal connects. */
  'twin_hub',
  /** A person prints something at the printer, whatever goes on there. */
  'hand_print',
  /** The same while the hub, the service or the link between them is down, or the printer is out of the hub's reach. */
  'hand_print_hub_down',
  'hand_print_service_down',
  'hand_print_link_down',
  'hand_print_unreachable',
  /** The printer refuses the start, and a person prints something while its attempt is still being looked after. */
  'hand_print_refused_start',
  /** The printer says no to a start, and starts anyway a little later. */
  'refusal_after_effect',
  /** The printer loses its power, in mid-print when it prints. */
  'printer_restart',
  /** The print ends while the hub is down, and the printer loses its power just after. */
  'end_unseen',
  /** The print fails, and its fault stays until a person acknowledges it. */
  'lasting_error',
  /** The print fails, and the printer says nothing more until a person has been there. */
  'silent_error',
] as const

export type FaultName = (typeof faults)[number]

export interface PlannedFault {
  fault: FaultName
  phase: Phase
  /** It strikes when the link carries the frame of this phase for the so-many-th time. */
  occurrence: number
  /** How long it lasts before what was broken is brought back, in ms. */
  lastsMs: number
  /** For a kill or a cut: whether the frame still arrives. */
  isFrameDelivered: boolean
}

interface PlannedPrinter {
  /** Whether it shows its last run after it was without power. */
  remembersLastRun: boolean
  /** So that an upload takes a while; as fast as it can when left out. */
  uploadBytesPerSecond?: number
}

export interface Scenario {
  seed: number
  printers: PlannedPrinter[]
  jobs: { printer: number; units: number; unitsPerPlate: number }[]
  faults: PlannedFault[]
}

export interface ScenarioOptions {
  /** Printers take their jobs by themselves; no one asks for a start. */
  autoStart?: boolean
}

/** Files of a run have some 4 kB. */
const slowUpload = 100_000

/** The same seed gives the same scenario, on any machine. */
export function drawScenario(seed: number): Scenario {
  const random = createRandom(seed)
  const printers = Array.from({ length: random.integer(1, 2) }, () => ({
    remembersLastRun: random.chance(0.5),
    ...(random.chance(0.3) && { uploadBytesPerSecond: slowUpload }),
  }))
  const jobs = Array.from({ length: random.integer(1, 3) }, () => ({
    printer: random.integer(0, printers.length - 1),
    units: random.integer(1, 2),
    unitsPerPlate: random.integer(1, 2),
  }))
  const planned = Array.from({ length: random.integer(1, 3) }, () => ({
    fault: random.pick(faults),
    phase: random.pick(phases),
    occurrence: random.integer(1, 2),
    lastsMs: random.integer(0, 60),
    isFrameDelivered: random.chance(0.5),
  }))
  return { seed, printers, jobs, faults: planned }
}

/** One printer, one job of one plate, and one fault at one phase. */
export function matrixScenario(fault: FaultName, phase: Phase): Scenario {
  return {
    seed: 0,
    // Every other cell has a printer that forgets.
    printers: [{ remembersLastRun: (faults.indexOf(fault) + phases.indexOf(phase)) % 2 === 0 }],
    jobs: [{ printer: 0, units: 1, unitsPerPlate: 1 }],
    faults: [{ fault, phase, occurrence: 1, lastsMs: 20, isFrameDelivered: true }],
  }
}
