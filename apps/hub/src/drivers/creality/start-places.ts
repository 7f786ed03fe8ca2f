import { DriverError } from '../driver.ts'
import {
  chosenPlaces,
  onlyFilament,
  type PlacedFilament,
  type PrintToStart,
  refuseFilamentMap,
} from '../print/filament-map.ts'
import { numberIn, textIn } from '../wire/wire-values.ts'
import type { CrealityFields } from './creality-state.ts'
import { hasMaterialBox, type MaterialSlot, slotsOf } from './material-boxes.ts'

/**
 * The places that a print is started from: those of the command, else the slot that the connection names; undefined without a
 * material box, where none is needed. With a box and a filament that has no place, the printer would print air.
 * @throws DriverError unless every filament has a place with a spool.
 */
export function placesFor(
  print: PrintToStart,
  { boxsInfo, cfsConnect }: CrealityFields,
  slotOfConnection: unknown,
): PlacedFilament<MaterialSlot>[] | undefined {
  const slots = slotsOf(boxsInfo)
  const hasBox = hasMaterialBox(boxsInfo)
  if (hasBox || slots.length > 0) {
    const chosen = chosenPlaces(print, slots)
    if (chosen) return chosen
  } else refuseFilamentMap(print)
  if (hasBox) {
    const place = slotNamed(textIn(slotOfConnection), slots)
    return [{ filament: onlyFilament(print), place }]
  }
  if (numberIn(cfsConnect) !== 1) return undefined
  throw new DriverError('WRONG_STATE', 'the printer has not said yet what its material box holds')
}

function slotNamed(wanted: string | null, slots: readonly MaterialSlot[]): MaterialSlot {
  const names = slots.map(({ name }) => name).join(', ')
  if (wanted === null) {
    throw new DriverError(
      'REFUSED',
      `the printer has a material box: set the slot to print from in its connection, one of ${names}`,
    )
  }
  const slot = slots.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  if (!slot) throw new DriverError('REFUSED', `the printer has no slot ${wanted}, only ${names}`)
  if (slot.isEmpty) throw new DriverError('REFUSED', `slot ${slot.name} is empty`)
  return slot
}
