import type { FilamentAssignment } from '@printyard/protocol/commands'
import type { PrinterState } from '@printyard/protocol/printer-state'

/**
 * The slots that a printer draws from while it prints layers. Empty before the first: the filament of the print before stays in the
 * nozzle until the start of the new one has changed it.
 */
export function drawnSlots({
  slots,
  layer_num,
  status,
}: Pick<PrinterState, 'slots' | 'layer_num' | 'status'>): number[] {
  if (status !== 'printing' || layer_num === null || layer_num < 1) return []
  return (slots ?? []).flatMap(({ slot, is_active }) => (is_active ? [slot] : []))
}

/** The first slot that a printer draws from although it was told others; undefined where all is as it was told. */
export function otherSlot(
  state: Pick<PrinterState, 'slots' | 'layer_num' | 'status'>,
  map: readonly FilamentAssignment[] | null,
): number | undefined {
  if (map === null) return undefined
  const told = new Set(map.map(({ slot }) => slot))
  return drawnSlots(state).find((slot) => !told.has(slot))
}
