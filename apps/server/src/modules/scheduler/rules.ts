import type { FarmFacts, JobFacts, PrinterFacts } from './farm-facts.ts'
import { colorAsked, isColorLoaded, isSameMaterial } from './filament-match.ts'
import { jobPausedUntil, printerPausedUntil } from './refusal-pause.ts'
import { nextWorkingMoment } from './working-hours.ts'

/** Why a rule does not let a job start on a printer. */
export interface Failure {
  /** For people, such as `It prints now.` */
  sentence: string
  /** When it will hold if nothing else happens; null when a person must act or nobody can tell. */
  passesAt: Date | null
}

export interface Rule {
  name: string
  /** What the verdict depends on besides the farm: the printer alone, the job alone, or both. */
  appliesTo: 'printer' | 'job' | 'pair'
  /** What it asks, for people; what explain says where it holds. */
  asks: string
  check(printer: PrinterFacts, job: JobFacts, farm: FarmFacts): Failure | undefined
}

const fails = (sentence: string, passesAt: Date | null = null): Failure => ({ sentence, passesAt })

/** How far the nozzle of a file and that of a printer may lie apart, in mm: sizes are entered by hand. */
const sameNozzleMm = 0.011

/**
 * The hard rules: a job starts on a printer only where every one of them holds. In the order in which people are told.
 * A fact that a file does not state matches any printer. A fact that a job asks for and that is not known of a printer
 * (loaded filament or colour, nozzle) does not match: a wrong guess costs a print. Amounts and sizes that are not known
 * pass, because many printers never tell them.
 */
