import { BarChart } from '@mantine/charts'
import { formatDay } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import '@mantine/charts/styles.layer.css'

export interface DayChartProps {
  /** What is drawn; the table of the same name says it in figures. */
  label: string
  days: readonly { date: string; value: number }[]
  /** What a bar stands for; left out: a day. */
  each?: string
  format: (value: number) => string
}

/** A bar for each day, or whatever else. The table below it says the same. */
export function DayChart({ label, days, format, each = t('day') }: DayChartProps) {
  return (
    <div role="img" aria-label={t('{label}, a bar for each {each}; the table below has the figures', { label, each })}>
      <BarChart
        h={220}
        data={days.map(({ date, value }) => ({ date: formatDay(date), value }))}
        dataKey="date"
        series={[{ name: 'value', label, color: 'var(--tone-working)' }]}
        valueFormatter={format}
        yAxisProps={{ allowDecimals: false }}
        maxBarWidth={56}
        barProps={{ isAnimationActive: false }}
        tooltipAnimationDuration={0}
        // It is one picture: what is in it is no stop of the keyboard.
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  )
}
