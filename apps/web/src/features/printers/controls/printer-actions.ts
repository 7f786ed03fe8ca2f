import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'

export const physicalActions = ['pause', 'resume', 'stop', 'clear_bed', 'heaters', 'light', 'filament'] as const
export type PhysicalAction = (typeof physicalActions)[number]

export type Standing = Pick<LivePrinter, 'status' | 'hub_online' | 'hub_id' | 'in_maintenance' | 'plate_state'>

/** Why the printer can do none of what moves or heats it; undefined when it can be asked. */
export function whyOutOfReach({ hub_id, hub_online, status }: Standing): string | undefined {
  if (hub_id === null) return t('No hub runs this printer')
  if (!hub_online) return t('Its hub is not connected')
  return status === 'offline' ? t('It does not answer its hub') : undefined
}

/** Why a printer cannot do this now, as the service would refuse it; undefined when it can. */
export function whyNot(action: PhysicalAction, printer: Standing): string | undefined {
  const { status, plate_state } = printer
  const isBusy = status === 'printing' || status === 'paused'
  if (action === 'clear_bed') {
    if (isBusy) return t('A print is on it')
    // What the printer does meanwhile, or did last, is not known.
    if (printer.hub_id !== null && !printer.hub_online) return t('Its hub is not connected')
    if (status === 'maintenance' && printer.hub_online && !printer.in_maintenance) return t('It is busy with itself')
    return plate_state === 'clear' ? t('It is clear already') : undefined
  }
  const away = whyOutOfReach(printer)
  if (away !== undefined) return away
  switch (action) {
    case 'pause':
      return status === 'printing' ? undefined : t('Nothing is printing')
    case 'resume':
      return status === 'paused' ? undefined : t('Nothing is paused')
    case 'stop':
      return isBusy ? undefined : t('Nothing is printing')
    case 'filament':
      return status === 'printing'
        ? t('Not while it prints')
        : status === 'error'
          ? t('Not while it is in error')
          : undefined
    case 'heaters':
    case 'light':
      return undefined
  }
}
