import { expect, test } from 'vitest'
import { formatDuration, lastLines, runTool, StepFailure } from './steps.mjs'
import { withoutUsage } from './toolchain.mjs'

const runNode = (script: string, options?: Parameters<typeof runTool>[2]) =>
  runTool(process.execPath, ['-e', script], options)

test('durations are told in seconds, and in minutes from one minute on', () => {
  expect([0, 49, 8_249, 59_949, 60_000, 125_400].map(formatDuration)).toEqual([
    '0.0 s',
    '0.0 s',
    '8.2 s',
    '59.9 s',
    '1 min 0 s',
    '2 min 5 s',
  ])
})

test('a failure shows what failed, the last twenty lines of the tool and what to do', () => {
  const output = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join('\n')
  const lines = new StepFailure('npm ci failed.', { output: `${output}\n\n`, advice: 'Try again.' }).message.split('\n')
  expect(lines).toHaveLength(22)
  expect([lines[0], lines[1], lines[20], lines[21]]).toEqual(['npm ci failed.', 'line 11', 'line 30', 'Try again.'])
})

test('a failure without output has no empty lines', () => {
  expect(new StepFailure('It failed.', { output: '\n', advice: 'Do this.' }).message).toBe('It failed.\nDo this.')
})

test('fewer lines than asked for are given as they are', () => {
  expect(lastLines('a\nb\n', 20)).toBe('a\nb')
})

test("the reason of npm's failure is kept and its page on usage is not", () => {
  const output =
    'npm error code EUSAGE\nnpm error Missing: x from lock file\nnpm error Usage:\nnpm error npm ci\nmore\n'
  expect(withoutUsage(output)).toBe('npm error code EUSAGE\nnpm error Missing: x from lock file\n')
  expect(withoutUsage('npm error code ENOTFOUND\n')).toBe('npm error code ENOTFOUND\n')
})

test("a tool's exit code and both of its outputs are kept, standard output also alone", async () => {
  const result = await runNode('console.log("out"); console.error("err"); process.exitCode = 3')
  expect(result).toMatchObject({ exitCode: 3, standardOutput: 'out\n', isTimedOut: false })
  expect(result.output).toContain('out\n')
  expect(result.output).toContain('err\n')
})

test('a tool that does not exist is a failed tool with the reason in its output', async () => {
  const result = await runTool('/does/not/exist', [])
  expect(result.exitCode).toBe(127)
  expect(result.output).toContain('ENOENT')
})

test('a tool that hangs is ended after its time', async () => {
  const result = await runNode('setInterval(() => {}, 1000)', { timeoutMs: 300 })
  expect(result).toMatchObject({ exitCode: 137, isTimedOut: true })
})

test('steps that run side by side are told in a line each that is whole when it ends', async () => {
  const script = `
    import { step } from ${JSON.stringify(new URL('steps.mjs', import.meta.url).href)}
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
    await Promise.all([step('Long', () => wait(200)), step('Short', () => wait(20))])
    await step('Alone', () => undefined)`
  const { output } = await runTool(process.execPath, ['--input-type=module', '-e', script])
  expect(output.replace(/\d\.\d s/g, 'N s')).toBe('Long … \nShort … N s\nLong … N s\nAlone … N s\n')
})
