import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { accountForAllTests } from '../test/app/app-hooks.ts'
import { filledId, fillLists } from '../test/app/filled-lists.ts'
import { getPage, walkPages } from '../test/app/walk-pages.ts'

const { t, account: farm } = accountForAllTests()
beforeAll(async () => {
  await fillLists(t.db.sql, farm.id, 1)
})

describe('rows that come and go between pages', () => {
  /** Rows before the walk, and for each step rows that appear and how many of the first ones go. */
  const story = fc.record({
    keys: fc.array(fc.option(fc.integer({ min: 0, max: 4 }), { freq: 6 }), { minLength: 1, maxLength: 16 }),
    limit: fc.integer({ min: 1, max: 5 }),
    steps: fc.array(
      fc.record({
        added: fc.array(fc.option(fc.integer({ min: 0, max: 4 }), { freq: 6 }), { maxLength: 3 }),
        removed: fc.array(fc.nat(20), { maxLength: 3 }),
      }),
      { maxLength: 6 },
    ),
  })

  /** Tells a story to a list and checks that a walk gives each row that stayed exactly once, in the order of the list. */
  async function checkStory(
    path: string,
    { keys, limit, steps }: typeof story extends fc.Arbitrary<infer Story> ? Story : never,
    table: {
      clear(): Promise<void>
      add(id: string, key: number | null): Promise<void>
      remove(id: string): Promise<void>
    },
  ): Promise<void> {
    await table.clear()
    let made = 0
    const present: string[] = []
    const removedIds = new Set<string>()
    const add = async (key: number | null) => {
      made += 1
      // Not in the order in which they are made.
      const id = `row_${(made * 7919) % 1009}`
      await table.add(id, key)
      present.push(id)
    }
    for (const key of keys) await add(key)
    const stayed = new Set(present)
    let step = 0
    const pages = await walkPages(farm, path, limit, async () => {
      const { added, removed } = steps[step] ?? { added: [], removed: [] }
      step += 1
      for (const key of added) await add(key)
      for (const place of removed) {
        const [id] = present.splice(place % (present.length || 1), 1)
        if (id === undefined) continue
        await table.remove(id)
        removedIds.add(id)
      }
    })
    const walked = pages.flatMap(({ data }) => data.map((row) => (row as { id: string }).id))
    expect(new Set(walked).size).toBe(walked.length)
    for (const id of stayed) if (!removedIds.has(id)) expect(walked).toContain(id)
    const whole = (await getPage(farm, path, 'limit=100&offset=0')).data.map((row) => (row as { id: string }).id)
    const left = walked.filter((id) => whole.includes(id))
    expect(left).toEqual(whole.filter((id) => left.includes(id)))
  }

  test('are neither skipped nor doubled in the history, ties and missing times included', async () => {
    const { sql } = t.db
    const table = {
      clear: () => sql`delete from jobs where account_id = ${farm.id}`.then(() => undefined),
      remove: (id: string) => sql`delete from jobs where account_id = ${farm.id} and id = ${id}`.then(() => undefined),
      async add(id: string, key: number | null) {
        await sql`
          insert into jobs (account_id, id, status, print_file_id, file_version_id, file_name, number_of_units,
            quantity_per_print, plates_total, created_by, time_completed)
          values (${farm.id}, ${id}, 'completed', ${filledId('fil', 1)}, ${filledId('ver', 1)}, 'a.gcode', 1, 1, 1,
            'system', timestamptz '2026-03-01T00:00:00.000999Z' + ${key}::integer * interval '1 microsecond')`
      },
    }
    await fc.assert(
      fc.asyncProperty(story, (told) => checkStory('/jobs/history', told, table)),
      { numRuns: 60 },
    )
  })

  test('are neither skipped nor doubled in a list by name', async () => {
    const { sql } = t.db
    const table = {
      clear: () => sql`delete from printers where account_id = ${farm.id}`.then(() => undefined),
      remove: (id: string) =>
        sql`delete from printers where account_id = ${farm.id} and id = ${id}`.then(() => undefined),
      async add(id: string, key: number | null) {
        const name = `${['Ä', 'a', 'Z', 'é', ' '][key ?? 0]}${id}`
        await sql`
          insert into printers (account_id, id, name, model, connection_type, connection_sealed)
          values (${farm.id}, ${id}, ${name}, 'MK4S', 'virtual', '\\x00')`
      },
    }
    await sql`delete from jobs where account_id = ${farm.id}`
    for (const path of ['/printers', '/printers?status=offline']) {
      await fc.assert(
        fc.asyncProperty(story, (told) => checkStory(path, told, table)),
        { numRuns: 40 },
      )
    }
  })
})
