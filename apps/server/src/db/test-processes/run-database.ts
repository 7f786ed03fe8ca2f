import { connectDatabase } from '../connect-database.ts'
import { silentLog } from '../setup/database-log.ts'
import { say, sayError } from './say.ts'

/** Connects, then inserts accounts as fast as they are acknowledged, telling each, until SIGTERM. */
const [dataDir = '', purpose = 'service', work = 'idle'] = process.argv.slice(2)
try {
  const startedAt = performance.now()
  const log = {
    ...silentLog,
    info: (details: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`),
  }
  const connected = await connectDatabase({ dataDir, purpose, waitTimeoutMs: 10_000 }, log)
  const [row] = await connected.database.sql<{ n: number }[]>`select count(*) as n from accounts`
  const timer = setTimeout(() => process.exit(3), 60_000)
  process.once('SIGTERM', () => {
    const stopAt = performance.now()
    clearTimeout(timer)
    void connected.close().then(() => say({ stoppedInMs: Math.round(performance.now() - stopAt) }))
  })
  say({
    kind: connected.kind,
    adopted: connected.embedded?.adopted,
    postgresPid: connected.embedded?.pid,
    accounts: row?.n,
    tookMs: Math.round(performance.now() - startedAt),
  })
  for (let number = 1; work === 'insert' && number < 100_000; number += 1) {
    await connected.database
      .sql`insert into accounts ${connected.database.sql({ id: `acc_${process.pid}_${number}`, name: 'x' })}`
    say({ inserted: number })
  }
  if (work === 'once') {
    clearTimeout(timer)
    await connected.close()
  }
} catch (error) {
  sayError(error)
}
