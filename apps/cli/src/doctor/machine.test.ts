import { expect, test } from 'vitest'
import { checkNode, checkPostgresBinaries } from './machine.ts'

test.each(['24.7.0', '24.21.0', '25.0.0'])('Node %s is new enough', (version) => {
  expect(checkNode(version).status).toBe('ok')
})

test.each(['24.6.0', '22.20.0', '9.9.9'])('Node %s is a problem with a remedy', (version) => {
  expect(checkNode(version)).toMatchObject({ status: 'problem', remedy: expect.stringContaining('npm start') })
})

test('with a database elsewhere the bundled one is not asked for', () => {
  expect(checkPostgresBinaries({ databaseUrl: 'postgres://host/db', postgresBinDir: undefined })).toMatchObject({
    status: 'ok',
    message: expect.stringContaining('not needed'),
  })
})
