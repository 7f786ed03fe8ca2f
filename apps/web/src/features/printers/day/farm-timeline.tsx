import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { use } from 'react'
import type { FarmDay, LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { formatClock, formatMinutes } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { TimeZoneContext } from '../../../ui/time.tsx'
import { causeWord, layOutDay } from '../page/day-share.ts'
import '../page/day-panel.css'
import './farm-timeline.css'

const hours = [0, 6, 12, 18, 24]
/** Causes that are told below the lanes where they occur, in this order. */
const legend = ['printing', 'transferring', 'paused', 'plate_not_clear', 'filament', 'no_matching_job', 'not_started']

/** Today from midnight to midnight, a lane for each printer, with a line where it is now. */
export function FarmTimeline({ day, rows }: { day: FarmDay; rows: readonly LivePrinter[] }) {
  const timeZone = use(TimeZoneContext)
  const zone = timeZone === undefined ? {} : { timeZone }
  const [from, until] = [Date.parse(day.from), Date.parse(day.to)]
  const periodsOf = new Map(day.printers.map(({ printer_id, periods }) => [printer_id, periods]))
  const lanes = rows.filter(({ id, is_active }) => is_active && periodsOf.has(id))
  if (lanes.length === 0) return <Text c="dimmed">{t('No records of today yet.')}</Text>
  const nowPercent = ((Date.parse(day.now) - from) / Math.max(1, until - from)) * 100
  const shown = new Set(day.printers.flatMap(({ periods }) => periods.map(({ cause }) => cause as string)))
  return (
    <>
      <ul className="farm-lanes" aria-label={t('Today by printer')}>
        {lanes.map(({ id, name }) => {
          const periods = periodsOf.get(id) ?? []
          const printedMs = periods
            .filter(({ cause }) => cause === 'printing')
            .reduce((sum, { started_at, ended_at }) => sum + Date.parse(ended_at) - Date.parse(started_at), 0)
          return (
            <li key={id} className="farm-lane">
              <Link to="/printers/$printerId" params={{ printerId: id }} className="farm-lane-name">
                {name}
              </Link>
              <div
                className="day-bar farm-lane-bar"
                role="img"
                aria-label={
                  printedMs === 0
                    ? t('{name} printed nothing today', { name })
                    : t('{name} printed {duration} today', { name, duration: formatMinutes(printedMs / 60_000) })
                }
              >
                {layOutDay(periods, from, until).map((segment, index) => (
                  <span
                    key={segment.startedAt}
                    data-cause={segment.cause}
                    style={{ left: `${segment.offsetPercent}%`, width: `${segment.widthPercent}%` }}
                    title={t('{job_name}, {startedAt} to {endedAt}', {
                      job_name: periods[index]?.job_name ?? causeWord(segment.cause),
                      startedAt: formatClock(Date.parse(segment.startedAt), zone),
                      endedAt: formatClock(Date.parse(segment.endedAt), zone),
                    })}
                  />
                ))}
                <i className="farm-now" style={{ left: `${nowPercent}%` }} />
              </div>
              <span className="farm-lane-sum">{printedMs === 0 ? '–' : formatMinutes(printedMs / 60_000)}</span>
            </li>
          )
        })}
      </ul>
      <div className="farm-lane farm-hours" aria-hidden="true">
        <span />
        <div className="day-hours">
          {hours.map((hour) => (
            <span key={hour}>{hour} h</span>
          ))}
        </div>
        <span />
      </div>
      <ul className="farm-legend" aria-label={t('Meaning of the colours')}>
        {[...legend, ...[...shown].filter((cause) => !legend.includes(cause))]
          .filter((cause) => shown.has(cause))
          .map((cause) => (
            <li key={cause}>
              <i className="day-swatch" data-cause={cause} />
              {causeWord(cause)}
            </li>
          ))}
      </ul>
    </>
  )
}
