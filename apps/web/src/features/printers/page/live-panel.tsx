import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { LivePrinter, LivePrinterStatus, PrinterDetail } from '../../../lib/api/api-schema.generated.ts'
import { formatGrams, formatTemperature } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { Panel } from '../../../ui/page/panel.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time } from '../../../ui/time.tsx'
import { FilamentText } from '../filament-text.tsx'
import { LastKnown } from '../last-known.tsx'
import { plateWord } from '../plate-word.ts'
import { PrintProgress } from '../print-progress.tsx'
import './live-panel.css'

interface LivePanelProps {
  printer: PrinterDetail
  live: LivePrinterStatus
  status: PrinterDetail['status']
  /** The name of the print that runs. */
  printName: string | undefined
  /** What it did before it came out of reach; null while it is in reach. */
  last: LivePrinter['last_known']
}

/** What the printer does at this moment. */
export function LivePanel({ printer, live, status, printName, last }: LivePanelProps) {
  const isBusy = status === 'printing' || status === 'paused'
  const degrees = (value: number | null, target: number | null) =>
    value === null ? t('not known') : formatTemperature(value, target)
  return (
    <Panel title={last === null ? t('Now') : t('Last known')}>
      {last !== null && (
        <div className="is-past">
          {last.progress !== null && (last.status === 'printing' || last.status === 'paused') && (
            <PrintProgress percent={last.progress} minutesLeft={null} isPaused={last.status === 'paused'} />
          )}
          <Text size="sm" mt={4}>
            <LastKnown last={last} />
          </Text>
        </div>
      )}
      {isBusy && (
        <>
          <Text fw={650} mb={4}>
            <ThingLink id={live.current_job_id}>{printName ?? printer.foreign_print ?? t('A print')}</ThingLink>
            {printer.foreign_print !== null && (
              <Text component="span" c="dimmed" fw={400}>
                {t(' started at the printer, not by this service')}
              </Text>
            )}
          </Text>
          <PrintProgress
            percent={live.progress}
            minutesLeft={live.remaining_time_minutes}
            isPaused={status === 'paused'}
          />
        </>
      )}
      <dl className="live-facts">
        {live.layer_num !== null && (
          <Fact label={t('Layer')}>
            {live.layer_num}
            {live.total_layers !== null && t(' of {total_layers}', { total_layers: live.total_layers })}
          </Fact>
        )}
        <Fact label={t('Plate')}>{plateWord(printer.plate_state)}</Fact>
        {last === null && (
          <>
            <Fact label={t('Nozzle')}>{degrees(live.nozzle_temp, live.target_nozzle_temp)}</Fact>
            <Fact label={t('Bed')}>{degrees(live.bed_temp, live.target_bed_temp)}</Fact>
          </>
        )}
        {live.chamber_temp !== null && <Fact label={t('Chamber')}>{degrees(live.chamber_temp, null)}</Fact>}
        <Fact label={t('Filament')}>
          <FilamentText {...live} unknown={t('not known')} />
          {printer.loaded_filament_grams !== null &&
            t(', {loaded_filament_grams} left', { loaded_filament_grams: formatGrams(printer.loaded_filament_grams) })}
        </Fact>
        <Fact label={t('Last report')}>
          <Time at={live.last_telemetry_at} />
        </Fact>
      </dl>
    </Panel>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
