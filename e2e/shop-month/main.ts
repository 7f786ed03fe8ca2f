import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '@printyard/server/db/database'
import { embeddedConnection } from '@printyard/server/db/embedded/embedded-connection'
import { describeMonths } from './month-table.ts'
import { startService } from './service-process.ts'
import { runShopMonth, type ShopMonth, type Way } from './shop-month.ts'

// `npm run shop-month -- --orders 500 --days 30 --seed 1 --speed 14400`; `--only-netted` leaves out the month order by order. Ends
// with 0 when every balance is right, every order left, and no unit was lost or made for the same line twice.
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '500' },
    days: { type: 'string', default: '30' },
    printers: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    speed: { type: 'string', default: '14400' },
    'only-netted': { type: 'boolean', default: false },
  },
})
const { 'only-netted': isOnlyNetted, ...numbers } = values
for (const [name, text] of Object.entries(numbers)) {
  if (!/^[1-9]\d{0,4}$/.test(text)) {
    process.stderr.write(`--${name} must be a whole number from 1 to 99999: ${text}\n`)
    process.exit(2)
  }
}
const path = await mkdtemp(join(tmpdir(), 'printyard-shop-month-'))
const dataDir = join(path, 'service')
try {
  // As root, PostgreSQL runs as another user who must be able to pass.
  await chmod(path, 0o711)
  const service = await startService(dataDir)
  const { connection, close } = embeddedConnection(dataDir)
  const database = openDatabase({ target: connection, statementTimeoutMs: 60_000 })
  try {
    const months: ShopMonth[] = []
    const ways: Way[] = isOnlyNetted ? ['netted'] : ['netted', 'order by order']
    for (const way of ways) {
      const month = await runShopMonth(way, {
        orders: Number(values.orders),
        days: Number(values.days),
        printers: Number(values.printers),
        seed: Number(values.seed),
        speed: Number(values.speed),
        serviceUrl: service.url,
        sql: database.sql,
        path,
        say: (line) => process.stderr.write(`${line}\n`),
      })
      process.stderr.write(`${way}: ${JSON.stringify(month.done)}\n`)
      months.push(month)
    }
    process.stdout.write(`${describeMonths(months)}\n`)
    const wrong = months.flatMap(({ way, wrong }) => wrong.map((each) => `${way}: ${each}`))
    for (const each of wrong) process.stdout.write(`WRONG ${each}\n`)
    process.exitCode = wrong.length === 0 ? 0 : 1
  } finally {
    await database.close()
    close()
    await service.stop()
  }
} finally {
  await rm(path, { recursive: true, force: true, maxRetries: 5 })
}
