import autocannon from 'autocannon'
import type { LoadResult, LoadTask } from './load.ts'

// A process of its own: in that of a measured server or of the harness it would measure itself.
const task: LoadTask = JSON.parse(process.argv[2] ?? '')
const result = await autocannon({
  url: task.url,
  connections: task.connections,
  duration: task.seconds,
  headers: task.headers,
  requests: task.paths.map((path) =>
    task.body === undefined ? { method: 'GET', path } : { method: 'POST', path, body: task.body },
  ),
})
const answer: LoadResult = {
  requests: result.requests.total,
  seconds: result.duration,
  p50_ms: result.latency.p50,
  p99_ms: result.latency.p99,
  failures: result.errors + result.timeouts + result.non2xx,
}
process.stdout.write(`${JSON.stringify(answer)}\n`)
