import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { weekQuery } from '../../../features/overview/overview.api.ts'
import { WeekBars } from '../../../features/overview/week-bars.tsx'
import { farmDayQuery } from '../../../features/printers/board.api.ts'
import { CameraWall } from '../../../features/printers/camera/camera-wall.tsx'
import { FarmTimeline } from '../../../features/printers/day/farm-timeline.tsx'
import type { LivePrinter } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LinkText } from '../../../ui/link-text.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { QueryView } from '../../../ui/page/query-view.tsx'

/** More cameras than anyone watches at once; the page of printers has all. */
const mostCameras = 12

/** The day of every printer. */
export function OverviewDay({ rows }: { rows: readonly LivePrinter[] }) {
  const day = useQuery(farmDayQuery())
  return (
    <Panel title={t('Today by printer')}>
      <QueryView query={day} failed={t('The day could not be read')}>
        {(data) => <FarmTimeline day={data} rows={rows} />}
      </QueryView>
    </Panel>
  )
}

/** What was done and what failed in seven days, and how busy the printers were. */
export function OverviewWeek() {
  const day = useQuery(farmDayQuery())
  const week = day.data?.week
  const from = week?.[0]?.date
  const production = useQuery({ ...weekQuery(from ?? ''), enabled: from !== undefined })
  return (
    <Panel
      title={t('Seven days')}
      actions={
        <LinkText to="/reports" size="sm">
          {t('Reports')}
        </LinkText>
      }
    >
      <QueryView
        query={{ ...production, error: production.error ?? day.error }}
        failed={t('The week could not be read')}
      >
        {({ daily }) => {
          const ofDay = new Map(daily.map((each) => [each.date, each]))
          return (
            <>
              <WeekBars
                days={(week ?? []).map(({ date, busy_percent }) => ({
                  date,
                  done: ofDay.get(date)?.jobs_completed ?? 0,
                  failed: ofDay.get(date)?.jobs_failed ?? 0,
                  busyPercent: busy_percent,
                }))}
              />
              <Text size="sm" c="dimmed" mt="xs">
                {t(
                  'Jobs done and failed, and how busy the printers were: the share of their time on record that they printed.',
                )}
              </Text>
            </>
          )
        }}
      </QueryView>
    </Panel>
  )
}

/** What the cameras of printers see that print. */
export function OverviewCameras({ rows }: { rows: readonly LivePrinter[] }) {
  const printing = rows.filter(({ is_active, status }) => is_active && (status === 'printing' || status === 'paused'))
  if (printing.length === 0) return null
  return (
    <Panel
      title={t('Cameras')}
      actions={
        <LinkText to="/printers" search={{ as: 'cameras' }} size="sm">
          {t('All cameras')}
        </LinkText>
      }
    >
      <CameraWall rows={printing.slice(0, mostCameras)} isStrip />
    </Panel>
  )
}
