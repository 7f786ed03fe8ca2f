import { formatMinutes, formatPercent } from '../../lib/format.ts'
import { Rich } from '../../lib/i18n/rich.tsx'
import { t } from '../../lib/i18n/t.ts'
import './print-progress.css'

interface PrintProgressProps {
  /** 0 to 100; null: not known. */
  percent: number | null
  minutesLeft: number | null
  /** Time of day when it is done; left out where that is not known. */
  doneAt?: string | undefined
  isPaused: boolean
}

/** How far a print is: a bar, the figure, and the time that is left. */
export function PrintProgress({ percent, minutesLeft, doneAt, isPaused }: PrintProgressProps) {
  return (
    <div className="print-progress" data-tone={isPaused ? 'waiting' : 'working'}>
      <div className="print-progress-bar" aria-hidden="true">
        <span style={{ transform: `scaleX(${(percent ?? 0) / 100})` }} />
      </div>
      <span>{percent === null ? t('Progress not known') : formatPercent(percent)}</span>
      {minutesLeft !== null && (
        <span>
          <Rich
            text="{minutesLeft} left{doneAt}"
            values={{ minutesLeft: formatMinutes(minutesLeft), doneAt: doneAt !== undefined && ` · ${doneAt}` }}
          />
        </span>
      )}
    </div>
  )
}
