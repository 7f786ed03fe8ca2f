import { ActionIcon, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { use } from 'react'
import type { PrinterTimeline } from '../../../lib/api/api-schema.generated.ts'
import { formatDay, formatMinutes, formatMoment } from '../../../lib/format.ts'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { dateOf } from '../../../lib/zone-day.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'
import { TimeZoneContext } from '../../../ui/time.tsx'
import { printerDayQuery } from '../printers.api.ts'
import { causeWord, layOutDay, nextDate, previousDate, rankTotals, startOfDay } from './day-share.ts'
import './day-panel.css'

interface DayPanelProps {
  printerId: string
  /** Undefined: today. */
  day: string | undefined
  onDay: (day: string | undefined) => void
}

/** Where the time of a day went: a bar from midnight to midnight, and the minutes of each cause. */
export function DayPanel({ printerId, day: chosen, onDay }: DayPanelProps) {
  const timeZone = use(TimeZoneContext)
  const today = dateOf(Date.now(), timeZone)
  const isToday = chosen === undefined || chosen >= today
  const date = isToday ? today : chosen
  const show = (next: string) => onDay(next >= today ? undefined : next)
  const day = useQuery(printerDayQuery(printerId, date))
  return (
    <Panel
      title={isToday ? t('Today') : formatDay(date)}
      actions={
        <Group gap={4}>
          <ActionIcon aria-label={t('The day before')} onClick={() => show(previousDate(date))}>
            <Icon name="back" size={16} />
          </ActionIcon>
          <ActionIcon aria-label={t('The day after')} disabled={isToday} onClick={() => show(nextDate(date))}>
            <Icon name="forth" size={16} />
          </ActionIcon>
        </Group>
      }
    >
      <QueryView query={day} failed={t('The day could not be read')}>
        {(timeline) => <DayBar timeline={timeline} date={date} />}
      </QueryView>
    </Panel>
  )
}

function DayBar({ timeline, date }: { timeline: PrinterTimeline; date: string }) {
  const timeZone = use(TimeZoneContext)
  // The whole day, also what is to come of it and what was before the printer.
  const from = startOfDay(date, timeZone)
  const until = startOfDay(nextDate(date), timeZone)
  const zone = timeZone === undefined ? {} : { timeZone }
  const clock = (at: string) => formatMoment(Date.parse(at), from, zone)
  const totals = rankTotals(timeline.totals)
  if (totals.length === 0) return <Text c="dimmed">{t('No records of this day.')}</Text>
  return (
    <>
      <div className="day-bar" aria-hidden="true">
        {layOutDay(timeline.segments, from, until).map(({ cause, startedAt, endedAt, offsetPercent, widthPercent }) => (
          <span
            key={startedAt}
            data-cause={cause}
            style={{ left: `${offsetPercent}%`, width: `${widthPercent}%` }}
            title={t('{cause}, {from} to {to}', {
              cause: causeWord(cause),
              from: clock(startedAt),
              to: clock(endedAt),
            })}
          />
        ))}
      </div>
      <div className="day-hours" aria-hidden="true">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span key={hour}>{hour} h</span>
        ))}
      </div>
      <ul className="day-legend" aria-label={t('Minutes by cause')}>
        {totals.map(({ cause, seconds, description }) => (
          <li key={cause} title={serviceSentence(description)}>
            <i className="day-swatch" data-cause={cause} />
            {causeWord(cause)}
            <span className="minutes">{formatMinutes(seconds / 60)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
