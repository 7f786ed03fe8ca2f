import type { CommandArguments } from '@printyard/protocol/commands'
import type { FilamentSlot } from '@printyard/protocol/printer-state'
import type { Capabilities } from '../../drivers/driver.ts'
import { chosenPlaces, type PrintToStart, refuseFilamentMap } from '../../drivers/print/filament-map.ts'
import { readUsedFilaments } from '../../files/used-filaments.ts'

export interface FilamentQuestion {
  command: Pick<CommandArguments<'print'>, 'file' | 'filament_map'>
  /** The file on the hub's disk. */
  path: string
  capability: Capabilities['filamentMap']
  /** What the printer tells of its places now. */
  slots: readonly FilamentSlot[] | null | undefined
  signal: AbortSignal
}

/**
 * The print with what is known of its filaments: before the file goes to the printer, so that a map which cannot be kept to moves
 * nothing. What a file uses is read where the printer would choose by itself, and of archives, where that takes no time.
 * @throws DriverError `NOT_MAPPED`
 */
export async function withFilaments(question: FilamentQuestion): Promise<PrintToStart> {
  const { command, path, capability, slots, signal } = question
  const { file, filament_map = null } = command
  if (capability === 'none') refuseFilamentMap({ filament_map })
  const isWanted = capability === 'needed' && (filament_map === null || file.format === 'gcode-3mf')
  // A file that cannot be read here is refused by the printer, with better reasons than ours.
  const filaments = isWanted ? await readUsedFilaments(path, file, signal).catch(() => null) : null
  signal.throwIfAborted()
  const print = { ...file, filament_map, filaments }
  if (slots) chosenPlaces(print, slots.map(placeOf))
  return print
}

/** A printer need not know what hangs on a holder outside: one that is not described may have a spool. */
function placeOf({ slot, name, is_empty, is_external }: FilamentSlot) {
  return { number: slot, name, isEmpty: is_empty && is_external !== true }
}
