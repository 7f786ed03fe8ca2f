import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { databaseWrites } from './benchmarks/database-writes.ts'
import { dispatch, dispatchLarge } from './benchmarks/dispatch.ts'
import { enqueue } from './benchmarks/enqueue.ts'
import { explain } from './benchmarks/explain.ts'
import { farmDay } from './benchmarks/farm-day.ts'
import { farmMemory } from './benchmarks/farm-memory.ts'
import { footprint } from './benchmarks/footprint.ts'
import { historyDepth } from './benchmarks/history-depth.ts'
import { hotQueries } from './benchmarks/hot-queries.ts'
import { list200 } from './benchmarks/list-200.ts'
import { list200Printing } from './benchmarks/list-200-printing.ts'
import { livePush } from './benchmarks/live-push.ts'
import { mixedHub } from './benchmarks/mixed-hub.ts'
import { overviewGrowth } from './benchmarks/overview-growth.ts'
import { plan } from './benchmarks/plan.ts'
import { readOne } from './benchmarks/read-one.ts'
import { retention } from './benchmarks/retention.ts'
import { small } from './benchmarks/small.ts'
import { statusOne } from './benchmarks/status-one.ts'
import { telemetry } from './benchmarks/telemetry.ts'
import { threeProcesses } from './benchmarks/three-processes.ts'
import { upload } from './benchmarks/upload.ts'
import { web } from './benchmarks/web.ts'
import { webhooks } from './benchmarks/webhooks.ts'
import { endAllChildren } from './harness/child.ts'
import { command } from './harness/command.ts'
import type { Benchmark, BenchmarkResult } from './harness/result.ts'
import { describeResult } from './harness/table.ts'

const benchmarks: Benchmark[] = [
  readOne,
  statusOne,
  list200,
  list200Printing,
  threeProcesses,
  livePush,
  overviewGrowth,
  historyDepth,
  hotQueries,
  enqueue,
  upload,
  command,
  dispatch,
  dispatchLarge,
  explain,
  plan,
  farmDay,
  footprint,
  farmMemory,
  telemetry,
  mixedHub,
  retention,
  databaseWrites,
  small,
  web,
  webhooks,
]

const usage = `npm run bench -- [names…] [--minutes N] [--json FILE]

${benchmarks.map(({ name, what }) => `  ${name.padEnd(15)} ${what}`).join('\n')}
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, minutes: { type: 'string' }, help: { type: 'boolean' } },
})
const unknown = positionals.filter((name) => !benchmarks.some((benchmark) => benchmark.name === name))
const minutes = values.minutes === undefined ? undefined : Number(values.minutes)
if (minutes !== undefined && !(minutes > 0)) unknown.push(`--minutes ${values.minutes}`)
if (values.help || unknown.length > 0) {
  process.stderr.write(unknown.length > 0 ? `Unknown: ${unknown.join(', ')}\n${usage}` : usage)
  process.exit(unknown.length > 0 ? 2 : 0)
}

let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    isInterrupted = true
    endAllChildren()
  })
}

const results: (BenchmarkResult | { name: string; error: string })[] = []
for (const benchmark of benchmarks) {
  if (isInterrupted || (positionals.length > 0 && !positionals.includes(benchmark.name))) continue
  process.stdout.write(`${benchmark.name}: ${benchmark.what}\n`)
  try {
    await using scope = new AsyncDisposableStack()
    const result = await benchmark.run(scope, minutes === undefined ? {} : { minutes })
    process.stdout.write(`${describeResult(result)}\n`)
    results.push(result)
  } catch (error) {
    // The others are worth measuring anyway.
    process.stdout.write(`  failed: ${error instanceof Error ? error.message : String(error)}\n\n`)
    results.push({ name: benchmark.name, error: String(error) })
    process.exitCode = 1
  }
}

const report = {
  at: new Date().toISOString(),
  machine: {
    node: process.version,
    platform: process.platform,
    cpu: cpus()[0]?.model ?? '',
    cores: availableParallelism(),
  },
  benchmarks: results,
}
const json = `${JSON.stringify(report, null, 2)}\n`
if (values.json) writeFileSync(values.json, json)
else process.stdout.write(json)
if (isInterrupted) process.exitCode = 130
