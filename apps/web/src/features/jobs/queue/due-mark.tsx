import { parseTimestamp } from '../../../lib/format.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { StatusBadge } from '../../../ui/lists/status-badge.tsx'
import { Time, useNowMs } from '../../../ui/time.tsx'
import './due-mark.css'

/** When a job should be done; plain while there is time, a warning after it. */
export function DueMark({ at }: { at: string | null }) {
  const nowMs = useNowMs()
  const ms = parseTimestamp(at)
  if (ms === undefined) return null
  return (
    <span className="due-mark">
      <Rich
        text="{overdue} due {time}"
        values={{
          overdue: ms < nowMs && <StatusBadge tone="trouble">{t('Overdue')}</StatusBadge>,
          time: <Time at={at} as="clock" />,
        }}
      />
    </span>
  )
}
