import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../../lib/format.ts'
import { wordsLocale } from '../../lib/i18n/reader-locale.ts'
import { t } from '../../lib/i18n/t.ts'
import { timeWriter } from '../../lib/i18n/writers.ts'
import './week-bars.css'

interface WeekDay {
  /** `2026-11-20` */
  date: string
  done: number
  failed: number
  /** Null: nothing is on record. */
  busyPercent: number | null
}

const weekday = { weekday: 'short', timeZone: 'UTC' } as const

/** Done and failed jobs and how busy the printers were, a column for each of seven days; each leads to its jobs. */
export function WeekBars({ days }: { days: readonly WeekDay[] }) {
  const most = Math.max(1, ...days.map(({ done, failed }) => done + failed))
  return (
    <ul className="week-bars" aria-label={t('Seven days')}>
      {days.map(({ date, done, failed, busyPercent }) => {
        const busy =
          busyPercent === null ? t('not on record') : t('{percent}% busy', { percent: Math.round(busyPercent) })
        return (
          <li key={date}>
            <Link to="/history" search={{ from: date, to: date }} className="week-day">
              <VisuallyHidden>
                {t('{date}: {done, plural, one {# job} other {# jobs}} done, {failed} failed, {busy}', {
                  date,
                  done,
                  failed: formatCount(failed),
                  busy,
                })}
              </VisuallyHidden>
              <span className="week-count" aria-hidden="true">
                {formatCount(done)}
                {failed > 0 && <b>{formatCount(failed)}</b>}
              </span>
              <span className="week-bar" aria-hidden="true">
                <i data-kind="failed" style={{ height: `${(failed / most) * 100}%` }} />
                <i data-kind="done" style={{ height: `${(done / most) * 100}%` }} />
              </span>
              <span className="week-busy" aria-hidden="true">
                <i style={{ width: `${busyPercent ?? 0}%` }} />
              </span>
              <span className="week-name" aria-hidden="true">
                {timeWriter(wordsLocale, weekday).format(Date.parse(`${date}T00:00:00Z`))}
                <small>{busyPercent === null ? '–' : `${Math.round(busyPercent)}%`}</small>
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
