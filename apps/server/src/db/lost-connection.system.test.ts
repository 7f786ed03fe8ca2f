import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/run/test-database.ts'
import { type Database, openDatabase } from './database.ts'
import { isConnectionError } from './database-errors.ts'
import { openDriver } from './driver/open-driver.ts'

// A broken connection that no one catches would end this process, and the run of tests with an error of its own.
let postgres: TestDatabase
let database: Database
let folder: string
const sockets = new Set<Socket>()
const server = createServer((socket) => {
  if (!('socketPath' in postgres.target)) throw new Error('the test database has a socket of this machine')
  const upstream = connect(postgres.target.socketPath)
  for (const [each, other] of [
    [socket, upstream],
    [upstream, socket],
  ] as const) {
    sockets.add(each)
    each.on('error', () => undefined)
    each.on('close', () => {
      sockets.delete(each)
      other.destroy()
    })
  }
  socket.pipe(upstream)
  upstream.pipe(socket)
})
const breakConnections = () => {
  for (const socket of sockets) socket.destroy()
}

beforeAll(async () => {
  postgres = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'printyard-lost-'))
  const path = join(folder, 'postgres.sock')
  await new Promise<void>((resolve) => server.listen(path, resolve))
  database = openDatabase({
    target: { ...postgres.target, socketPath: path },
    transactionConnections: 1,
    applicationName: 'to be ended',
  })
})
afterAll(async () => {
  await database.close()
  breakConnections()
  await new Promise((resolve) => server.close(resolve))
  await postgres.close()
  await rm(folder, { recursive: true, force: true })
})

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'no failure',
    (error: unknown) => error,
  )
}

test('a connection that breaks during a statement of a transaction fails the transaction and nothing else', async () => {
  const failure = failureOf(
    database.begin(async (sql) => {
      const answer = sql`select pg_sleep(30)`.execute()
      setTimeout(breakConnections, 50)
      await answer
    }),
  )
  expect(isConnectionError(await failure)).toBe(true)
  await wait(50)
  expect(await database.begin(async (sql) => (await sql`select 1 as one`)[0])).toEqual({ one: 1 })
})

test('a connection that breaks during a savepoint fails the whole transaction and nothing else', async () => {
  const failure = failureOf(
    database.begin((sql) =>
      sql.savepoint(async (inner) => {
        setTimeout(breakConnections, 50)
        await inner`select pg_sleep(30)`
      }),
    ),
  )
  expect(isConnectionError(await failure)).toBe(true)
  expect(await database.begin(async (sql) => (await sql`select 1 as one`)[0])).toEqual({ one: 1 })
})

test('a transaction whose connection broke between two statements sends no more of them', async () => {
  let late: unknown
  let hasEnded: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    hasEnded = resolve
  })
  const failure = await failureOf(
    database.begin(async (sql) => {
      await sql`select 1`
      breakConnections()
      await wait(100)
      late = await failureOf(sql`select 2`.execute())
      hasEnded()
    }),
  )
  await ended
  expect(isConnectionError(failure)).toBe(true)
  expect(isConnectionError(late)).toBe(true)
  await wait(50)
  expect(await database.begin(async (sql) => (await sql`select 1 as one`)[0])).toEqual({ one: 1 })
})

test('statements are answered again however often connections break under them', async () => {
  let isOver = false
  let answered = 0
  const ask = async () => {
    while (!isOver) {
      await database.sql`select 1`.then(
        () => {
          answered += 1
        },
        () => undefined,
      )
    }
  }
  const askers = Array.from({ length: 8 }, ask)
  for (let round = 0; round < 60; round += 1) {
    const before = answered
    breakConnections()
    for (let looks = 0; answered === before && looks < 2_000; looks += 1) await wait(2)
    expect(answered).toBeGreaterThan(before)
  }
  isOver = true
  await Promise.all(askers)
}, 60_000)

