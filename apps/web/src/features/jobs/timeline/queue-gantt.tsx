import { SegmentedControl, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment, use, useEffect, useMemo, useRef } from 'react'
import type { QueueTimeline, TimelineJob } from '../../../lib/api/api-schema.generated.ts'
import { formatClock, formatMoment } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { serviceSentence } from '../../../lib/i18n/service-sentence.ts'
import { t } from '../../../lib/i18n/t.ts'
import { timeWriter } from '../../../lib/i18n/writers.ts'
import { useMay } from '../../../lib/session.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { ThingLink } from '../../../ui/thing-link.tsx'
import { Time, TimeZoneContext, useNowMs } from '../../../ui/time.tsx'
import { presentJobStatus } from '../job-state.ts'
import { DueMark } from '../queue/due-mark.tsx'
import { type TimelineSpan, timelineSpans } from '../queue/queue-search.ts'
import { forecastWords, lateWords } from './forecast-words.ts'
import { type Bar, type LaidOut, type Lane, layOut, ticksOf } from './lay-out.ts'
import { useLaneMoves } from './use-lane-moves.ts'
import './queue-gantt.css'

const spanWords: Record<TimelineSpan, string> = { '12': '12 h', '24': '24 h', '72': t('3 days'), '168': t('7 days') }

interface QueueGanttProps {
  timeline: QueueTimeline
  span: TimelineSpan
  onSpan: (span: TimelineSpan) => void
}

