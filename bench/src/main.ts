import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { endAllChildren } from './child.ts'
import { command } from './command.ts'
import { dispatch } from './dispatch.ts'
import { enqueue } from './enqueue.ts'
import { explain } from './explain.ts'
import { farmDay } from './farm-day.ts'
import { farmMemory } from './farm-memory.ts'
import { footprint } from './footprint.ts'
import { historyDepth } from './history-depth.ts'
import { hotQueries } from './hot-queries.ts'
import { list200 } from './list-200.ts'
import { list200Printing } from './list-200-printing.ts'
import { livePush } from './live-push.ts'
import { mixedHub } from './mixed-hub.ts'
import { overviewGrowth } from './overview-growth.ts'
import { plan } from './plan.ts'
import { readOne } from './read-one.ts'
import type { Benchmark, BenchmarkResult } from './result.ts'
import { retention } from './retention.ts'
import { small } from './small.ts'
import { statusOne } from './status-one.ts'
import { describeResult } from './table.ts'
import { telemetry } from './telemetry.ts'
import { upload } from './upload.ts'
import { web } from './web.ts'
import { webhooks } from './webhooks.ts'

const benchmarks: Benchmark[] = [
  readOne,
  statusOne,
  list200,
  list200Printing,
  livePush,
  overviewGrowth,
  historyDepth,
  hotQueries,
  enqueue,
  upload,
  command,
  dispatch,
  explain,
  plan,
  farmDay,
  footprint,
  farmMemory,
  telemetry,
  mixedHub,
  retention,
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
