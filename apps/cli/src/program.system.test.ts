import { describe, expect, test } from 'vitest'
import { runCli } from './test/run-cli.ts'

const commands = [
  ['accounts', 'create'],
  ['accounts', 'list'],
  ['keys', 'create'],
  ['keys', 'list'],
  ['keys', 'revoke'],
]

test.each(commands.map((path) => [path.join(' '), path]))('%s --help shows an example', async (name, path) => {
  const result = await runCli([...path, '--help'])
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
    const result = await runCli(args)
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
