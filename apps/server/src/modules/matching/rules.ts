import { plateKind } from './build-plate.ts'
import { shortageOf, shortNeeds } from './enough-filament.ts'
import type {
  Catalogue,
  Equipment,
  FarmFacts,
  FilamentNeed,
  FilamentPlace,
  JobFacts,
  PlateNeed,
  PrinterFacts,
} from './farm-facts.ts'
import { colorFit, type Fit, filamentFit, needsOn, placesFor, reachesTool, typeFit } from './filament-match.ts'
import { jobPausedUntil, printerPausedUntil } from './refusal-pause.ts'
import { isSlicedFor } from './sliced-for.ts'
import { assignPlaces } from './slot-map.ts'
import { type Shortage, shortageText } from './spools.ts'
import { nextWorkingMoment } from './working-hours.ts'

/** Askers who may not start the job there: anybody, or only the service by itself, because a person may know better. */
export type Bound = 'anybody' | 'scheduler'

/** Remedies of a failure, the least effort first. */
export const remedyKinds = [
  'moment',
  'auto_start',
  'enter_equipment',
  'clear_plate',
  'load_filament',
  'change_build_plate',
  'change_nozzle',
  'wait',
  'look_at_printer',
  'none',
] as const
export type RemedyKind = (typeof remedyKinds)[number]

/** Reason why a rule does not let a job start on a printer. */
export interface Failure {
  /** For people, such as `It prints now.` */
  sentence: string
  /** Time when it will hold if nothing else happens; null when a person must act or it cannot be told. */
  passesAt: Date | null
  binds: Bound
  remedy: RemedyKind
  /** The filaments of which there is not enough, where that is the reason. */
  shortages: readonly Shortage[]
}

interface RuleOf<Arguments extends unknown[]> {
  name: string
  /** What it asks, for people; what explain says where it holds. */
  asks: string
  /** Askers whom it binds. What only is not known binds the scheduler alone. */
  binds: Bound
  /** A person who starts by hand may set it aside. */
  canBeSetAside?: true
  remedy: RemedyKind
  check(...facts: Arguments): Checked | undefined
}

/** A rule, with what its verdict depends on besides the farm: the printer alone, the job alone, or what both are. */
export type Rule =
  | (RuleOf<[PrinterFacts, FarmFacts]> & { about: 'printer' })
  | (RuleOf<[JobFacts, FarmFacts]> & { about: 'job' })
  | (RuleOf<[Equipment, PlateNeed, Catalogue]> & { about: 'pair' })

/** A failure; what it leaves out is as its rule says. The sentence is written when it is read: most are never. */
export interface Checked extends Partial<Omit<Failure, 'sentence' | 'shortages'>> {
  sentence: string | (() => string)
  shortages?: () => readonly Shortage[]
}

const fails = (sentence: Checked['sentence'], more?: Omit<Checked, 'sentence'>): Checked => ({ sentence, ...more })

/** Difference allowed between the nozzle of a file and that of a printer, in mm: sizes are entered by hand. */
const sameNozzleMm = 0.011

/**
 * The hard rules: a job starts on a printer only where every one of them holds. In the order in which people are told.
 * A fact that a file does not state matches any printer. A fact that a job asks for and that is not known of a printer
 * (loaded filament or colour, nozzle) does not match for the scheduler: a wrong guess costs a print. A person who starts a job there
 * by hand may know. Amounts, sizes and build plates that are not known pass, because many printers never tell them.
 */
