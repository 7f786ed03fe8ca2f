import type { BenchmarkResult } from './result.ts'

/** What a benchmark found, for people. */
export function describeResult({
  servers = [],
  memory = {},
  times_ms = {},
  compared = {},
  goals,
}: BenchmarkResult): string {
  const serverTable = servers.map((server) => [
    server.server,
    `${server.requests_per_s} req/s`,
    server.p50_ms === null ? '' : `p50 ${server.p50_ms} ms`,
    server.p99_ms === null ? '' : `p99 ${server.p99_ms} ms`,
    server.cpu_us_per_request === null ? '' : `${server.cpu_us_per_request} µs processor time each`,
  ])
  const memoryTable = Object.entries(memory).map(([name, figures]) =>
    figures === null
      ? [name, 'not known here']
      : [name, `${figures.rss_mb} MB resident`, `${figures.pss_mb} MB proportional`, `${figures.processes} processes`],
  )
  const timeTable = Object.entries(times_ms).map(([name, ms]) => [name, `${ms} ms`])
  const verdicts = { true: 'met', false: 'MISSED', null: 'not known here' }
  const goalTable = goals.map(({ figure, value, goal, is_met }) => [
    figure,
    String(value ?? '-'),
    `goal ${goal}`,
    verdicts[`${is_met}`],
  ])
  return [serverTable, memoryTable, compare(compared), timeTable, goalTable].map(alignColumns).join('')
}

/** A column for each way, a row for each figure that any of them has. */
function compare(compared: Record<string, Record<string, string>>): string[][] {
  const ways = Object.keys(compared)
  if (ways.length === 0) return []
  const figures = [...new Set(Object.values(compared).flatMap((way) => Object.keys(way)))]
  return [['', ...ways], ...figures.map((figure) => [figure, ...ways.map((way) => compared[way]?.[figure] ?? '0')])]
}

/** Rows of cells as lines whose columns begin below each other. */
export function alignColumns(rows: string[][]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  }
  return rows
    .map(
      (row) =>
        `  ${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
