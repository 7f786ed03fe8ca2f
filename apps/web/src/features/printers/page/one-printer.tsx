import { useQuery } from '@tanstack/react-query'
import type { LivePrinter, LivePrinterStatus, PrinterDetail } from '../../../lib/api/api-schema.generated.ts'
import { jobQuery } from '../../../lib/api/shared-queries.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useMay } from '../../../lib/session.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { CameraPanel } from '../camera/camera-panel.tsx'
import { ControlsPanel } from '../controls/controls-panel.tsx'
import { presentPrinterStatus } from '../printer-state.ts'
import { TemperaturePanel } from '../temperatures/temperature-panel.tsx'
import { DayPanel } from './day-panel.tsx'
import { HealthAlerts } from './health-alerts.tsx'
import { LivePanel } from './live-panel.tsx'
import { PrinterEvents } from './printer-events.tsx'
import { PrinterMenu } from './printer-menu.tsx'
import { PrinterQueue } from './printer-queue.tsx'
import './one-printer.css'

interface OnePrinterProps {
  printer: PrinterDetail
  live: LivePrinterStatus
  /** What it did before it came out of reach; null while it is in reach. */
  last: LivePrinter['last_known']
  /** The day whose time is told; undefined: today. */
  day: string | undefined
  onDay: (day: string | undefined) => void
}

/** All of one printer: what is wrong, what it does, what can be asked of it. */
export function OnePrinter({ printer, live, last, day, onDay }: OnePrinterProps) {
  const { id, name, model, location } = printer
  const mayControl = useMay('control')
  const mayChange = useMay('write')
  const job = useQuery({ ...jobQuery(live.current_job_id ?? ''), enabled: live.current_job_id !== null })
  // Live messages tell what the printer itself says; a person's word that it is out of service stands above it.
  const status = printer.in_maintenance ? 'maintenance' : printer.is_active ? (live.status ?? 'offline') : 'offline'
  const { tone, word } = presentPrinterStatus(status)
  return (
    <>
      <PageHeader
        title={name}
        description={
          <>
            <LinkText to="/printers">{t('Printers')}</LinkText> · {[model, location].filter(Boolean).join(' · ')}
          </>
        }
        badge={<StatusBadge tone={tone}>{printer.is_active ? word : t('Out of use')}</StatusBadge>}
        actions={mayChange && <PrinterMenu printer={printer} />}
      />
      <HealthAlerts printer={printer} />
      <div className="printer-columns">
        <div className="printer-column">
          <LivePanel
            printer={printer}
            live={live}
            status={status}
            last={last}
            printName={job.data ? (job.data.product_name ?? job.data.file_name) : undefined}
          />
          {mayControl && (
            <ControlsPanel printer={printer} standing={{ ...printer, hub_online: live.hub_online, status }} />
          )}
          <TemperaturePanel printerId={id} live={live} />
          <DayPanel printerId={id} day={day} onDay={onDay} />
        </div>
        <div className="printer-column">
          <CameraPanel printerId={id} name={name} />
          <PrinterQueue printerId={id} />
          <PrinterEvents printerId={id} />
        </div>
      </div>
    </>
  )
}
