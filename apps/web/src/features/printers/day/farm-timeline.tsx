import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, memo, use } from 'react'
import type { FarmDay, LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { formatClock, formatMinutes } from '../../../lib/format.ts'
import { t } from '../../../lib/i18n/t.ts'
import { useDrawnInParts } from '../../../ui/lists/use-drawn-in-parts.ts'
import { TimeZoneContext } from '../../../ui/time.tsx'
import { causeWord, layOutDay } from '../page/day-share.ts'
import '../page/day-panel.css'
import './farm-timeline.css'

const hours = [0, 6, 12, 18, 24]
/** Causes that are told below the lanes where they occur, in this order. */
const legend = ['printing', 'transferring', 'paused', 'plate_not_clear', 'filament', 'no_matching_job', 'not_started']

/** Today from midnight to midnight, a lane for each printer, with a line where it is now. */
export function FarmTimeline({ day, rows }: { day: FarmDay; rows: readonly LivePrinter[] }) {
  const [from, until] = [Date.parse(day.from), Date.parse(day.to)]
  const periodsOf = new Map(day.printers.map(({ printer_id, periods }) => [printer_id, periods]))
  const lanes = rows.flatMap(({ id, name, is_active }) => {
    const periods = is_active ? periodsOf.get(id) : undefined
    return periods ? [{ id, name, periods }] : []
  })
  const drawn = useDrawnInParts(lanes.length)
  if (lanes.length === 0) return <Text c="dimmed">{t('No records of today yet.')}</Text>
  const nowPercent = ((Date.parse(day.now) - from) / Math.max(1, until - from)) * 100
  const shown = new Set(day.printers.flatMap(({ periods }) => periods.map(({ cause }) => cause as string)))
  return (
    <>
      <ul
        className="farm-lanes"
        aria-label={t('Today by printer')}
        style={{ '--farm-now': `${nowPercent}%` } as CSSProperties}
      >
        {lanes.map((lane, place) => (
          <li key={lane.id} className="farm-lane">
            {place < drawn && <LaneOfDay {...lane} from={from} until={until} />}
          </li>
        ))}
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

interface LaneProps {
  id: string
  name: string
  periods: FarmDay['printers'][number]['periods']
  /** The day, in ms since 1970. */
  from: number
  until: number
}

/** The day of one printer, drawn again only when there is more of it: the list of printers is another one with each report. */
const LaneOfDay = memo(function LaneOfDay({ id, name, periods, from, until }: LaneProps) {
  const timeZone = use(TimeZoneContext)
  const zone = timeZone === undefined ? {} : { timeZone }
  const printedMs = periods
    .filter(({ cause }) => cause === 'printing')
    .reduce((sum, { started_at, ended_at }) => sum + Date.parse(ended_at) - Date.parse(started_at), 0)
  return (
    <>
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
        <i className="farm-now" />
      </div>
      <span className="farm-lane-sum">{printedMs === 0 ? '–' : formatMinutes(printedMs / 60_000)}</span>
    </>
  )
})