export const rules = [
  {
    name: 'printer_active',
    appliesTo: 'printer',
    asks: 'The printer is in use.',
    check: ({ is_active }) => (is_active ? undefined : fails('The printer is switched off in the settings.')),
  },
  {
    name: 'in_service',
    appliesTo: 'printer',
    asks: 'The printer is not in maintenance.',
    check: ({ in_maintenance }) => (in_maintenance ? fails('The printer is in maintenance.') : undefined),
  },
  {
    name: 'auto_start',
    appliesTo: 'printer',
    asks: 'Jobs may be started on the printer without a person.',
    check: ({ auto_start }) =>
      auto_start ? undefined : fails('The printer starts jobs only when a person says so: automatic start is off.'),
  },
  {
    name: 'hub_online',
    appliesTo: 'printer',
    asks: 'The hub of the printer is connected.',
    check: ({ hub_id, hub_online }) => {
      if (hub_id === null) return fails('The printer has no hub.')
      return hub_online ? undefined : fails('The hub of the printer is not connected.')
    },
  },
  {
    name: 'reachable',
    appliesTo: 'printer',
    asks: 'The hub reaches the printer.',
    check: ({ hub_online, status }) => {
      // Without its hub nothing is known of it: that is the rule before.
      if (!hub_online) return undefined
      if (status === null) return fails('The hub has not reported the printer yet.')
      return status === 'offline' ? fails('The hub cannot reach the printer.') : undefined
    },
  },
  {
    name: 'no_known_problem',
    appliesTo: 'printer',
    asks: 'Nothing is known to be wrong with the printer that keeps prints from succeeding.',
    check: ({ blocking_problem }) => (blocking_problem === null ? undefined : fails(blocking_problem)),
  },
  {
    name: 'idle',
    appliesTo: 'printer',
    asks: 'The printer does nothing.',
    check: ({ status, remaining_minutes }, _job, { now }) => {
      switch (status) {
        case 'printing':
          return remaining_minutes === null
            ? fails('The printer prints.')
            : fails(
                `The printer prints for about ${remaining_minutes} more minutes.`,
                later(now, remaining_minutes * 60),
              )
        case 'paused':
          return fails('The printer is paused.')
        case 'maintenance':
          return fails('The printer is busy without a job, such as homing or changing filament.')
        case 'error':
          return fails('The printer reports an error; somebody must look at it.')
        default:
          return undefined
      }
    },
  },
  {
    name: 'no_live_attempt',
    appliesTo: 'printer',
    asks: 'No other job holds the printer.',
    check: ({ has_live_attempt, status, remaining_minutes }, _job, { now }) => {
      if (!has_live_attempt) return undefined
      const isSeen = status === 'printing' && remaining_minutes !== null
      return fails('A job holds the printer.', isSeen ? later(now, remaining_minutes * 60) : null)
    },
  },
  {
    name: 'plate_clear',
    appliesTo: 'printer',
    asks: 'The plate is clear.',
    check: ({ plate_state }) => {
      if (plate_state === 'clear') return undefined
      return plate_state === 'occupied'
        ? fails('A print lies on the plate, or is being made there: somebody must take it off and clear the plate.')
        : fails('It is not known whether the plate is empty: somebody must look and clear it.')
    },
  },
  {
    name: 'printer_not_pausing',
    appliesTo: 'printer',
    asks: 'The printer did not just refuse a start.',
    check: ({ refusals }, _job, { now }) => {
      const until = printerPausedUntil(refusals)
      if (!refusals || !until || until <= now) return undefined
      return fails(
        `The printer refused ${times(refusals.count)} (${refusals.reason}) and is left alone for a while.`,
        until,
      )
    },
  },
  {
    name: 'job_not_pausing',
    appliesTo: 'job',
    asks: 'The job was not just refused.',
    check: (_printer, { refusals }, { now }) => {
      const until = jobPausedUntil(refusals)
      if (!refusals || !until || until <= now) return undefined
      return fails(
        `The job was refused ${times(refusals.count)} (${refusals.reason}) and waits before the next try.`,
        until,
      )
    },
  },
  {
    name: 'assigned_here',
    appliesTo: 'pair',
    asks: 'The job is not meant for another printer.',
    check: (printer, { assigned_printer_id }) =>
      assigned_printer_id === null || assigned_printer_id === printer.id
        ? undefined
        : fails('The job is meant for another printer.'),
  },
  {
    name: 'model_matches',
    appliesTo: 'pair',
    asks: 'The file is sliced for this model, or for none in particular.',
    check: ({ model }, { file_model }, farm) =>
      file_model === null || farm.isSameModel(model, file_model)
        ? undefined
        : fails(`The file is sliced for ${file_model}, the printer is a ${model}.`),
  },
  {
    name: 'nozzle_matches',
    appliesTo: 'pair',
    asks: 'The nozzle is the one that the file is sliced for.',
    check: ({ nozzle_size }, { nozzle_diameter }) => {
      if (nozzle_diameter === null) return undefined
      if (nozzle_size === null) {
        return fails(`The file needs a nozzle of ${nozzle_diameter} mm; that of the printer is not entered.`)
      }
      return Math.abs(nozzle_size - nozzle_diameter) < sameNozzleMm
        ? undefined
        : fails(`The file needs a nozzle of ${nozzle_diameter} mm, the printer has ${nozzle_size} mm.`)
    },
  },
  {
    name: 'filament_type_matches',
    appliesTo: 'pair',
    asks: 'The filament that the job asks for is loaded.',
    check: (printer, { filament_type }) => {
      if (filament_type === '' || isSameMaterial(filament_type, printer.filament_type)) return undefined
      return printer.filament_type === ''
        ? fails(`The job needs ${filament_type}; it is not known what is loaded.`)
        : fails(`The job needs ${filament_type}, ${printer.filament_type} is loaded.`)
    },
  },
  {
    name: 'filament_color_matches',
    appliesTo: 'pair',
    asks: 'The colour that the job asks for is loaded.',
    check: (printer, job, farm) => {
      const wanted = colorAsked(job)
      if (wanted === '' || isColorLoaded(wanted, printer, farm)) return undefined
      const loaded = printer.color || printer.color_hex
      return loaded === ''
        ? fails(`The job needs the colour ${wanted}; it is not known which is loaded.`)
        : fails(`The job needs the colour ${wanted}, ${loaded} is loaded.`)
    },
  },
  {
    name: 'enough_filament',
    appliesTo: 'pair',
    asks: 'There is enough filament on the spool for the next plate, as far as is known.',
    check: ({ loaded_filament_grams }, { grams_per_plate }) =>
      loaded_filament_grams === null || grams_per_plate === null || grams_per_plate <= loaded_filament_grams
        ? undefined
        : fails(`The plate needs ${grams_per_plate} g, ${loaded_filament_grams} g are on the spool.`),
  },
  {
    name: 'file_fits_printer',
    appliesTo: 'pair',
    asks: 'The print is not higher than the printer can print, as far as is known.',
    check: ({ build_height_mm }, { height_mm }) =>
      build_height_mm === null || height_mm === null || height_mm <= build_height_mm
        ? undefined
        : fails(`The print is ${height_mm} mm high, the printer can do ${build_height_mm} mm.`),
  },
  {
    name: 'finishes_in_working_hours',
    appliesTo: 'job',
    asks: 'Somebody is there when the plate is done, or the account does not ask for it.',
    check: (_printer, { plate_seconds }, { now, workingHours }) => {
      if (workingHours === null || plate_seconds === null) return undefined
      const end = later(now, plate_seconds)
      const somebodyThere = nextWorkingMoment(workingHours, end)
      if (somebodyThere?.getTime() === end.getTime()) return undefined
      const start = somebodyThere && later(somebodyThere, -plate_seconds)
      return fails('The plate would finish outside working hours.', start)
    },
  },
  {
    name: 'heating_slot',
    appliesTo: 'printer',
    asks: 'The power group of the printer can bear one more that heats up.',
    check: ({ power_group }, _job, { now, heatingAtOnce, heatingGapSeconds, heatingGroups }) => {
      const group = power_group === '' ? undefined : heatingGroups.get(power_group)
      if (!group) return undefined
      if (heatingAtOnce !== null && group.heating >= heatingAtOnce) {
        return fails(`Of the power group ${power_group}, ${group.heating} heat up now, which is the most at once.`)
      }
      const gapEnds = group.lastStartAt && heatingGapSeconds && later(group.lastStartAt, heatingGapSeconds)
      return gapEnds && gapEnds > now
        ? fails(`In the power group ${power_group} another printer has just begun to heat up.`, gapEnds)
        : undefined
    },
  },
] as const satisfies readonly Rule[]

export type RuleName = (typeof rules)[number]['name']
export const ruleNames = rules.map((rule) => rule.name)

/** Every rule with its failure, where it has one, in the order of the table. */
export function judge(
  printer: PrinterFacts,
  job: JobFacts,
  farm: FarmFacts,
): { rule: (typeof rules)[number]; failure?: Failure }[] {
  return rules.map((rule) => {
    const failure = rule.check(printer, job, farm)
    return failure ? { rule, failure } : { rule }
  })
}

/** Whether the job may start on the printer now. */
export function mayStart(printer: PrinterFacts, job: JobFacts, farm: FarmFacts): boolean {
  return rules.every((rule) => rule.check(printer, job, farm) === undefined)
}

function later(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)
