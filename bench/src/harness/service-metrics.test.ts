import { expect, test } from 'vitest'
import { eventLoopLag, reportsTaken } from './service-metrics.ts'

const metrics = `# HELP nodejs_eventloop_lag_max_seconds The maximum recorded event loop delay.
# TYPE nodejs_eventloop_lag_max_seconds gauge
nodejs_eventloop_lag_max_seconds 0.052
nodejs_eventloop_lag_p99_seconds 0.009
printyard_printer_reports_total 1200
`

test('reports are read from the metrics of the service', () => {
  expect(reportsTaken(metrics)).toBe(1200)
  expect(() => reportsTaken('')).toThrow('printyard_printer_reports_total')
})

test('of the lag the interval of its timer does not count', () => {
  expect(eventLoopLag(metrics)).toEqual({ p99Ms: 0, maxMs: 42 })
})
