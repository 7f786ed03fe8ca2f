import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Driver, openDriver } from '@printyard/server/db/driver/open-driver'
import { claimDataDirectory } from '@printyard/server/db/embedded/data-directory'
import { startEmbeddedPostgres } from '@printyard/server/db/embedded/embedded-postgres'
import { migrate, migrationsDirectory } from '@printyard/server/db/migrate'
import { silentLog } from '@printyard/server/db/setup/database-log'
import { newId } from '@printyard/server/kernel/ids'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { expect, test } from 'vitest'
import { copyInstallation, restoreFormerInstallations } from './former-installations.ts'

const installations = restoreFormerInstallations()
const newest = readdirSync(migrationsDirectory).length

/** Longer than a migration may wait for its locks, and a writer behind it. */
const longestWaitMs = 8_000

/** A process of the former version: it knows the columns of its level, and no others. */
class FormerWriter {
  readonly written: { table: string; id: string }[] = []
  readonly failures: string[] = []
  longestMs = 0
  readonly #sql: Driver
  readonly #columns: ReadonlyMap<string, readonly string[]>

  private constructor(sql: Driver, columns: ReadonlyMap<string, readonly string[]>) {
    this.#sql = sql
    this.#columns = columns
  }

  static async open(sql: Driver): Promise<FormerWriter> {
    const rows = await sql<{ table_name: string; column_name: string }[]>`
      select table_name::text, column_name::text from information_schema.columns
      where table_schema = 'public' and is_identity = 'NO' and is_generated = 'NEVER'
      order by table_name, ordinal_position`
    const columns = new Map<string, string[]>()
    for (const { table_name, column_name } of rows) {
      columns.set(table_name, [...(columns.get(table_name) ?? []), column_name])
    }
    return new FormerWriter(sql, columns)
  }

  /** What the former version does all day: rows are added and changed, some in transactions that take their time. */
  async work(): Promise<void> {
    await this.#timed(() => this.#addLike('jobs', newId('job')))
    await this.#timed(() => this.#addLike('printers', newId('printer'), { name: `'Added ' || md5(random()::text)` }))
    await this.#timed(() => this.#addLike('worklist_tasks', newId('worklistTask')))
    await this.#timed(() => this.#addOrder())
    await this.#timed(() =>
      this.#sql.begin(async (sql) => {
        await sql`update jobs set updated_at = now() where id = (select id from jobs order by id limit 1)`
        await wait(150)
        await sql`update printers set updated_at = now() where id = (select id from printers order by id limit 1)`
      }),
    )
  }

  async #timed(step: () => Promise<unknown>): Promise<void> {
    const startedAt = performance.now()
    try {
      await step()
    } catch (error) {
      this.failures.push(String(error))
    }
    this.longestMs = Math.max(this.longestMs, performance.now() - startedAt)
  }

  async #addOrder(): Promise<void> {
    const orderId = newId('order')
    const lineId = newId('orderItem')
    await this.#sql.begin(async (sql) => {
      await sql.unsafe(
        this.#copyOf('orders', orderId, { order_number: `md5(random()::text)`, platform_order_id: 'null' }),
      )
      await wait(20)
      await sql.unsafe(this.#copyOf('order_items', lineId, { order_id: `'${orderId}'` }))
    })
    this.written.push({ table: 'orders', id: orderId }, { table: 'order_items', id: lineId })
  }

  async #addLike(table: string, id: string, changed: Record<string, string> = {}): Promise<void> {
    await this.#sql.unsafe(this.#copyOf(table, id, changed))
    this.written.push({ table, id })
  }

  /** Adds a copy of the first row, with the columns of the former version named one by one as its code does. */
  #copyOf(table: string, id: string, changed: Record<string, string>): string {
    const columns = this.#columns.get(table) ?? []
    const values = columns.map((column) => (column === 'id' ? `'${id}'` : (changed[column] ?? `"${column}"`)))
    return `insert into "${table}" (${columns.map((column) => `"${column}"`).join(', ')})
      select ${values.join(', ')} from (select * from "${table}" order by id limit 1) one`
  }

  /** What was acknowledged and is not there. */
  async findLost(): Promise<{ table: string; id: string }[]> {
    const lost = []
    for (const each of this.written) {
      const [row] = await this.#sql.unsafe(`select 1 from "${each.table}" where id = '${each.id}'`)
      if (row === undefined) lost.push(each)
    }
    return lost
  }
}

test('a database is upgraded while processes of the former version write to it, before and after', async () => {
  expect(installations.length).toBeGreaterThan(0)
  for (const { level, dataDir: untouched } of installations) {
    const dataDir = join(temporaryDirectory(), 'data')
    copyInstallation(untouched, dataDir)
    const claim = await claimDataDirectory(dataDir, { purpose: 'test' })
    const server = await startEmbeddedPostgres({ claim, log: silentLog })
    const connections = [1, 2, 3].map((number) => openDriver(server.connection, `former ${number}`))
    try {
      const writers = await Promise.all(connections.map((sql) => FormerWriter.open(sql)))
      let isOver = false
      const working = writers.map(async (writer) => {
        // Bounded: an upgrade takes seconds.
        for (let round = 0; round < 500 && !isOver; round += 1) await writer.work()
      })
      await wait(500)
      const applied = await migrate({ target: server.connection, log: silentLog })
      const writtenBefore = writers.map(({ written }) => written.length)
      // The former version goes on beside the new one, until the last of its processes is replaced.
      await wait(1_000)
      isOver = true
      await Promise.all(working)

      expect(applied).toHaveLength(newest - level)
      for (const [index, writer] of writers.entries()) {
        expect(writer.failures).toEqual([])
        expect(writer.written.length).toBeGreaterThan(writtenBefore[index] ?? 0)
        expect(await writer.findLost()).toEqual([])
        expect(writer.longestMs).toBeLessThan(longestWaitMs)
      }
    } finally {
      await Promise.all(connections.map((sql) => sql.end()))
      await server.stop()
      await claim.release()
    }
  }
}, 240_000)