/** What prints where until when, and what would print after it: a lane for each printer, and the same as a table. */
export function QueueGantt({ timeline, span, onSpan }: QueueGanttProps) {
  const timeZone = use(TimeZoneContext)
  const laidOut = useMemo(() => layOut(timeline, Number(span)), [timeline, span])
  const { lanes, idle, unplanned } = laidOut
  const mayMove = useMay('write')
  const move = useLaneMoves(timeline)
  const drawn = useRef<HTMLDivElement>(null)
  // What is drawn changes with every forecast, and the bars with it.
  useEffect(() => {
    const element = drawn.current
    if (!mayMove || !element || timeline.jobs.length === 0) return
    let end: (() => void) | undefined
    let isOver = false
    // Fetched once there is something to drag.
    void import('./lane-drag.ts').then(({ followLaneDrags }) => {
      if (!isOver) end = followLaneDrags(element, (jobId, printerId) => void move(jobId, printerId))
    })
    return () => {
      isOver = true
      end?.()
    }
  })
  return (
    <Stack gap="md" ref={drawn}>
      <Panel
        title={t('By printer')}
        actions={
          <SegmentedControl
            size="xs"
            aria-label={t('Period shown')}
            data={timelineSpans.map((value) => ({ value, label: spanWords[value] }))}
            value={span}
            onChange={(value) => onSpan(value as TimelineSpan)}
          />
        }
      >
        {lanes.length > 0 && (
          <div className="gantt" aria-hidden="true">
            <Axis laidOut={laidOut} timeZone={timeZone} />
            {lanes.map((lane) => (
              <GanttLane key={lane.id} lane={lane} laidOut={laidOut} timeZone={timeZone} />
            ))}
            <ul className="gantt-legend">
              <li>
                <Rich
                  text="{sign} on the printer"
                  values={{ sign: <i className="gantt-swatch" data-kind="running" /> }}
                />
              </li>
              <li>
                <Rich text="{sign} forecast" values={{ sign: <i className="gantt-swatch" data-kind="planned" /> }} />
              </li>
              <li>
                <Rich
                  text="{sign} nine of ten are done by its end"
                  values={{ sign: <i className="gantt-swatch" data-kind="tail" /> }}
                />
              </li>
              <li>
                <Rich
                  text="{sign} done after it is due"
                  values={{ sign: <i className="gantt-swatch" data-kind="late" /> }}
                />
              </li>
              <li>
                <Rich text="{sign} due" values={{ sign: <i className="gantt-swatch" data-kind="due" /> }} />
              </li>
              {laidOut.working.length > 0 && (
                <li>
                  <Rich
                    text="{sign} working hours"
                    values={{ sign: <i className="gantt-swatch" data-kind="working" /> }}
                  />
                </li>
              )}
            </ul>
          </div>
        )}
        {idle.length > 0 && (
          <Text size="sm" c="dimmed" mt="xs">
            <Rich
              text="{idle, plural, one {# printer has} other {# printers have}} nothing planned: {names}"
              values={{ idle: idle.length, names: <IdlePrinters printers={idle} /> }}
            />
          </Text>
        )}
        <Text size="sm" c="dimmed" mt="xs">
          <Rich
            text="A forecast, no plan: in the order of the queue, each job on the printer that ends it first, with plates cleared at once. Another printer that is free sooner takes it, unless the job was dragged to one. {madeAt}"
            values={{ madeAt: <MadeAt timeline={timeline} /> }}
          />
        </Text>
      </Panel>
      {unplanned.length > 0 && (
        <Panel title={t('Not planned ({unplanned})', { unplanned: unplanned.length })}>
          <ul className="plain-list gantt-unplanned">
            {unplanned.map((job) => (
              <li key={job.id}>
                <LinkText to="/jobs/$jobId" params={{ jobId: job.id }} fw={600}>
                  {job.name}
                </LinkText>{' '}
                <DueMark at={job.due_date} />
                <Text size="sm">{serviceSentence(job.message) || t('Its start is unknown')}</Text>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <details className="gantt-table">
        <summary>{t('The same as a table')}</summary>
        <DataTable
          label={t('Jobs by printer, with when they start and are done')}
          columns={columnsOf(timeline)}
          rows={timeline.jobs}
          rowKey={({ id }) => id}
        />
      </details>
      {timeline.has_more && (
        <Text size="sm" c="dimmed">
          {t('These are the first 300 jobs of the queue. The list has all of them.')}
        </Text>
      )}
    </Stack>
  )
}

const mostNames = 12

/** Their names are where jobs can be dropped, as lanes are. */
function IdlePrinters({ printers }: { printers: LaidOut['idle'] }) {
  const shown = printers.slice(0, mostNames)
  return (
    <>
      {shown.map(({ id, name }, index) => (
        <Fragment key={id}>
          {index > 0 && ', '}
          <span data-printer-id={id} className="gantt-idle">
            <ThingLink id={id}>{name}</ThingLink>
          </span>
        </Fragment>
      ))}
      {printers.length > mostNames && t(' and {count} more', { count: printers.length - mostNames })}
    </>
  )
}

function MadeAt({ timeline }: { timeline: QueueTimeline }) {
  if (timeline.forecast_made_at === null) return <>{t('It is being created.')}</>
  return <Rich text="Made {time}." values={{ time: <Time at={timeline.forecast_made_at} /> }} />
}

/** In % of a lane: a time further right does not fit before its end. */
const lastTick = 88
const lastTickOfPhone = 74

interface AxisProps {
  laidOut: LaidOut
  timeZone: string | undefined
}

function Axis({ laidOut: { fromMs, untilMs }, timeZone }: AxisProps) {
  const zone = timeZone === undefined ? {} : { timeZone }
  const day = timeWriter(undefined, { weekday: 'short', timeZone })
  const isLong = untilMs - fromMs > 30 * 3_600_000
  return (
    <div className="gantt-lane gantt-axis">
      <span />
      <div className="gantt-bars">
        {ticksOf(fromMs, untilMs, timeZone).map((tick) => {
          const offset = ((tick - fromMs) / (untilMs - fromMs)) * 100
          if (offset > lastTick) return null
          return (
            <span
              key={tick}
              className="gantt-tick"
              data-needs-width={offset > lastTickOfPhone || undefined}
              style={{ left: `${offset}%` }}
            >
              {isLong ? `${day.format(tick)} ${formatClock(tick, zone)}` : formatClock(tick, zone)}
            </span>
          )
        })}
      </div>
      <span />
    </div>
  )
}

function GanttLane({ lane, laidOut, timeZone }: { lane: Lane } & AxisProps) {
  const nowMs = useNowMs()
  const { id, name, bars, later, freeMs, isInMaintenance } = lane
  const zone = timeZone === undefined ? {} : { timeZone }
  return (
    <div className="gantt-lane" data-printer-id={id}>
      <Link to="/printers/$printerId" params={{ printerId: id }} tabIndex={-1} className="gantt-name">
        {name}
        {isInMaintenance && t(' (maintenance)')}
      </Link>
      <div className="gantt-bars gantt-ground" data-has-hours={laidOut.working.length > 0 || undefined}>
        {laidOut.working.map(({ offset, width }) => (
          <i key={offset} className="gantt-working" style={{ left: `${offset}%`, width: `${width}%` }} />
        ))}
        {bars.map((bar) => (
          <GanttBar key={bar.job.id} bar={bar} clock={{ nowMs, timeZone }} />
        ))}
        <i className="gantt-now" style={{ left: `${laidOut.now}%` }} />
      </div>
      <span className="gantt-free">
        {freeMs === undefined ? t('end not known') : t('free {time}', { time: formatMoment(freeMs, nowMs, zone) })}
        {later > 0 && t(' · {later} later', { later })}
      </span>
    </div>
  )
}

/** In % of a lane: a shorter bar shows a character or two at most, and no name. */
const leastNamed = 5

function GanttBar({ bar, clock }: { bar: Bar; clock: { nowMs: number; timeZone: string | undefined } }) {
  const { job, offset, width, tail, due, isLate } = bar
  const said = [job.name, forecastWords(job, clock), lateWords(job.done_p90_at, clock), isLate && t('after it is due')]
  const kind = isLate ? 'late' : job.status === 'queued' ? 'planned' : 'running'
  return (
    <>
      {tail > 0 && <i className="gantt-tail" style={{ left: `${offset + width}%`, width: `${tail}%` }} />}
      <Link
        to="/jobs/$jobId"
        params={{ jobId: job.id }}
        tabIndex={-1}
        className="gantt-bar"
        data-kind={kind}
        {...(job.status === 'queued' && { 'data-job-id': job.id, 'data-from-printer': job.printer_id ?? '' })}
        style={{ left: `${offset}%`, width: `max(3px, calc(${width}% - 2px))` }}
        title={said.filter(Boolean).join(', ')}
      >
        {width > leastNamed && job.name}
      </Link>
      {due !== undefined && (
        <i className="gantt-due" style={{ left: `${due}%` }} title={t('{name} is due', { name: job.name })} />
      )}
    </>
  )
}

const columnsOf = ({ printers }: QueueTimeline): Column<TimelineJob>[] => {
  const names = new Map(printers.map(({ id, name }) => [id, name]))
  return [
    {
      key: 'job',
      label: t('Job'),
      isTitle: true,
      cell: ({ id, name }) => (
        <LinkText to="/jobs/$jobId" params={{ jobId: id }}>
          {name}
        </LinkText>
      ),
    },
    {
      key: 'printer',
      label: t('Printer'),
      cell: ({ printer_id, starts_at }) =>
        (starts_at !== null && printer_id !== null && names.get(printer_id)) || t('Not planned'),
    },
    {
      key: 'status',
      label: t('Status'),
      cell: ({ status }) => {
        const { tone, word } = presentJobStatus(status)
        return <StatusBadge tone={tone}>{word}</StatusBadge>
      },
    },
    {
      key: 'start',
      label: t('Starts'),
      cell: ({ starts_at }) => <Time at={starts_at} as="clock" never={t('not known')} />,
    },
    {
      key: 'done',
      label: t('Done'),
      cell: ({ done_p50_at }) => <Time at={done_p50_at} as="clock" never={t('not known')} />,
    },
    {
      key: 'late',
      label: t('Nine of ten by'),
      cell: ({ done_p90_at }) => <Time at={done_p90_at} as="clock" never={t('not known')} />,
    },
    { key: 'due', label: t('Due'), cell: ({ due_date }) => <Time at={due_date} as="clock" never="–" /> },
    { key: 'why', label: t('Note'), cell: ({ message }) => serviceSentence(message) || '–' },
  ]
}