test('transactions are answered again however often connections break under them', async () => {
  let isOver = false
  let answered = 0
  let unanswered = 0
  const ask = async () => {
    while (!isOver) {
      unanswered += 1
      await database
        .begin(async (sql) => {
          await sql`select 1`
          await sql`select 2`
        })
        .then(
          () => {
            answered += 1
          },
          () => undefined,
        )
      unanswered -= 1
    }
  }
  const askers = Array.from({ length: 8 }, ask)
  for (let round = 0; round < 60; round += 1) {
    const before = answered
    breakConnections()
    for (let looks = 0; answered === before && looks < 2_000; looks += 1) await wait(2)
    expect({ round, isAnswered: answered > before }).toEqual({ round, isAnswered: true })
  }
  isOver = true
  await Promise.all(askers)
  expect(unanswered).toBe(0)
}, 60_000)

test('a statement whose connection the server ends fails, or has its own answer, and none waits for ever', async () => {
  let isOver = false
  let asked = 0
  let answered = 0
  const wrong: unknown[] = []
  const waiting = new Set<number>()
  // A failed statement is asked again at once: that is while its connection still breaks.
  const ended = openDatabase({ target: postgres.target, applicationName: 'to be ended' })
  const ask = async () => {
    while (!isOver) {
      asked += 1
      const number = asked
      waiting.add(number)
      await ended.sql<{ number: number }[]>`select ${number}::int4 as number`.then(
        (rows) => {
          answered += 1
          if (rows[0]?.number !== number) wrong.push({ number, rows })
        },
        () => undefined,
      )
      waiting.delete(number)
    }
  }
  const askers = Array.from({ length: 8 }, ask)
  try {
    for (let round = 0; round < 60; round += 1) {
      const before = answered
      await postgres.sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'to be ended'`
      for (let looks = 0; answered < before + 20 && looks < 10_000; looks += 1) await wait(2)
      expect({ round, isAnswered: answered > before }).toEqual({ round, isAnswered: true })
    }
  } finally {
    isOver = true
  }
  for (let looks = 0; waiting.size > 0 && looks < 10_000; looks += 1) await wait(2)
  expect(waiting.size).toBe(0)
  await Promise.all(askers)
  await ended.close()
  expect(wrong).toEqual([])
}, 60_000)

test('a statement whose server went away without a word fails, and the next one connects again', async () => {
  const target = { ...postgres.target, socketPath: join(folder, 'postgres.sock') }
  const pool = openDriver(target, 'printyard test', { longestSilenceMs: 300 })
  try {
    await pool`select 1`
    for (const socket of sockets) socket.unpipe()
    expect(isConnectionError(await failureOf(pool`select 2`.execute()))).toBe(true)
    expect([...(await pool`select 3 as three`)]).toEqual([{ three: 3 }])
  } finally {
    await pool.end()
  }
})

test('a server that went away without a word is given up, too, while more and more is asked', async () => {
  const target = { ...postgres.target, socketPath: join(folder, 'postgres.sock') }
  const pool = openDriver(target, 'printyard test', { longestSilenceMs: 400 })
  try {
    await pool`select 1`
    for (const socket of sockets) socket.unpipe()
    let isAnswered = false
    for (let asked = 0; !isAnswered && asked < 100; asked += 1) {
      pool`select 2`.then(
        () => {
          isAnswered = true
        },
        () => undefined,
      )
      await wait(50)
    }
    expect(isAnswered).toBe(true)
  } finally {
    await pool.end()
  }
})

test('a server that hangs up before it takes the connection fails the statement, however often it does', async () => {
  const path = join(folder, 'curt.sock')
  const curt = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => curt.listen(path, resolve))
  const pool = openDriver({ ...postgres.target, socketPath: path }, 'printyard test')
  try {
    for (let tries = 0; tries < 3; tries += 1) {
      expect(isConnectionError(await failureOf(pool`select 1`.execute()))).toBe(true)
    }
  } finally {
    await pool.end()
    await new Promise((resolve) => curt.close(resolve))
  }
})