const printerRules = [
  {
    name: 'printer_active',
    about: 'printer',
    binds: 'anybody',
    remedy: 'look_at_printer',
    asks: 'The printer is in use.',
    check: ({ is_active }) => (is_active ? undefined : fails('The printer is switched off in the settings.')),
  },
  {
    name: 'in_service',
    about: 'printer',
    binds: 'anybody',
    remedy: 'look_at_printer',
    asks: 'The printer is not in maintenance.',
    check: ({ in_maintenance }) => (in_maintenance ? fails('The printer is in maintenance.') : undefined),
  },
  {
    name: 'auto_start',
    about: 'printer',
    binds: 'scheduler',
    remedy: 'auto_start',
    asks: 'Jobs may be started on the printer without a person.',
    check: ({ auto_start }) =>
      auto_start ? undefined : fails('The printer starts jobs only when a person says so: automatic start is off.'),
  },
  {
    name: 'hub_online',
    about: 'printer',
    binds: 'anybody',
    remedy: 'look_at_printer',
    asks: 'The hub of the printer is connected.',
    check: ({ hub_id, hub_online }) => {
      if (hub_id === null) return fails('The printer has no hub.')
      return hub_online ? undefined : fails('The hub of the printer is not connected.')
    },
  },
  {
    name: 'reachable',
    about: 'printer',
    binds: 'anybody',
    remedy: 'look_at_printer',
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
    about: 'printer',
    binds: 'scheduler',
    remedy: 'look_at_printer',
    asks: 'The printer has no known problem that keeps prints from succeeding.',
    check: ({ blocking_problem }) => (blocking_problem === null ? undefined : fails(blocking_problem)),
  },
  {
    name: 'idle',
    about: 'printer',
    binds: 'anybody',
    remedy: 'wait',
    asks: 'The printer does nothing.',
    check: ({ status, remaining_minutes }, { now }) => {
      switch (status) {
        case 'printing':
          return remaining_minutes === null
            ? fails('The printer prints.')
            : fails(() => `The printer prints for about ${remaining_minutes} more minutes.`, {
                passesAt: later(now, remaining_minutes * 60),
              })
        case 'paused':
          return fails('The printer is paused.', { remedy: 'look_at_printer' })
        case 'maintenance':
          return fails('The printer is busy without a job, such as homing or changing filament.')
        case 'error':
          return fails('The printer reports an error and needs a look.', { remedy: 'look_at_printer' })
        default:
          return undefined
      }
    },
  },
  {
    name: 'no_live_attempt',
    about: 'printer',
    binds: 'anybody',
    remedy: 'wait',
    asks: 'No other job holds the printer.',
    check: ({ has_live_attempt, status, remaining_minutes }, { now }) => {
      if (!has_live_attempt) return undefined
      const isSeen = status === 'printing' && remaining_minutes !== null
      return fails('A job holds the printer.', { passesAt: isSeen ? later(now, remaining_minutes * 60) : null })
    },
  },
  {
    name: 'plate_clear',
    about: 'printer',
    binds: 'anybody',
    remedy: 'clear_plate',
    asks: 'The plate is clear.',
    check: ({ plate_state }) => {
      if (plate_state === 'clear') return undefined
      return plate_state === 'occupied'
        ? fails('A print lies on the plate, or is being made there: take it off and clear the plate.')
        : fails('The state of the plate is unknown: check it, then clear it.')
    },
  },
  {
    name: 'printer_not_pausing',
    about: 'printer',
    binds: 'scheduler',
    remedy: 'moment',
    asks: 'The printer did not just refuse a start.',
    check: ({ refusals }, { now }) => {
      const until = printerPausedUntil(refusals)
      if (!refusals || !until || until <= now) return undefined
      return fails(
        () => `The printer refused ${times(refusals.count)} (${refusals.reason}) and is left alone for a while.`,
        {
          passesAt: until,
        },
      )
    },
  },
] as const satisfies readonly (Rule & { about: 'printer' })[]

const jobRules = [
  {
    name: 'job_not_pausing',
    about: 'job',
    binds: 'scheduler',
    remedy: 'moment',
    asks: 'The job was not just refused.',
    check: ({ refusals }, { now }) => {
      const until = jobPausedUntil(refusals)
      if (!refusals || !until || until <= now) return undefined
      return fails(
        () => `The job was refused ${times(refusals.count)} (${refusals.reason}) and waits before the next try.`,
        {
          passesAt: until,
        },
      )
    },
  },
] as const satisfies readonly (Rule & { about: 'job' })[]

