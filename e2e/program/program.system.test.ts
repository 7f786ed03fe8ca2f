import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@printyard/server/test/run/temporary-directory'
import { describe, expect, test } from 'vitest'
import { runCli, startCli } from '../test/run-cli.ts'
import { runCommand } from '../test/run-command.ts'

const commands = [
  ['serve'],
  ['accounts', 'create'],
  ['accounts', 'list'],
  ['keys', 'create'],
  ['keys', 'list'],
  ['keys', 'revoke'],
  ['hubs', 'create'],
  ['hub', 'join'],
  ['hub', 'run'],
  ['doctor'],
  ['openapi'],
]

test.each(commands.map((path) => [path.join(' '), path]))('%s --help shows an example', async (name, path) => {
  const result = await runCommand([...path, '--help'])
  expect(result.exitCode).toBe(0)
  expect(result.stdout).toContain(`Usage: printyard ${name}`)
  expect(result.stdout).toMatch(new RegExp(`Example:\n {2}\\$ npx printyard ${name}`))
  expect(result.stdout).toContain('--json')
})

test('help lists every group of commands', async () => {
  const { stdout, exitCode } = await runCli(['--help'])
  expect(exitCode).toBe(0)
  for (const [first] of commands) expect(stdout).toMatch(new RegExp(`^ {2}${first} `, 'm'))
})

describe('wrong usage ends with 2, a sentence on standard error and nothing on standard output', () => {
  test.each([
    ['no command', []],
    ['half a command', ['keys']],
    ['an unknown command', ['print']],
    ['an unknown subcommand', ['keys', 'burn']],
    ['an unknown option', ['accounts', 'list', '--colour']],
    ['a missing option', ['keys', 'list']],
    ['a missing argument', ['keys', 'revoke']],
    ['an argument too many', ['accounts', 'list', 'all']],
  ])('%s', async (_, args) => {
    const result = await runCommand(args)
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).not.toBe('')
  })

  test('as the end of a process', async () => {
    const result = await runCli(['keys', 'burn'])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).not.toBe('')
  })
})

test('a bad setting is told in a table, with exit code 2', async () => {
  const env = { PRINTYARD_PORT: 'many', PRINTYARD_MAX_FILE_MB: '0' }
  const result = await runCli(['accounts', 'list', '--json'], { env })
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  expect(result.stderr).toBe(
    'Some settings cannot be used:\n' +
      '  PRINTYARD_PORT         must be a whole number from 0 to 65535\n' +
      '  PRINTYARD_MAX_FILE_MB  must be a whole number from 1 to 10000\n',
  )
})

describe('hub commands that cannot go on say why', () => {
  test('a hub without an address and a token is asked for both', async () => {
    const result = await runCli(['hub', 'run', '--data-dir', temporaryDirectory(), '--json'])
    expect(result).toMatchObject({ exitCode: 2, stdout: '' })
    expect(result.stderr).toContain('--url, PRINTYARD_HUB_URL: missing')
    expect(result.stderr).toContain('--token, PRINTYARD_HUB_TOKEN: missing')
  })

  test('an address that is none is wrong usage, one that does not answer a failure', async () => {
    const dir = ['--data-dir', temporaryDirectory()]
    expect(await runCli(['hub', 'join', 'farm', 'K7PM2QXA', ...dir])).toMatchObject({ exitCode: 2, stdout: '' })
    const result = await runCli(['hub', 'join', 'http://127.0.0.1:1', 'K7PM2QXA', '--json', ...dir])
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain('http://127.0.0.1:1 cannot be reached')
  })
})

describe('openapi', () => {
  test('prints the same document with and without --json, and writes it to a file', async () => {
    const output = join(temporaryDirectory(), 'openapi.json')
    const [text, json, file] = await Promise.all([
      runCli(['openapi']),
      runCli(['openapi', '--json']),
      runCli(['openapi', '--output', output, '--json']),
    ])
    expect(text).toMatchObject({ exitCode: 0, stderr: '' })
    expect(json.document()).toEqual(text.document())
    expect(file.document()).toEqual({ output })
    expect(readFileSync(output, 'utf8')).toBe(text.stdout)
  })

  test('tells that a file cannot be written', async () => {
    const result = await runCli(['openapi', '--output', join(temporaryDirectory(), 'no', 'openapi.json')])
    expect(result).toMatchObject({ exitCode: 1, stdout: '' })
    expect(result.stderr).toContain('cannot be written')
  })
})

test('output that no one reads to the end is no failure', async () => {
  const cli = startCli(['openapi'])
  cli.child.stdout?.destroy()
  expect(await cli.ended).toBe(0)
  expect(cli.stderr()).toBe('')
})
