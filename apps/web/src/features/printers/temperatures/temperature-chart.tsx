import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { use, useEffect, useMemo, useRef } from 'react'
import uPlot from 'uplot'
import { t } from '../../../lib/i18n/t.ts'
import 'uplot/dist/uPlot.min.css'
import { formatClock } from '../../../lib/format.ts'
import { TimeZoneContext } from '../../../ui/time.tsx'
import type { TemperatureSample } from './temperature-history.ts'
import './temperature-chart.css'

const height = 220
const colors = {
  light: { nozzle: '#b3261e', bed: '#14625c', chamber: '#7d5ba6', text: '#3d4a46', grid: '#d9deda' },
  dark: { nozzle: '#ffada3', bed: '#8cd3ca', chamber: '#cbb3e6', text: '#c3cbc8', grid: '#39423f' },
}

/** The temperatures of the last hour. What it shows stands in words beside it. */
export function TemperatureChart({ history }: { history: readonly TemperatureSample[] }) {
  const { ref, width } = useElementSize()
  const scheme = useComputedColorScheme('light')
  const timeZone = use(TimeZoneContext)
  const host = useRef<HTMLDivElement>(null)
  const chart = useRef<uPlot>(null)
  const data = useMemo(() => columnsOf(history), [history])
  const newest = useRef(data)
  newest.current = data

  useEffect(() => {
    if (!host.current || width === 0) return undefined
    const made = new uPlot(optionsFor(width, colors[scheme], clockWith(timeZone)), newest.current, host.current)
    chart.current = made
    return () => {
      made.destroy()
      chart.current = null
    }
  }, [width, scheme, timeZone])

  useEffect(() => chart.current?.setData(data), [data])
  return (
    <div ref={ref} className="temperature-chart" aria-hidden="true">
      <div ref={host} />
    </div>
  )
}

function columnsOf(history: readonly TemperatureSample[]): uPlot.AlignedData {
  return [
    history.map(({ atMs }) => atMs / 1000),
    history.map(({ nozzle }) => nozzle),
    history.map(({ nozzleTarget }) => nozzleTarget || null),
    history.map(({ bed }) => bed),
    history.map(({ bedTarget }) => bedTarget || null),
    history.map(({ chamber }) => chamber),
  ]
}

/** In the account's zone. */
function clockWith(timeZone: string | undefined): (seconds: number) => string {
  return (seconds) => formatClock(seconds * 1000, timeZone === undefined ? {} : { timeZone })
}

/** Steps of the axis that are whole minutes, so that no two of them read the same. */
const minuteSteps = [60, 120, 300, 600, 900, 1_800, 3_600]

function optionsFor(
  width: number,
  { nozzle, bed, chamber, text, grid }: (typeof colors)['light'],
  clockOf: (seconds: number) => string,
): uPlot.Options {
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 } }
  const line = (label: string, stroke: string) => ({ label, stroke, width: 2, points: { show: false } })
  const target = (label: string, stroke: string) => ({ label, stroke, width: 1, dash: [6, 4], points: { show: false } })
  return {
    width,
    height,
    legend: { live: false },
    scales: {
      // The hour that is kept, however little of it is known yet.
      x: { range: (_plot, _first, last) => [last - 3_600, last] },
      y: {
        range: (_plot, low, high) => [Math.max(0, Math.floor((low - 5) / 10) * 10), Math.ceil((high + 5) / 10) * 10],
      },
    },
    axes: [
      { ...axis, values: (_plot, ticks) => ticks.map(clockOf), space: 84, incrs: minuteSteps },
      { ...axis, values: (_plot, ticks) => ticks.map((value) => `${value} °C`), size: 64 },
    ],
    series: [
      {},
      line(t('Nozzle'), nozzle),
      target(t('Nozzle target'), nozzle),
      line(t('Bed'), bed),
      target(t('Bed target'), bed),
      line(t('Chamber'), chamber),
    ],
  }
}