const pairRules = [
  {
    name: 'assigned_here',
    about: 'pair',
    binds: 'anybody',
    remedy: 'none',
    asks: 'The job is not meant for another printer.',
    check: ({ id }, { assigned_printer_id }) =>
      assigned_printer_id === null || assigned_printer_id === id
        ? undefined
        : fails('The job is meant for another printer.'),
  },
  {
    name: 'model_matches',
    about: 'pair',
    binds: 'anybody',
    remedy: 'none',
    asks: 'The file is sliced for this model, or for none in particular.',
    check: ({ model }, { file_model }, { isSameModel }) =>
      isSlicedFor(model, file_model, isSameModel)
        ? undefined
        : fails(() => `The file is sliced for ${file_model}, the printer is a ${model}.`),
  },
  {
    name: 'nozzle_matches',
    about: 'pair',
    binds: 'anybody',
    canBeSetAside: true,
    remedy: 'change_nozzle',
    asks: 'The nozzle is the one that the file is sliced for.',
    check: ({ nozzle_size }, { nozzle_diameter }) => {
      if (nozzle_diameter === null) return undefined
      if (nozzle_size === null) {
        return fails(() => `The file needs a nozzle of ${nozzle_diameter} mm; that of the printer is not entered.`, {
          binds: 'scheduler',
          remedy: 'enter_equipment',
        })
      }
      return Math.abs(nozzle_size - nozzle_diameter) < sameNozzleMm
        ? undefined
        : fails(() => `The file needs a nozzle of ${nozzle_diameter} mm, the printer has ${nozzle_size} mm.`)
    },
  },
  {
    name: 'build_plate_matches',
    about: 'pair',
    binds: 'anybody',
    canBeSetAside: true,
    remedy: 'change_build_plate',
    asks: 'The build plate is of the kind that the file is sliced for, as far as is known.',
    check: ({ build_plate }, { bed_type }) => {
      if (bed_type === null || build_plate === '') return undefined
      const [there, wanted] = [plateKind(build_plate), plateKind(bed_type)]
      if (there === null || wanted === null || there === wanted) return undefined
      return fails(() => `The file is sliced for a ${wanted} plate, a ${there} plate is on the printer.`)
    },
  },
  {
    name: 'filament_tool_matches',
    about: 'pair',
    binds: 'anybody',
    remedy: 'load_filament',
    asks: 'Each tool that the file prints with has places enough that feed it.',
    check: ({ feeding, places }, { filaments }) => {
      if (feeding !== 'told') return undefined
      for (const [tool, needs] of Map.groupBy(filaments, (need) => need.tool)) {
        const [first] = needs
        if (tool === null || first === undefined) continue
        const feeding = places.filter((place) => !place.is_empty && reachesTool(place, first)).length
        if (feeding >= needs.length) continue
        return fails(
          () =>
            `The file prints ${filamentCount(needs.length)} with tool ${tool}, ${feeding || 'none'} can be fed to it.`,
        )
      }
      return undefined
    },
  },
  {
    name: 'filament_type_matches',
    about: 'pair',
    binds: 'anybody',
    canBeSetAside: true,
    remedy: 'load_filament',
    asks: 'The filament that the job needs is loaded.',
    check: (printer, plate) =>
      worst(printer, plate, (need, places) => {
        if (best(places, (place) => typeFit(place, need)) === 'yes') return undefined
        const known = places.filter(({ is_empty, type }) => !is_empty && type !== '')
        return best(places, (place) => typeFit(place, need)) === 'unknown'
          ? notKnown(() => `The job needs ${materialText(need)}; the loaded filament is unknown.`)
          : fails(() => `The job needs ${materialText(need)}, ${loadedText(known.map(({ type }) => type))} loaded.`)
      }),
  },
  {
    name: 'filament_color_matches',
    about: 'pair',
    binds: 'anybody',
    canBeSetAside: true,
    remedy: 'load_filament',
    asks: 'The colour that the job needs is loaded.',
    check: (printer, plate, catalogue) => {
      if (plate.any_color) return undefined
      return worst(printer, plate, (need, all) => {
        if (all.some((place) => filamentFit(place, need, true, catalogue) === 'yes')) return undefined
        const ofType = all.filter((place) => typeFit(place, need) !== 'no')
        // Where only another material is loaded, people are told both.
        const places = ofType.length > 0 ? ofType : all
        // The colour counts in the place that holds the material; where it is not known which one does, in any of them.
        const isTypeKnown = best(all, (place) => typeFit(place, need)) === 'yes'
        const fit = best(places, (place) =>
          isTypeKnown ? filamentFit(place, need, true, catalogue) : colorFit(place, need, catalogue),
        )
        if (fit === 'yes') return undefined
        const known = places.filter(({ is_empty, color, color_hex }) => !is_empty && (color !== '' || color_hex !== ''))
        return fit === 'unknown'
          ? notKnown(() => `The job needs the colour ${need.color}; it is not known which is loaded.`)
          : fails(
              () =>
                `The job needs the colour ${need.color}, ${loadedText(known.map((place) => place.color || place.color_hex))} loaded.`,
            )
      })
    },
  },
  {
    name: 'enough_filament',
    about: 'pair',
    binds: 'anybody',
    canBeSetAside: true,
    remedy: 'load_filament',
    asks: 'Enough filament is free on the spool for the next plate, as far as known and required by the account.',
    check: (printer, plate, catalogue) => {
      const short = shortNeeds(printer, plate, catalogue)
      const certain = short.filter(({ isCertain }) => isCertain)
      const told = certain.length > 0 ? certain : short
      if (told.length === 0) return undefined
      const shortages = () => told.map((each) => shortageOf(each, printer, plate, catalogue))
      const sentence = () =>
        shortages()
          .map((shortage) => shortageText(shortage, plate.filaments.length === 1))
          .join(' ')
      return { ...(certain.length > 0 ? fails(sentence) : notKnown(sentence)), shortages }
    },
  },
  {
    name: 'filament_places_match',
    about: 'pair',
    binds: 'anybody',
    canBeSetAside: true,
    remedy: 'load_filament',
    asks: 'Each filament of the plate has a place of its own at the printer.',
    check: (printer, plate, catalogue) => {
      const needs = needsOn(printer, plate)
      if (needs.length === 1) return undefined
      if (printer.feeding === 'single') {
        return fails(
          () => `The plate needs ${needs.length} filaments, the printer has one place for them that is known.`,
          {
            remedy: 'none',
          },
        )
      }
      const fits = needs.map((need) =>
        best(placesFor(printer, need, false), (place) => filamentFit(place, need, !plate.any_color, catalogue)),
      )
      // What is not loaded at all is the rules before, and so is what only is not known to be.
      if (fits.includes('no') || assignPlaces(printer, plate, catalogue, { isCertain: true })) return undefined
      const sentence = () => `The plate needs ${needs.length} filaments, and two of them would come from one place.`
      if (!assignPlaces(printer, plate, catalogue)) return fails(sentence)
      return fits.includes('unknown') ? undefined : notKnown(sentence)
    },
  },
  {
    name: 'file_fits_printer',
    about: 'pair',
    binds: 'anybody',
    remedy: 'none',
    asks: 'The print is not larger than the printer can print, as far as is known.',
    check: ({ volume_mm }, { width_mm, depth_mm, height_mm }) => {
      if (volume_mm === null) return undefined
      const [width, depth, height] = volume_mm
      if (height_mm !== null && height_mm > height) {
        return fails(() => `The print is ${height_mm} mm high, the printer can do ${height} mm.`)
      }
      if ((width_mm === null || width_mm <= width) && (depth_mm === null || depth_mm <= depth)) return undefined
      return fails(
        () => `The print covers ${width_mm ?? '?'} × ${depth_mm ?? '?'} mm, the printer can do ${width} × ${depth} mm.`,
      )
    },
  },
] as const satisfies readonly (Rule & { about: 'pair' })[]

