import type { FilamentSlot, PrinterState } from '@printyard/protocol/printer-state'
import type { PrinterRow } from '../../db/rows.generated.ts'
import type { Equipment, FilamentPlace } from './farm-facts.ts'
import type { LoadedSpool } from './matching.queries.ts'

/** What a person entered of the filament of a printer, and the spools that were loaded on it, the latest first. */
export type EnteredFilament = Pick<
  PrinterRow,
  'current_filament_type' | 'current_color' | 'current_color_hex' | 'loaded_filament_grams'
> & { spools: readonly LoadedSpool[] }

/** What an account asks of spools: whether there is enough, and how many milligrams are kept back on each. */
export interface FilamentAsked {
  checks_filament: boolean
  filament_margin: number
}

/** Setting of an account that has set nothing: there must be enough, to the last gram. */
const defaultAsked: FilamentAsked = { checks_filament: true, filament_margin: 0 }

type Reported = Pick<PrinterState, 'filament_type' | 'filament_color_hex' | 'slots'>

/**
 * Answers where a printer draws filament from, and what is there: what the printer reports, else the spool that was loaded there, else what
 * was entered. A printer whose hub cannot pass on which slot to use is one place: what it draws from now.
 */
export function readPlaces(
  entered: EnteredFilament,
  reported: Reported | undefined,
  isTold: boolean,
  asked: FilamentAsked = defaultAsked,
): Pick<Equipment, 'places' | 'feeding'> {
  const slots = reported?.slots ?? []
  if (slots.length > 0 && isTold) {
    const only = slots.length === 1 ? onlyPlace(entered, reported, asked) : undefined
    return { feeding: 'told', places: slots.map((slot) => slotPlace(slot, entered.spools, asked, only)) }
  }
  if (slots.length === 0 && entered.spools.length > 1) {
    return { feeding: 'fixed', places: entered.spools.map((spool, age) => spoolPlace(spool, age === 0, asked)) }
  }
  return { feeding: 'single', places: [onlyPlace(entered, reported, asked)] }
}

/** A printer with one slot is one place: what was entered for the printer holds for it, whatever number the slot has. */
function slotPlace(
  slot: FilamentSlot,
  spools: readonly LoadedSpool[],
  asked: FilamentAsked,
  only: FilamentPlace | undefined,
): FilamentPlace {
  const spool = spools.find((each) => each.slot === slot.slot)
  const known = only ?? (spool ? spoolPlace(spool, false, asked) : undefined)
  const color_hex = slot.filament_color_hex?.toUpperCase() ?? known?.color_hex ?? ''
  return {
    slot: slot.slot,
    name: slot.name,
    type: slot.filament_type ?? known?.type ?? '',
    color: known && isSameHex(color_hex, known.color_hex) ? known.color : '',
    color_hex,
    preset_id: slot.preset_id ?? '',
    tool: slot.tool ?? null,
    grams: known?.grams ?? null,
    left_grams: known?.left_grams ?? null,
    is_empty: slot.is_empty,
    is_active: slot.is_active,
  }
}

/** A spool as a place of its own. */
export function spoolPlace(spool: LoadedSpool, is_active: boolean, asked: FilamentAsked = defaultAsked): FilamentPlace {
  const { slot, type, color, hex_code } = spool
  return {
    slot,
    name: `slot ${slot}`,
    type,
    color,
    color_hex: hex_code,
    preset_id: '',
    tool: null,
    ...gramsOf(spool, asked),
    is_empty: false,
    is_active,
  }
}

/** Answers what is free on a spool, and what is left on it, in grams. */
function gramsOf(
  { remaining, reserved }: Pick<LoadedSpool, 'remaining' | 'reserved'>,
  { checks_filament, filament_margin }: FilamentAsked,
): Pick<FilamentPlace, 'grams' | 'left_grams'> {
  return {
    grams: checks_filament ? Math.max(0, remaining - reserved - filament_margin) / 1_000 : null,
    left_grams: remaining / 1_000,
  }
}

function onlyPlace(entered: EnteredFilament, reported: Reported | undefined, asked: FilamentAsked): FilamentPlace {
  const hex = reported?.filament_color_hex?.toUpperCase() ?? null
  const [spool] = entered.spools
  return {
    slot: null,
    name: '',
    type: reported?.filament_type ?? entered.current_filament_type,
    // The entered name of a colour does not stand for another colour that is reported.
    color: hex === null || isSameHex(hex, entered.current_color_hex) ? entered.current_color : '',
    color_hex: hex ?? entered.current_color_hex,
    preset_id: '',
    tool: null,
    // The ledger of the spool follows each print; a number typed in does not.
    ...(spool
      ? gramsOf(spool, asked)
      : { grams: asked.checks_filament ? entered.loaded_filament_grams : null, left_grams: null }),
    is_empty: false,
    is_active: true,
  }
}

const isSameHex = (a: string, b: string) => a.toUpperCase() === b.toUpperCase()
