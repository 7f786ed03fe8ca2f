import { lazy, Suspense } from 'react'
import { LoadingBlock } from '../../ui/page/loading.tsx'
import { Panel } from '../../ui/page/panel.tsx'
import type { DayChartProps } from './day-chart.tsx'

const DayChart = lazy(async () => ({ default: (await import('./day-chart.tsx')).DayChart }))

/** A chart of days, or of what else there is a bar for, once there is anything to draw. What draws it is fetched when it is first shown. */
export function DayPanel(props: DayChartProps) {
  if (props.days.every(({ value }) => value === 0)) return null
  return (
    <Panel title={props.label}>
      <Suspense fallback={<LoadingBlock height={220} />}>
        <DayChart {...props} />
      </Suspense>
    </Panel>
  )
}