const lastRules = [
  {
    name: 'finishes_in_working_hours',
    about: 'job',
    binds: 'scheduler',
    remedy: 'moment',
    asks: 'The plate is done within working hours, or the account does not ask for it.',
    check: ({ plate_seconds }, { now, workingHours }) => {
      if (workingHours === null || plate_seconds === null) return undefined
      const end = later(now, plate_seconds)
      const somebodyThere = nextWorkingMoment(workingHours, end)
      if (somebodyThere?.getTime() === end.getTime()) return undefined
      const start = somebodyThere && later(somebodyThere, -plate_seconds)
      return fails('The plate would finish outside working hours.', { passesAt: start })
    },
  },
  {
    name: 'heating_slot',
    about: 'printer',
    binds: 'scheduler',
    remedy: 'moment',
    asks: 'The power group of the printer can bear one more that heats up.',
    check: ({ power_group }, { now, heatingAtOnce, heatingGapSeconds, heatingGroups }) => {
      const group = power_group === '' ? undefined : heatingGroups.get(power_group)
      if (!group) return undefined
      if (heatingAtOnce !== null && group.heating >= heatingAtOnce) {
        return fails(() => `Power group ${power_group}: ${group.heating} heating up now, which is its limit.`)
      }
      const gapEnds = group.lastStartAt && heatingGapSeconds && later(group.lastStartAt, heatingGapSeconds)
      return gapEnds && gapEnds > now
        ? fails(() => `In the power group ${power_group} another printer has just started to heat up.`, {
            passesAt: gapEnds,
          })
        : undefined
    },
  },
] as const satisfies readonly Rule[]

