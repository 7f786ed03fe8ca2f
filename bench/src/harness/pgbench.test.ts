import { expect, test } from 'vitest'
import { readPgbench } from './pgbench.ts'

const report = `pgbench (15.18 (Debian 15.18-0+deb12u1), server 18.1)
transaction type: inserts.sql
scaling factor: 1
query mode: simple
number of clients: 8
number of threads: 1
maximum number of tries: 1
duration: 2 s
number of transactions actually processed: 5000
number of failed transactions: 2 (0.040%)
latency average = 3.200 ms
initial connection time = 12.345 ms
tps = 2500.000000 (without initial connection time)
`

test('the rate of pgbench is that without the time to connect', () => {
  expect(readPgbench(report)).toEqual({ requests: 5000, seconds: 2, p50_ms: null, p99_ms: null, failures: 2 })
})

test('a pgbench before 15 counts no failures', () => {
  const older = report.replace(/^number of failed.*\n/m, '')
  expect(readPgbench(older).failures).toBe(0)
})

test('what pgbench says instead of a rate is shown', () => {
  expect(() => readPgbench('pgbench: error: connection refused')).toThrow('connection refused')
})
