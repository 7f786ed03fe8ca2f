import type { FilamentSlot, PrinterState } from '@printyard/protocol/printer-state'
import type { PrinterRow } from '../../db/rows.generated.ts'
import type { Equipment, FilamentPlace } from './farm-facts.ts'
import type { LoadedSpool } from './matching.queries.ts'

/** What a person entered of the filament of a printer, and the spools that were loaded on it, the latest first. */
export type EnteredFilament = Pick<
  PrinterRow,
  'current_filament_type' | 'current_color' | 'current_color_hex' | 'loaded_filament_grams'
> & { spools: readonly LoadedSpool[] }

type Reported = Pick<PrinterState, 'filament_type' | 'filament_color_hex' | 'slots'>

/**
 * Where a printer draws filament from, and what is there: what the printer reports, else the spool that was loaded there, else what
 * was entered. A printer whose hub cannot pass on which slot to use is one place: what it draws from now.
 */
export function readPlaces(
  entered: EnteredFilament,
  reported: Reported | undefined,
  isTold: boolean,
): Pick<Equipment, 'places' | 'feeding'> {
  const slots = reported?.slots ?? []
  if (slots.length > 0 && isTold) {
    const only = slots.length === 1 ? onlyPlace(entered, reported) : undefined
    return { feeding: 'told', places: slots.map((slot) => slotPlace(slot, entered.spools, only)) }
  }
  if (slots.length === 0 && entered.spools.length > 1) {
    return { feeding: 'fixed', places: entered.spools.map((spool, age) => spoolPlace(spool, age === 0)) }
  }
  return { feeding: 'single', places: [onlyPlace(entered, reported)] }
}

/** A printer with one slot is one place: what was entered for the printer holds for it, whatever number the slot has. */
function slotPlace(slot: FilamentSlot, spools: readonly LoadedSpool[], only: FilamentPlace | undefined): FilamentPlace {
  const spool = spools.find((each) => each.slot === slot.slot)
  const known = only ?? (spool ? spoolPlace(spool, false) : undefined)
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
    is_empty: slot.is_empty,
    is_active: slot.is_active,
  }
}

/** A spool as a place of its own. */
export function spoolPlace({ slot, type, color, hex_code, remaining }: LoadedSpool, is_active: boolean): FilamentPlace {
  return {
    slot,
    name: `slot ${slot}`,
    type,
    color,
    color_hex: hex_code,
    preset_id: '',
    tool: null,
    grams: remaining / 1_000,
    is_empty: false,
    is_active,
  }
}

function onlyPlace(entered: EnteredFilament, reported: Reported | undefined): FilamentPlace {
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
    grams: spool ? spool.remaining / 1_000 : entered.loaded_filament_grams,
    is_empty: false,
    is_active: true,
  }
}

const isSameHex = (a: string, b: string) => a.toUpperCase() === b.toUpperCase()