/** Every rule, in the order in which people are told. */
export const rules = [...printerRules, ...jobRules, ...pairRules, ...lastRules] as const

export type RuleName = (typeof rules)[number]['name']
export const ruleNames = rules.map((rule) => rule.name)

/** The rules that a person who starts a job by hand may set aside. */
export const settableAside = rules.flatMap((rule) => ('canBeSetAside' in rule ? [rule.name] : []))

/** What a person can put right by loading other filament. */
export const filamentRules: readonly RuleName[] = [
  'filament_type_matches',
  'filament_color_matches',
  'enough_filament',
  'filament_places_match',
]

function later(from: Date, seconds: number): Date {
  return new Date(from.getTime() + seconds * 1000)
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`)

const notKnown = (sentence: Checked['sentence']) => fails(sentence, { binds: 'scheduler' })

/** The failure of the filament that fails for certain, else of one of which it is not known. */
function worst(
  printer: Equipment,
  plate: PlateNeed,
  check: (need: FilamentNeed, places: readonly FilamentPlace[]) => Checked | undefined,
): Checked | undefined {
  const needs = needsOn(printer, plate)
  let doubt: Checked | undefined
  for (const need of needs) {
    const failure = check(need, placesFor(printer, need, needs.length === 1))
    if (failure && failure.binds !== 'scheduler') return failure
    doubt ??= failure
  }
  return doubt
}

function best(places: readonly FilamentPlace[], fitOf: (place: FilamentPlace) => Fit): Fit {
  let found: Fit = 'no'
  for (const place of places) {
    const fit = fitOf(place)
    if (fit === 'yes') return 'yes'
    if (fit === 'unknown') found = 'unknown'
  }
  return found
}

const materialText = ({ type, tool }: FilamentNeed) => `${type || 'filament'}${tool === null ? '' : ` at tool ${tool}`}`

const filamentCount = (count: number) => (count === 1 ? '1 filament' : `${count} filaments`)

/** `PLA is`, `PLA, PETG are`, `nothing is`. */
function loadedText(names: readonly string[]): string {
  const distinct = [...new Set(names)]
  if (distinct.length === 0) return 'nothing is'
  return `${distinct.join(', ')} ${distinct.length === 1 ? 'is' : 'are'}`
}
