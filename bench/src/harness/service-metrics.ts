import { fetchOk } from './fetch-ok.ts'

/** What a service says of itself, in the text format of Prometheus. */
export async function readMetrics(url: string): Promise<string> {
  return await fetchOk(`${url}/metrics`, {})
}

/** Reports of printers that the service has taken since its start. */
export function reportsTaken(metrics: string): number {
  return metricOf(metrics, 'printyard_printer_reports_total')
}

/** The timer by which the service measures its lag goes off so often; that it waits for so long is no lag. */
const timerMs = 10

/** How late the event loop of the service was since its metrics were read before. */
export function eventLoopLag(metrics: string): { p99Ms: number; maxMs: number } {
  const ms = (name: string) => Math.max(0, metricOf(metrics, `nodejs_eventloop_lag_${name}_seconds`) * 1_000 - timerMs)
  return { p99Ms: ms('p99'), maxMs: ms('max') }
}

/** @throws when the service tells no such metric. */
function metricOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `))
  if (line === undefined) throw new Error(`The service tells no ${name}`)
  return Number(line.slice(name.length + 1))
}
