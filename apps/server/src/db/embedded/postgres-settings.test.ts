import { expect, test } from 'vitest'
import { postgresArguments, readLogLine } from './postgres-settings.ts'

test('durability is on unless the database is disposable', () => {
  const names = (isDisposable: boolean) => postgresArguments('/data', isDisposable, {}).join(' ')
  expect(names(false)).not.toMatch(/fsync|full_page_writes|synchronous_commit/)
  expect(names(true)).toContain('fsync=off')
})

test('the server listens on no network', () => {
  expect(postgresArguments('/data', false, {})).toContain('listen_addresses=')
})

test.each([
  ['client backend|12|ERROR:  duplicate key value', 'debug', 'duplicate key value'],
  ['client backend|12|FATAL:  the database system is starting up', 'debug', 'the database system is starting up'],
  ['autovacuum worker|12|ERROR:  invalid page', 'warn', 'invalid page'],
  ['postmaster|12|FATAL:  could not create lock file', 'error', 'could not create lock file'],
  ['client backend|12|PANIC:  could not write to file', 'error', 'could not write to file'],
  ['checkpointer|12|LOG:  checkpoint complete', 'debug', 'checkpoint complete'],
  ['error while loading shared libraries', 'info', 'error while loading shared libraries'],
])('%s is told at level %s', (line, level, message) => {
  expect(readLogLine(line)).toMatchObject({ level, message })
})
