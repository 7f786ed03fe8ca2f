import { Skeleton, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { LivePrinterStatus } from '../../../lib/api/api-schema.generated.ts'
import { Panel } from '../../../ui/page/panel.tsx'
import { describeHistory } from './temperature-history.ts'
import { useTemperatureHistory } from './use-temperature-history.ts'

const TemperatureChart = lazy(() =>
  import('./temperature-chart.tsx').then((module) => ({ default: module.TemperatureChart })),
)

/** The temperatures since this page was opened, as a chart and in words. */
export function TemperaturePanel({ live }: { live: LivePrinterStatus }) {
  const history = useTemperatureHistory(live)
  return (
    <Panel title="Temperatures">
      {/* One sample is no line, and the axis would show the times of 1970. */}
      {history.length > 1 && (
        <Suspense fallback={<Skeleton height={220} />}>
          <TemperatureChart history={history} />
        </Suspense>
      )}
      <Text size="sm" c="dimmed" mt="xs">
        {describeHistory(history)} {history.length > 0 && 'Since this page was opened.'}
      </Text>
    </Panel>
  )
}
