import { BarChart } from '@mantine/charts'
import '@mantine/charts/styles.layer.css'

export interface DayChartProps {
  /** What is drawn; the table of the same name says it in figures. */
  label: string
  days: readonly { date: string; value: number }[]
  format: (value: number) => string
}

/** A bar for each day. Who cannot see it has the table of the days. */
export function DayChart({ label, days, format }: DayChartProps) {
  return (
    <div role="img" aria-label={`${label}, a bar for each day; the table below has the figures`}>
      <BarChart
        h={220}
        data={days.map(({ date, value }) => ({ date, value }))}
        dataKey="date"
        series={[{ name: 'value', label, color: 'var(--tone-working)' }]}
        valueFormatter={format}
        barProps={{ isAnimationActive: false }}
        tooltipAnimationDuration={0}
        // It is one picture: what is in it is no stop of the keyboard.
        barChartProps={{ accessibilityLayer: false }}
      />
    </div>
  )
}
