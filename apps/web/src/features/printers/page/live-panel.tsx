import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { LivePrinter, LivePrinterStatus, PrinterDetail } from '../../../lib/api/api-schema.generated.ts'
import { formatGrams, formatTemperature } from '../../../lib/format.ts'
import { Panel } from '../../../ui/page/panel.tsx'
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
    value === null ? 'not known' : formatTemperature(value, target)
  return (
    <Panel title={last === null ? 'Now' : 'Last known'}>
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
            {printName ?? printer.foreign_print ?? 'A print'}
            {printer.foreign_print !== null && (
              <Text component="span" c="dimmed" fw={400}>
                {' '}
                started at the printer, not by this service
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
          <Fact label="Layer">
            {live.layer_num}
            {live.total_layers !== null && ` of ${live.total_layers}`}
          </Fact>
        )}
        <Fact label="Plate">{plateWord(printer.plate_state)}</Fact>
        {last === null && (
          <>
            <Fact label="Nozzle">{degrees(live.nozzle_temp, live.target_nozzle_temp)}</Fact>
            <Fact label="Bed">{degrees(live.bed_temp, live.target_bed_temp)}</Fact>
          </>
        )}
        {live.chamber_temp !== null && <Fact label="Chamber">{degrees(live.chamber_temp, null)}</Fact>}
        <Fact label="Filament">
          <FilamentText {...live} unknown="not known" />
          {printer.loaded_filament_grams !== null && `, ${formatGrams(printer.loaded_filament_grams)} left`}
        </Fact>
        <Fact label="Last report">
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
