import { Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { LivePrinterStatus } from '../../../lib/api/api-schema.generated.ts'
import { t } from '../../../lib/i18n/t.ts'
import { LoadingBlock } from '../../../ui/page/loading.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { describeHistory } from './temperature-history.ts'
import { useTemperatureHistory } from './use-temperature-history.ts'

const TemperatureChart = lazy(() =>
  import('./temperature-chart.tsx').then((module) => ({ default: module.TemperatureChart })),
)

/** The temperatures of the last hour, as a chart and in words. */
export function TemperaturePanel({ printerId, live }: { printerId: string; live: LivePrinterStatus }) {
  const history = useTemperatureHistory(printerId, live)
  const isKnown = history?.some(({ nozzle, bed }) => nozzle !== null || bed !== null) === true
  return (
    <Panel title={t('Temperatures')}>
      {history === undefined && <LoadingBlock height={220} />}
      {isKnown && (
        <Suspense fallback={<LoadingBlock height={220} />}>
          <TemperatureChart history={history} />
        </Suspense>
      )}
      {history !== undefined && (
        <Text size="sm" c="dimmed" mt="xs">
          {describeHistory(history)} {isKnown && t('Over the last hour.')}
        </Text>
      )}
    </Panel>
  )
}
